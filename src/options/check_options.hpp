// SPDX-License-Identifier: MIT
// These functions about options are used both by checks of options and by training.
#pragma once

#include <string>
#include <string_view>

#include <knotwork/options.hpp>
#include <knotwork/regularizer.hpp>

namespace knotwork {

// The first given option that only adam and adamw support; empty if none is given.
std::string option_for_adam(const TrainOptions& options);

// The regularizer whose weight is set by the option of that name. Throws bad_option when there is
// none.
const RegularizerEntry& regularizer_of(std::string_view option);

}  // namespace knotwork
