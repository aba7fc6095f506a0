// SPDX-License-Identifier: MIT
// Tests that the effect of a missing cell is learned: the weights or input splines of the input
// that says that the cell is missing take the place of a trained value for the cell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "training/run/test_trainings.hpp"

#include <knotwork/random.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kPlanted = 2.5;  // far above everything that a value of x gives

// y = sin(3 x) + z / 2, but 2.5 + z / 2 in the fifth of the rows in which x is missing.
Table planted(std::size_t rows = 600) {
  const Random random(5, Purpose::builtin_inputs);
  Table table{.source = "made.csv", .names = {"x", "z", "y"}, .columns = {}};
  table.columns.assign(3, std::vector<double>(rows));
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = 2 * random.uniform(2 * r) - 1, z = 2 * random.uniform(2 * r + 1) - 1;
    const bool is_missing = r % 5 == 2;
    table.columns[0][r] = is_missing ? kMissing : x;
    table.columns[1][r] = z;
    table.columns[2][r] = (is_missing ? kPlanted : std::sin(3 * x)) + z / 2;
  }
  return table;
}

void expect_planted(const Model& model) {
  Table rows{.source = "new.csv", .names = {"x", "z"}, .columns = {{}, {}}};
  for (int k = -4; k <= 4; ++k) {
    rows.columns[0].push_back(kMissing);
    rows.columns[1].push_back(k / 5.0);
  }
  const std::vector<double> predictions = model.predict(rows)[0];
  for (std::size_t r = 0; r < predictions.size(); ++r) {
    EXPECT_NEAR(predictions[r], kPlanted + rows.columns[1][r] / 2, 0.05) << rows.columns[1][r];
  }
  // What the median alone would give.
  rows.columns[0].assign(rows.columns[1].size(), model.inputs[0].fill);
  EXPECT_LT(model.predict(rows)[0][4], 1);
}

TEST(MissingCells, HaveAnEffectOfTheirOwnThatIsLearned) {
  TrainOptions options;
  options.hidden = {6};
  options.iterations = 300;
  expect_planted(train(planted(), {}, options));
}

TEST(MissingCells, HaveAnEffectOfTheirOwnWithInputSplinesToo) {
  TrainOptions options;
  options.hidden = {6};
  options.iterations = 300;
  options.input_splines = 4;
  expect_planted(train(planted(), {}, options));
}

TEST(MissingCells, AreLearnedByTrainingWithBatches) {
  TrainOptions options;
  options.hidden = {6};
  options.optimizer = "adam";
  options.iterations = 400;
  options.batch = 50;
  options.rate = 0.01;
  expect_planted(train(planted(), {}, options));
}

// Too few rows to learn from: they count as the median.
TEST(MissingCells, OfAtMostAHundredthOfTheRowsCountAsTheMedian) {
  Table table = planted(200);
  for (std::size_t r = 0; r < 200; ++r) table.columns[0][r] = std::sin(static_cast<double>(r));
  table.columns[0][7] = table.columns[0][8] = kMissing;
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 5;
  const Model model = train(table, {}, options);
  ASSERT_EQ(model.inputs.size(), 2u);
  Table one{.source = "new.csv", .names = {"x", "z"}, .columns = {{kMissing}, {0.5}}};
  const double unknown = model.predict(one)[0][0];
  one.columns[0][0] = model.inputs[0].fill;
  EXPECT_EQ(model.predict(one)[0][0], unknown);
}

}  // namespace
}  // namespace knotwork::training
