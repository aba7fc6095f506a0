// SPDX-License-Identifier: MIT
#include "training/run/test_trainings.hpp"

#include <knotwork/inspection.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <knotwork/builtin_data.hpp>
#include <knotwork/comparison.hpp>
#include <knotwork/random.hpp>
#include <knotwork/training.hpp>

namespace knotwork::analysis {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> random_column(std::size_t rows, std::uint64_t seed) {
  const Random random(seed, Purpose::builtin_inputs);
  std::vector<double> column;
  for (std::size_t r = 0; r < rows; ++r) column.push_back(random.normal(r));
  return column;
}

// A model whose output is exactly the sum of weights times inputs.
Model linear_model(std::vector<InputColumn> inputs, const std::vector<double>& weights) {
  Model model;
  const auto identity = builtin_activations().at("identity").make({});
  model.members.push_back(make_network({inputs.size(), 1}, identity, identity));
  Network& network = model.members[0];
  std::copy(weights.begin(), weights.end(),
            network.values(network.tensor("layers.0.weight")).begin());
  model.inputs = std::move(inputs);
  model.targets = {{"y", {}}};
  return model;
}

const ColumnImportance& of(const Importance& importance, const std::string& column) {
  return *std::find_if(importance.columns.begin(), importance.columns.end(),
                       [&](const ColumnImportance& own) { return own.column == column; });
}

std::vector<std::string> names(const Importance& importance) {
  std::vector<std::string> all;
  for (const ColumnImportance& column : importance.columns) all.push_back(column.column);
  return all;
}

TrainOptions quick() {
  TrainOptions options;
  options.hidden = {10};
  options.iterations = 150;
  options.threads = 1;
  return options;
}

TEST(Importance, FindsTheColumnsThatMatterInFriedman1) {
  TableTask task;
  task.test_fraction = 0.3;
  const Model model = train(make_builtin("friedman1", 1500), task, quick());
  const Importance result =
      permutation_importance(model, make_builtin("friedman1", 1000, 7), {}, {.repeats = 5});
  EXPECT_LT(result.score, 0.3);
  EXPECT_EQ(result.rows, 1000u);
  ASSERT_THAT(result.columns, SizeIs(10));
  // 10 x4 has a deviation of 2.9, the sine of x1 x2 one of about 2.8 that x1 and x2 share,
  // 5 x5 and 20 (x3 - 0.5)^2 of 1.4 and 1.5.
  EXPECT_EQ(result.columns[0].column, "x4");
  EXPECT_THAT(result.columns[1].column, AnyOf("x1", "x2"));
  EXPECT_THAT(result.columns[2].column, AnyOf("x1", "x2"));
  EXPECT_THAT(result.columns[3].column, AnyOf("x3", "x5"));
  EXPECT_THAT(result.columns[4].column, AnyOf("x3", "x5"));
  for (std::size_t k = 0; k < 5; ++k) EXPECT_GT(result.columns[k].mean, 0.15);
  for (std::size_t k = 5; k < 10; ++k) EXPECT_LT(std::fabs(result.columns[k].mean), 0.02);
}

// All inputs of a column get the cells of the same row, so that their sum below stays what it is
// for some row.
TEST(Importance, TextsWithValuesAndDatesAreOneColumnEach) {
  const std::size_t rows = 400;
  const auto levels =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"a", "b"});
  InputColumn mean{.column = "model",
                   .kind = InputKind::target_mean,
                   .category = "y",
                   .fill = 0,
                   .levels = levels,
                   .values = {1, -1}};
  InputColumn opposite = mean;
  opposite.kind = InputKind::frequency;
  opposite.values = {-1, 1};
  const InputColumn elapsed{.column = "sold", .kind = InputKind::date};
  InputColumn year = elapsed;
  year.part = DatePart::year;
  // In these rows the year is 1970 and 1971, and the elapsed time 0 and 365 days.
  Table table{.source = "made.csv", .names = {"model", "sold", "y"}, .columns = {{}, {}, {}}};
  table.labels = {{"a", "b"}, {}, {}};
  for (std::size_t r = 0; r < rows; ++r) {
    table.columns[0].push_back(r % 2 == 0 ? 0 : 1);
    table.columns[1].push_back(r % 4 < 2 ? 0 : 365 * 86400.0);
    table.columns[2].push_back(static_cast<double>(r % 3));
  }
  const Importance result = permutation_importance(
      linear_model({mean, elapsed, opposite, year}, {1, 1.0 / 365, 1, -1}), table);
  EXPECT_EQ(result.rows, rows);
  ASSERT_THAT(result.columns, SizeIs(2));
  EXPECT_NEAR(of(result, "model").mean, 0, 1e-9);
  EXPECT_NEAR(of(result, "sold").mean, 0, 1e-9);
}

// If y = x1 + w x2, shuffling x1 leaves an error of variance 2 var(x1).
TEST(Importance, OfALinearModelIsWhatTheoryHas) {
  const std::size_t rows = 2000;
  Table table{"made.csv",
              {"x1", "x2", "x3", "y"},
              {random_column(rows, 1), random_column(rows, 2), random_column(rows, 3), {}}};
  for (std::size_t r = 0; r < rows; ++r) {
    table.columns[3].push_back(table.columns[0][r] + 0.5 * table.columns[1][r]);
  }
  const Model model =
      linear_model({{.column = "x1"}, {.column = "x3"}, {.column = "x2"}}, {1, 0, 0.5});
  const Importance result = permutation_importance(model, table);
  EXPECT_THAT(names(result), ElementsAre("x1", "x2", "x3"));
  EXPECT_EQ(result.score, 0);
  EXPECT_NEAR(of(result, "x1").mean, std::sqrt(2 / 1.25), 0.05);
  EXPECT_NEAR(of(result, "x2").mean, std::sqrt(0.5 / 1.25), 0.03);
  EXPECT_GT(of(result, "x1").deviation, 0);
  EXPECT_LT(of(result, "x1").deviation, 0.1);
  // A column without influence has importance 0, to the last bit.
  EXPECT_EQ(of(result, "x3").mean, 0);
  EXPECT_EQ(of(result, "x3").deviation, 0);
}

TEST(Importance, TextsMoveWithAllTheirInputs) {
  const std::size_t rows = 300;
  Table table;
  table.source = "made.csv";
  table.names = {"colour", "x", "y"};
  table.labels = {{"blue", "green", "red"}, {}, {}};
  table.columns.resize(3);
  const Random random(4, Purpose::builtin_inputs);
  const double effect[] = {-1, 0, 2};
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint64_t colour = random.below(3, r);
    table.columns[0].push_back(r % 17 == 0 ? kNaN : static_cast<double>(colour));
    table.columns[1].push_back(random.normal(1000 + r));
    table.columns[2].push_back((r % 17 == 0 ? 0 : effect[colour]) + table.columns[1][r]);
  }
  std::vector<InputColumn> inputs = {{.column = "colour", .kind = InputKind::category},
                                     {.column = "x"},
                                     {.column = "colour", .kind = InputKind::category}};
  inputs[0].category = "blue";
  inputs[2].category = "red";
  const Model model = linear_model(inputs, {-1, 1, 2});
  const Importance result = permutation_importance(model, table);
  EXPECT_THAT(names(result), ElementsAre("colour", "x"));
  EXPECT_EQ(result.score, 0);
  // Shuffling leaves an error of 2 var(effect), which is 28/9 with equally many rows of each color.
  // If the two inputs were shuffled separately, some rows would be blue and red, and it would be
  // 20/9.
  double mean = 0, square = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const double own = table.columns[2][r] - table.columns[1][r];
    mean += own / rows;
    square += own * own / rows;
  }
  double y_mean = 0, y_square = 0;
  for (const double y : table.columns[2]) {
    y_mean += y / rows;
    y_square += y * y / rows;
  }
  const double expected = std::sqrt(2 * (square - mean * mean) / (y_square - y_mean * y_mean));
  EXPECT_NEAR(of(result, "colour").mean, expected, 0.03);
}

// The model computes y from the indicator alone; if the indicator were not shuffled with the
// column, the column would have no importance.
TEST(Importance, WhatTellsOfMissingCellsMovesAlong) {
  Table table{"made.csv", {"x", "y"}, {{}, {}}};
  for (int r = 0; r < 200; ++r) {
    const bool missing = r % 2 == 0;
    table.columns[0].push_back(missing ? kNaN : 5.0);
    table.columns[1].push_back(missing ? 1 : 0);
  }
  std::vector<InputColumn> inputs = {{.column = "x"}, {.column = "x", .kind = InputKind::missing}};
  inputs[0].fill = 5;
  const Importance result = permutation_importance(linear_model(inputs, {0, 1}), table);
  ASSERT_THAT(result.columns, SizeIs(1));
  EXPECT_EQ(result.score, 0);
  EXPECT_NEAR(result.columns[0].mean, std::sqrt(2.0), 0.1);
}

TEST(Importance, BitsDependOnTheSeedAndNotOnThreads) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = quick();
  options.iterations = 10;
  options.ensemble = 2;
  const Model model = train(table, {}, options);
  ImportanceOptions how;
  how.repeats = 3;
  const auto numbers = [&] {
    std::vector<double> all;
    for (const auto& column : permutation_importance(model, table, {}, how).columns) {
      all.insert(all.end(), {column.mean, column.deviation});
    }
    return all;
  };
  const std::vector<double> one = numbers();
  how.threads = 4;
  EXPECT_EQ(numbers(), one);
  how.threads = 0;
  EXPECT_EQ(numbers(), one);
  how.seed = 1;
  EXPECT_NE(numbers(), one);
}

TEST(Importance, DeviationIsThatOfTheRepeats) {
  const Table table = make_builtin("sinc", 100);
  TrainOptions options = quick();
  options.iterations = 20;
  const Model model = train(table, {}, options);
  // More repeats begin with the same shuffles, so that single shuffles can be computed as
  // differences.
  std::vector<double> single;
  double sum = 0;
  for (std::size_t repeats = 1; repeats <= 4; ++repeats) {
    const auto now = permutation_importance(model, table, {}, {.repeats = repeats});
    const double total = now.columns[0].mean * static_cast<double>(repeats);
    single.push_back(total - sum);
    sum = total;
    EXPECT_NEAR(now.columns[0].deviation, mean_deviation(single).deviation, 1e-12);
  }
  EXPECT_THAT(std::set<double>(single.begin(), single.end()), SizeIs(4));
}

TEST(Importance, TakesTheGivenRowsAndDrawsFromThem) {
  Table table = make_builtin("sinc", 100);
  TrainOptions options = quick();
  options.iterations = 20;
  const Model model = train(table, {}, options);
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < 100; r += 2) rows.push_back(r);
  const Importance even = permutation_importance(model, table, rows);
  EXPECT_EQ(even.rows, 50u);
  for (std::size_t r = 1; r < 100; r += 2) table.columns[1][r] = kNaN;  // rows that are not used
  EXPECT_EQ(permutation_importance(model, table, rows).columns[0].mean, even.columns[0].mean);
  const Importance thin = permutation_importance(model, table, rows, {.most_rows = 10});
  EXPECT_EQ(thin.rows, 10u);
  EXPECT_EQ(permutation_importance(model, table, rows, {.most_rows = 10}).columns[0].mean,
            thin.columns[0].mean);
  EXPECT_NE(permutation_importance(model, table, rows, {.most_rows = 10, .seed = 1}).score,
            thin.score);
}

TEST(Importance, ScoresClassesAndQuantilesAsTheyAreCompared) {
  const Table spirals = make_builtin("spirals", 300);
  TrainOptions options = quick();
  options.iterations = 60;
  const Model classes = train(spirals, {}, options);
  ASSERT_TRUE(classes.classifies());
  const Importance of_classes = permutation_importance(classes, spirals);
  EXPECT_EQ(of_classes.score, classes.evaluate(spirals).classes->log_loss);
  for (const ColumnImportance& column : of_classes.columns) EXPECT_GT(column.mean, 0.1);

  const Table sinc = make_builtin("sinc", 300);
  options.loss = "quantile";
  const Model quantiles = train(sinc, {}, options);
  const Importance of_quantiles = permutation_importance(quantiles, sinc);
  EXPECT_EQ(of_quantiles.score, quantiles.evaluate(sinc).pinball->relative());
  EXPECT_GT(of_quantiles.columns[0].mean, 0.1);
}

TEST(Importance, TargetsThatDoNotVarySayNothing) {
  Table table{"made.csv", {"x", "z", "y"}, {{1, 2, 3}, {1, 2, 3}, {1, 1, 1}}};
  const Importance result =
      permutation_importance(linear_model({{.column = "x"}, {.column = "z"}}, {1, 0}), table);
  ASSERT_THAT(names(result), ElementsAre("x", "z"));
  EXPECT_TRUE(std::isnan(result.columns[0].mean));
}

TEST(Importance, WhatCannotBeDoneIsRefused) {
  const Model model = linear_model({{.column = "x"}}, {1});
  const Table table{"made.csv", {"x", "y"}, {{1, 2, 3}, {1, 2, kNaN}}};
  const auto message = [&](std::vector<std::size_t> rows, const ImportanceOptions& options,
                           const Table& from) -> std::string {
    try {
      permutation_importance(model, from, rows, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({}, {.repeats = 0}, table), HasSubstr("at least 1 repeat"));
  EXPECT_THAT(message({}, {.most_rows = 1}, table), HasSubstr("at least 2 rows to shuffle, not 1"));
  EXPECT_THAT(message({3}, {}, table), HasSubstr("Row 3 was requested"));
  EXPECT_THAT(message({1, 2}, {}, table), HasSubstr("row 2, column 2 ('y')"));
  EXPECT_THAT(message({}, {}, {"made.csv", {"x"}, {{1, 2}}}), HasSubstr("no column called 'y'"));
  EXPECT_THAT(message({}, {}, {"made.csv", {"y"}, {{1, 2}}}), HasSubstr("no column called 'x'"));
}

// Sensors take turns: at equal distances all sampled rows would be of one sensor.
TEST(Importance, APeriodOfTheTableIsNotTakenForAConstant) {
  Table table{.source = "turns", .names = {"sensor", "x", "y"}, .columns = {{}, {}, {}}};
  for (int r = 0; r < 20000; ++r) {
    const double sensor = r % 10, x = std::sin(r);
    table.columns[0].push_back(sensor);
    table.columns[1].push_back(x);
    table.columns[2].push_back(3 * sensor + x);
  }
  TrainOptions options;
  options.hidden = {};
  options.output_activation = "identity";
  TableTask task;
  task.kind = TaskKind::regression;
  const Model model = train(table, task, options);
  const Importance importance = permutation_importance(model, table);
  EXPECT_EQ(importance.rows, 2000u);
  EXPECT_EQ(importance.columns[0].column, "sensor");
  EXPECT_GT(importance.columns[0].mean, 1);
}

TEST(Importance, CountsRowsByTheirWeights) {
  Table table = make_builtin("friedman1", 200);
  table.names.push_back("w");
  table.columns.emplace_back(200, 0.0);
  for (std::size_t r = 0; r < 50; ++r) table.columns.back()[r] = 2;
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 20;
  TableTask task;
  task.targets = {"y"};
  task.weight_column = "w";
  const Model model = train(table, task, options);
  ImportanceOptions weighted;
  weighted.weight_column = "w";
  EXPECT_EQ(permutation_importance(model, table, {}, weighted).score,
            model.evaluate(table, 1, "w").nrmse);
}

}  // namespace
}  // namespace knotwork::analysis
