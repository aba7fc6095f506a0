// SPDX-License-Identifier: MIT
// Numbers over several splits, put together.
#pragma once

#include <span>

#include <knotwork/comparison.hpp>

namespace knotwork::experiments {

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
