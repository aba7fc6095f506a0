// SPDX-License-Identifier: MIT
#include <algorithm>

#include <knotwork/search.hpp>

#include "base/fail.hpp"
#include "search/strategies/grid.hpp"
#include "search/strategies/numbers.hpp"
#include "search/strategies/strategy.hpp"

namespace knotwork {

using namespace searching;
namespace {

constexpr std::size_t kMaxThreads = 4096;

// A strategy's public entry, with the private function that makes the strategy.
struct MakeableStrategy : StrategyEntry {
  std::unique_ptr<Strategy> (*make)(const SearchOptions&) = nullptr;
};

const NamedTable<MakeableStrategy>& makeable_strategies() {
  static const NamedTable<MakeableStrategy> table(
      "search strategy",
      {{{"grid", "every combination of the values", {}}, make_grid},
       {{"refine", "a coarse grid first, then finer ones around its best point", {}}, make_refine},
       {{"random", "settings drawn at random", {"trials", "seed"}}, make_random},
       {{"halving",
         "settings drawn at random, the best of them with more and more iterations",
         {"trials", "eta", "seed"}},
        make_halving}});
  return table;
}

void check_space(const std::vector<Dimension>& space) {
  if (space.empty()) {
    fail(ErrorKind::bad_option,
         "There is nothing to search; give an option and its values, as in lambda-w=0.001..1.");
  }
  for (auto dimension = space.begin(); dimension != space.end(); ++dimension) {
    if (dimension->values.empty()) {
      fail(ErrorKind::bad_option, "The option {} has no values to try; give at least one.",
           dimension->option);
    }
    const bool twice = std::any_of(space.begin(), dimension, [&](const Dimension& earlier) {
      return earlier.option == dimension->option;
    });
    if (twice) {
      fail(ErrorKind::bad_option,
           "The option {} is searched twice; give all its values at once, separated by '|'.",
           dimension->option);
    }
  }
}

}  // namespace

const StrategyTable& search_strategies() {
  static const StrategyTable table = [] {
    const std::vector<MakeableStrategy>& all = makeable_strategies().entries();
    return StrategyTable("search strategy", {all.begin(), all.end()});
  }();
  return table;
}

std::unique_ptr<Strategy> searching::make_strategy(const SearchOptions& options) {
  return makeable_strategies().at(options.strategy).make(options);
}

void check(const SearchOptions& options) {
  search_strategies().at(options.strategy);
  check_space(options.space);
  check_between("folds", options.folds, 1, kMaxSettings);
  check_between("trials", options.trials, 1, kMaxSettings);
  check_between("eta", options.eta, 2, kMaxSettings);
  check_between("threads", options.threads, 0, kMaxThreads);
  make_strategy(options);  // refuses a space that is too large
}

}  // namespace knotwork
