// SPDX-License-Identifier: MIT
// Numbers over several splits, put together.
#pragma once

#include <span>

namespace knotwork::experiments {

struct MeanDeviation {
  double mean = 0;
  double deviation = 0;  // of a sample: divided by n - 1; 0 for a single value
};
MeanDeviation summarise(std::span<const double> values);

// Training and test error, both as NRMSE.
struct Errors {
  MeanDeviation train;
  MeanDeviation test;
};

// Whether our mean, rounded to the two digits that the paper prints, lies within one of the paper's
// deviations of the paper's mean.
bool agrees(const MeanDeviation& ours, const MeanDeviation& paper);

double median(std::span<const double> values);

}  // namespace knotwork::experiments
