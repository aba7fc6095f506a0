// SPDX-License-Identifier: MIT
#include "features/normal_quantile.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace knotwork::features {
namespace {

// For p <= 1/2, where erfc keeps the relative precision of the tail.
double lower_quantile(double p) {
  // Abramowitz & Stegun 26.2.23, within 4.5e-4.
  const double t = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  // Halley's steps cube the error: 1e-10, then rounding.
  for (int step = 0; step < 2; ++step) {
    const double excess = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
    const double density =
        std::exp(-0.5 * x * x) * (0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2);
    const double newton = excess / density;
    x -= newton / (1 + 0.5 * x * newton);
  }
  return x;
}

}  // namespace

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0) return -std::numeric_limits<double>::infinity();
  if (p == 1) return std::numeric_limits<double>::infinity();
  if (p == 0.5) return 0;
  return p < 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

}  // namespace knotwork::features
