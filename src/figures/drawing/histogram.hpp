// SPDX-License-Identifier: MIT
// What figures with histograms share.
#pragma once

#include <string>

#include <knotwork/figures.hpp>

namespace knotwork::figures {

bool is_empty(const InputHistogram& bars);
// Refuses one that cannot be drawn; `what` is how the sentence calls it: "The histogram of panel
// 2".
void check_histogram(const InputHistogram& bars, const std::string& what);

double highest(const InputHistogram& bars);
// The highest bar's share of all counts, at most 1; 0 if all counts are.
double share_of_highest(const InputHistogram& bars);

}  // namespace knotwork::figures
