// SPDX-License-Identifier: MIT
#pragma once

#include <knotwork/regularizer.hpp>

namespace knotwork {

std::shared_ptr<const Regularizer> make_weights_squared(const RegularizerOptions& options);
std::shared_ptr<const Regularizer> make_damping(const RegularizerOptions& options);
std::shared_ptr<const Regularizer> make_slope(const RegularizerOptions& options);
std::shared_ptr<const Regularizer> make_curvature(const RegularizerOptions& options);
std::shared_ptr<const Regularizer> make_bank_curvature(const RegularizerOptions& options);
std::shared_ptr<const Regularizer> make_absolute_weights(const RegularizerOptions& options);
std::shared_ptr<const Regularizer> make_kinks(const RegularizerOptions& options);

}  // namespace knotwork
