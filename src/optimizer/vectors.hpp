// SPDX-License-Identifier: MIT
// Vector arithmetic of the optimizers: plain loops in double, always summed from the first element
// to the last, so that the bits depend on the numbers alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace knotwork {

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double norm(std::span<const double> a) {
  return std::sqrt(dot(a, a));
}

inline bool all_finite(std::span<const double> a) {
  return std::all_of(a.begin(), a.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace knotwork
