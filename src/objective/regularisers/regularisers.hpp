// SPDX-License-Identifier: MIT
#pragma once

#include <knotwork/regulariser.hpp>

namespace knotwork {

std::shared_ptr<const Regulariser> make_weights_squared(const RegulariserOptions& options);
std::shared_ptr<const Regulariser> make_damping(const RegulariserOptions& options);
std::shared_ptr<const Regulariser> make_slope(const RegulariserOptions& options);
std::shared_ptr<const Regulariser> make_curvature(const RegulariserOptions& options);
std::shared_ptr<const Regulariser> make_bank_curvature(const RegulariserOptions& options);
std::shared_ptr<const Regulariser> make_absolute_weights(const RegulariserOptions& options);
std::shared_ptr<const Regulariser> make_kinks(const RegulariserOptions& options);

}  // namespace knotwork
