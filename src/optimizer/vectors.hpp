// SPDX-License-Identifier: MIT
// These functions are the vector arithmetic of the optimizers: plain loops in double, always summed
// in the same order, so that the bits depend on the numbers alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace knotwork {

inline double dot(std::span<const double> a, std::span<const double> b) {
  // Number of parallel partial sums: in a single sum each addition would wait for the one before.
  constexpr std::size_t kStrands = 8;
  double sums[kStrands] = {};
  const std::size_t whole = a.size() / kStrands * kStrands;
  for (std::size_t i = 0; i < whole; i += kStrands) {
    for (std::size_t k = 0; k < kStrands; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (std::size_t i = whole; i < a.size(); ++i) sums[i - whole] += a[i] * b[i];
  double sum = 0;
  for (double strand : sums) sum += strand;
  return sum;
}

inline double norm(std::span<const double> a) {
  return std::sqrt(dot(a, a));
}

inline bool all_finite(std::span<const double> a) {
  return std::all_of(a.begin(), a.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace knotwork
