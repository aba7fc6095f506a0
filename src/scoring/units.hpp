// SPDX-License-Identifier: MIT
// These functions choose units of measurement in which sums, products and squares of huge or tiny
// numbers neither overflow nor underflow. Units are powers of two, so that they change only
// exponents and no other bits of the results.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include <knotwork/matrix_view.hpp>

namespace knotwork::scoring {

// The unit for numbers up to the given size. 1 if the size is 0 or infinite.
inline double unit_of_size(double largest) {
  return largest > 0 && std::isfinite(largest) ? std::ldexp(1, std::ilogb(largest)) : 1;
}

// Only the ratios of sample weights matter; in their unit they also fit into a float.
inline double unit_of_weights(std::span<const double> weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  return unit_of_size(largest);
}

// The unit for numbers that will be squared; 1 for numbers of common size.
template <class... Views>
double unit_of_squares(const Views&... views) {
  double largest = 0;
  const auto look_at = [&](const auto& view) {
    for (std::size_t c = 0; c < view.columns; ++c) {
      for (std::size_t r = 0; r < view.rows; ++r) {
        largest = std::max(largest, std::fabs(double{view(r, c)}));
      }
    }
  };
  (look_at(views), ...);
  const bool usual = largest > 1e-100 && largest < 1e100;
  return usual ? 1 : unit_of_size(largest);
}

}  // namespace knotwork::scoring
