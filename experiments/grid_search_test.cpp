// SPDX-License-Identifier: MIT
#include "experiments/grid_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "experiments/test_support.hpp"

namespace knotwork::experiments {
namespace {

using ::testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(GridSearch, ExponentsAreThePapers) {
  const std::vector<int> printed = grid_exponents(Grid::printed, 1);
  EXPECT_EQ(printed.size(), 16u);
  EXPECT_EQ(printed.front(), -10);
  EXPECT_EQ(printed.back(), 5);
  EXPECT_EQ(grid_exponents(Grid::extended, 1).size(), 26u);
  EXPECT_EQ(grid_folds({.network = "tanh"}), 78u);
  EXPECT_EQ(grid_folds({.network = "spline"}), 2028u);
  EXPECT_EQ(grid_folds({.network = "spline", .grid = Grid::printed}), 768u);
}

TEST(GridSearch, AWiderStepKeepsThePrintedGridInTheExtendedOne) {
  EXPECT_THAT(grid_exponents(Grid::printed, 5), ElementsAre(-10, -5, 0, 5));
  EXPECT_THAT(grid_exponents(Grid::extended, 5), ElementsAre(-20, -15, -10, -5, 0, 5));
  EXPECT_THAT(grid_exponents(Grid::extended, 4), ElementsAre(-18, -14, -10, -6, -2, 2));
}

TEST(GridSearch, FindsTheSameWinnersOnAnyNumberOfThreadsAndEvaluatesOnce) {
  const std::vector<Dataset> datasets = made_datasets();
  const GridTask task{&datasets[0], "spline", 1, Grid::extended, 10, 5};
  Study study = open_study("");
  Counter first;
  Tally tally(first.watch, grid_folds(task));
  const auto result = search_grid(task, study, 1, tally);
  ASSERT_TRUE(result);
  EXPECT_EQ(first.trained, 27u);
  double best = kInfinity, best_printed = kInfinity;
  for (const TrialRecord& trial : study.trials(study.scopes().at(0))) {
    best = std::min(best, trial.mean);
    const bool is_printed =
        std::all_of(trial.setting.begin(), trial.setting.end(),
                    [](const auto& option) { return std::stod(option.second) >= 0x1p-10; });
    if (is_printed) best_printed = std::min(best_printed, trial.mean);
  }
  EXPECT_EQ(result->extended->nrmse, best);
  EXPECT_EQ(result->printed.nrmse, best_printed);
  EXPECT_GE(result->printed.lambda_w, -10);
  EXPECT_GE(result->printed.lambda_q, -10);

  Counter again;
  Tally same(again.watch, 27);
  ASSERT_TRUE(search_grid(task, study, 1, same));
  EXPECT_EQ(again.trained, 0u);

  // The printed grid alone has the same trials, so nothing is trained for it.
  GridTask smaller = task;
  smaller.grid = Grid::printed;
  const auto printed = search_grid(smaller, study, 1, same);
  ASSERT_TRUE(printed);
  EXPECT_EQ(again.trained, 0u);
  EXPECT_FALSE(printed->extended);
  EXPECT_EQ(printed->printed.nrmse, best_printed);

  Study other = open_study("");
  const auto threads = search_grid(task, other, 3, tally);
  ASSERT_TRUE(threads);
  EXPECT_EQ(threads->extended->nrmse, result->extended->nrmse);
  EXPECT_EQ(threads->printed.lambda_w, result->printed.lambda_w);
  EXPECT_EQ(threads->printed.lambda_q, result->printed.lambda_q);
}

}  // namespace
}  // namespace knotwork::experiments
