// SPDX-License-Identifier: MIT
// What checking options and training both need to know about them.
#pragma once

#include <string>
#include <string_view>

#include <knotwork/options.hpp>
#include <knotwork/regularizer.hpp>

namespace knotwork {

// The first of the options that only adam and adamw can follow; empty if none is given.
std::string option_for_adam(const TrainOptions& options);

// The regularizer whose weight is the option of that name. Throws bad_option when there is none.
const RegularizerEntry& regularizer_of(std::string_view option);

}  // namespace knotwork
