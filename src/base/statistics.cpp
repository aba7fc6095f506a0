// SPDX-License-Identifier: MIT
#include <knotwork/statistics.hpp>

#include <cmath>

namespace knotwork {

MeanDeviation mean_deviation(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  MeanDeviation result;
  for (double value : values) result.mean += value / n;
  if (values.size() < 2) return result;
  double squares = 0;
  for (double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  return result;
}

}  // namespace knotwork
