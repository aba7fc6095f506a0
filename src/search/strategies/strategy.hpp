// SPDX-License-Identifier: MIT
// How a search goes on: waves of settings, each decided from the scores of those before.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <knotwork/search.hpp>

namespace knotwork::searching {

struct Candidate {
  Setting setting;
  std::size_t order = 0;  // of equals the lower one wins
};
struct Wave {
  double budget = 1;
  std::vector<Candidate> candidates;  // none: the search is at its end
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Given the mean scores of the wave before, in its order; none for the first.
  virtual Wave next(const std::vector<double>& means) = 0;
};

// The one that the options name. Throws bad_option if the space is too large for it.
std::unique_ptr<Strategy> make_strategy(const SearchOptions& options);

std::unique_ptr<Strategy> make_grid(const SearchOptions& options);
std::unique_ptr<Strategy> make_refine(const SearchOptions& options);
std::unique_ptr<Strategy> make_random(const SearchOptions& options);
std::unique_ptr<Strategy> make_halving(const SearchOptions& options);

}  // namespace knotwork::searching
