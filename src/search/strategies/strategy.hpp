// SPDX-License-Identifier: MIT
// A search strategy returns waves of settings, each chosen from the scores of the waves before.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <knotwork/search.hpp>

namespace knotwork::searching {

struct Candidate {
  Setting setting;
  std::size_t order = 0;  // of equal candidates the lower order wins
};
struct Wave {
  double budget = 1;
  std::vector<Candidate> candidates;  // none: the search is finished
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // `means` are the mean scores of the previous wave, in its order; empty for the first wave.
  virtual Wave next(const std::vector<double>& means) = 0;
};

// Makes the strategy that the options name. Throws bad_option if the space is too large for it.
std::unique_ptr<Strategy> make_strategy(const SearchOptions& options);

std::unique_ptr<Strategy> make_grid(const SearchOptions& options);
std::unique_ptr<Strategy> make_refine(const SearchOptions& options);
std::unique_ptr<Strategy> make_random(const SearchOptions& options);
std::unique_ptr<Strategy> make_halving(const SearchOptions& options);

}  // namespace knotwork::searching
