// SPDX-License-Identifier: MIT
// Random draws of settings for a search.
#pragma once

#include <vector>

#include "search/strategies/strategy.hpp"

namespace knotwork::searching {

// Draws options.trials different settings from the seed: one value of each list, and a number
// anywhere in each range, rounded to 3 digits. A larger number of trials begins with the same
// settings. If a space of lists has no more settings than options.trials, all of them are taken in
// the order of the grid. If rounding leaves few different settings, a few less may be returned.
std::vector<Candidate> draw_settings(const SearchOptions& options);

}  // namespace knotwork::searching
