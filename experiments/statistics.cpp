// SPDX-License-Identifier: MIT
#include "experiments/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace knotwork::experiments {

bool agrees(const MeanDeviation& ours, const MeanDeviation& paper) {
  constexpr double kHalfOfADigit = 0.005;  // hundredths are compared as whole numbers
  const double printed = std::round(ours.mean * 100) / 100;
  return std::abs(printed - paper.mean) < paper.deviation + kHalfOfADigit;
}

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace knotwork::experiments
