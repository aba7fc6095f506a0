// SPDX-License-Identifier: MIT
// Counting numbers in bins of one width. What is not finite is left out.
#pragma once

#include <cstddef>
#include <limits>

#include <knotwork/points.hpp>

namespace knotwork::analysis {

// Throws bad_option for none.
void check_bins(std::size_t bins);

// The smallest and the largest of some numbers.
struct Limits {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double value);
};

// From the smallest to the largest; if these are the same to 9 digits, together 1 wide (or, beyond
// 1e9, wider).
InputHistogram empty_histogram(Limits limits, std::size_t bins);
void count(InputHistogram& histogram, double value);

}  // namespace knotwork::analysis
