// SPDX-License-Identifier: MIT
#include "optimizer/conjugate_gradient.hpp"

#include <algorithm>
#include <limits>

#include "optimizer/vectors.hpp"

namespace knotwork {

void ConjugateGradient::choose_direction(std::span<const double> /*old_point*/,
                                         std::span<const double> old_gradient) {
  const std::span<const double> g = gradient();
  const double beta = (dot(g, g) - dot(old_gradient, g)) / dot(old_gradient, old_gradient);
  const std::span<double> d = direction();
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = beta * d[i] - g[i];
}

double ConjugateGradient::choose_first_step(double last_step, double old_slope) const {
  // Subtracting the smallest normal double keeps a slope of zero from dividing by zero.
  const double ratio = old_slope / (slope() - std::numeric_limits<double>::min());
  return last_step * std::min(options().step_ratio, ratio);
}

}  // namespace knotwork
