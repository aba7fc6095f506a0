// SPDX-License-Identifier: MIT
// Settings drawn at random.
#pragma once

#include <vector>

#include "search/strategies/strategy.hpp"

namespace knotwork::searching {

// options.trials different settings, a function of the seed: a value of each list, and a number
// anywhere in each range, to 3 digits. More trials have the fewer ones as their beginning. A space
// that has no more settings than that, lists alone, is taken whole in the order of the grid; one
// that is nearly exhausted by rounding may give a few less.
std::vector<Candidate> draw_settings(const SearchOptions& options);

}  // namespace knotwork::searching
