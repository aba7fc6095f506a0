// SPDX-License-Identifier: MIT
// Folds that ranks evaluate together, in rounds: the first rank says which folds there are, each
// rank evaluates its own side by side, and the scores come back to the first. It alone decides what
// comes next; the others know of a search only what they are told.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include <knotwork/ranks.hpp>
#include <knotwork/search.hpp>

namespace knotwork::searching {

struct FoldOrder {
  Setting setting;
  std::size_t fold = 0;
  double budget = 1;
};

// Nothing for a fold that was given up.
using FoldScores = std::vector<std::optional<FoldScore>>;

class SharedFolds {
 public:
  // All ranks make one at the same time: they tell each other how many folds they evaluate side by
  // side. Refers to `ranks` and `evaluate`.
  SharedFolds(Ranks& ranks, std::size_t threads, const Evaluate& evaluate);

  // How many folds a round can have.
  std::size_t places() const { return doers_.size(); }

  // The first rank's side. The scores in the order of the folds.
  FoldScores evaluate(const std::vector<FoldOrder>& round, std::stop_source& stop);
  // The search is over, for all.
  void end(const SearchResult& result);

  // The other ranks' side: does what the first one says, until it says that the search is over.
  // `folds` is the number of folds of every trial.
  SearchResult serve(std::size_t folds);

 private:
  FoldScores evaluate_own(const std::vector<FoldOrder>& round, std::stop_source& stop) const;
  // Which of so many folds are for the rank.
  std::vector<std::size_t> places_of(std::size_t rank, std::size_t folds) const;

  Ranks& ranks_;
  std::size_t threads_;
  const Evaluate& evaluate_;
  std::vector<std::size_t> doers_;  // the rank for each fold of a round
};

}  // namespace knotwork::searching
