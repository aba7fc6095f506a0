// SPDX-License-Identifier: MIT
// normal_quantile() is the inverse of the standard normal distribution function.
//
// Accurate to about 1e-15 for p in [1e-300, 1 - 1e-16]; exactly antisymmetric where 1 - p is exact.
// Known value: normal_quantile(0.975) = 1.959963984540054.
#pragma once

namespace knotwork::features {

double normal_quantile(double p);

}  // namespace knotwork::features
