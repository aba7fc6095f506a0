// SPDX-License-Identifier: MIT
// These functions are shared by the figures with histograms.
#pragma once

#include <string>

#include <knotwork/figures.hpp>

namespace knotwork::figures {

bool is_empty(const InputHistogram& bars);
// Throws for a histogram that cannot be drawn; `what` is its name in the message: "The histogram of
// panel 2".
void check_histogram(const InputHistogram& bars, const std::string& what);

double highest(const InputHistogram& bars);
// The highest bar's share of all counts, at most 1; 0 if all counts are 0.
double share_of_highest(const InputHistogram& bars);

}  // namespace knotwork::figures
