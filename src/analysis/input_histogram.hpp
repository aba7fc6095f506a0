// SPDX-License-Identifier: MIT
// Histograms with bins of equal width; numbers that are not finite are left out.
#pragma once

#include <cstddef>
#include <limits>

#include <knotwork/points.hpp>

namespace knotwork::analysis {

// Throws bad_option if `bins` is 0.
void check_bins(std::size_t bins);

// The smallest and the largest of some numbers.
struct Limits {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double value);
};

// The bins reach from the smallest to the largest number. If the two agree to 9 digits, all bins
// together have width 1 (or more, beyond 1e9).
InputHistogram empty_histogram(Limits limits, std::size_t bins);
void count(InputHistogram& histogram, double value);

}  // namespace knotwork::analysis
