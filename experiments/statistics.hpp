// SPDX-License-Identifier: MIT
// This header compares and combines results over several splits.
#pragma once

#include <span>

#include <knotwork/comparison.hpp>

namespace knotwork::experiments {

// Training and test error, both as NRMSE.
struct Errors {
  MeanDeviation train;
  MeanDeviation test;
};

// Whether our mean, rounded to the two digits that the paper prints, is within one of the paper's
// standard deviations of the paper's mean.
bool agrees(const MeanDeviation& ours, const MeanDeviation& paper);

double median(std::span<const double> values);

}  // namespace knotwork::experiments
