// SPDX-License-Identifier: MIT
// Mean and standard deviation of a list of numbers.
#pragma once

#include <span>

#include <knotwork/api.hpp>

namespace knotwork {

struct MeanDeviation {
  double mean = 0;
  double deviation = 0;  // of a sample: divided by n - 1; 0 for a single value
};
KNOTWORK_API MeanDeviation mean_deviation(std::span<const double> values);

}  // namespace knotwork
