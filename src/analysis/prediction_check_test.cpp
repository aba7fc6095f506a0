// SPDX-License-Identifier: MIT
#include "training/run/test_trainings.hpp"

#include <knotwork/prediction_check.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include <knotwork/builtin_data.hpp>
#include <knotwork/training.hpp>

namespace knotwork::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TrainOptions quick() {
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 20;
  options.threads = 1;
  return options;
}

void expect_same(const Scores& a, const Scores& b) {
  EXPECT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.classes.has_value(), b.classes.has_value());
  ASSERT_EQ(a.pinball.has_value(), b.pinball.has_value());
  EXPECT_EQ(a.to_compare(), b.to_compare());
  if (a.classes) {
    EXPECT_EQ(a.classes->accuracy, b.classes->accuracy);
    EXPECT_EQ(a.classes->auc, b.classes->auc);
    EXPECT_EQ(a.classes->confusion, b.classes->confusion);
    return;
  }
  EXPECT_EQ(a.rmse, b.rmse);
  EXPECT_EQ(a.mae, b.mae);
  EXPECT_EQ(a.r2, b.r2);
}

// A separate table of the given rows.
Table rows_of(const Table& table, const std::vector<std::size_t>& rows) {
  Table part = table;
  part.lines.clear();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    part.columns[c].clear();
    for (const std::size_t row : rows) part.columns[c].push_back(table.columns[c][row]);
  }
  return part;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// A model that copies its input to every output.
Model copying_model(TargetColumn target) {
  Model model;
  const auto identity = builtin_activations().at("identity").make({});
  model.inputs = {{.column = "x"}};
  model.targets = {std::move(target)};
  model.members.push_back(make_network({1, model.outputs()}, identity, identity));
  Network& network = model.members[0];
  for (double& weight : network.values(network.tensor("layers.0.weight"))) weight = 1;
  return model;
}

TEST(PredictionCheck, ScoresAreThoseOfEvaluate) {
  const std::vector<std::size_t> rows = {3, 5, 8, 13, 21, 34, 55, 89};
  const Table friedman = make_builtin("friedman1", 120);
  TrainOptions options = quick();
  options.ensemble = 3;
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    options.precision = precision;
    const Model model = train(friedman, {}, options);
    expect_same(check_predictions(model, friedman).scores, model.evaluate(friedman));
    const PredictionCheck check = check_predictions(model, friedman, rows);
    expect_same(check.scores, model.evaluate(rows_of(friedman, rows)));
    EXPECT_EQ(check.rows, 8u);
    EXPECT_THAT(check.targets, IsEmpty());
    EXPECT_THAT(check.reliability, IsEmpty());
    ASSERT_THAT(check.members, SizeIs(3));
    for (std::size_t m = 0; m < 3; ++m) {
      const Model alone{{model.members[m]}, model.precision, model.inputs, model.targets, {}};
      expect_same(check.members[m], alone.evaluate(rows_of(friedman, rows)));
    }
    EXPECT_NE(check.members[0].rmse, check.members[1].rmse);
  }
  const Table spirals = make_builtin("spirals", 100);
  const Model classes = train(spirals, {}, quick());
  const PredictionCheck check = check_predictions(classes, spirals, rows);
  expect_same(check.scores, classes.evaluate(rows_of(spirals, rows)));
  EXPECT_THAT(check.members, IsEmpty());
  EXPECT_THAT(check.numbers, IsEmpty());
}

TEST(PredictionCheck, SeveralTargetsHaveScoresAndPointsOfTheirOwn) {
  Table table = make_builtin("friedman1", 80);
  TableTask task;
  task.targets = {"y", "x1"};
  for (const char* loss : {"squared", "quantile"}) {
    TrainOptions options = quick();
    options.loss = loss;
    const Model model = train(table, task, options);
    const PredictionCheck check = check_predictions(model, table);
    std::vector<Scores> each;
    expect_same(check.scores, model.evaluate(table, 1, "", &each));
    ASSERT_THAT(check.targets, SizeIs(2));
    EXPECT_EQ(check.targets[1].column, "x1");
    expect_same(*check.targets[0].test, each[0]);
    expect_same(*check.targets[1].test, each[1]);
    EXPECT_FALSE(check.targets[1].train);
    ASSERT_THAT(check.numbers, SizeIs(2));
    EXPECT_EQ(check.numbers[1].truth, table.columns[0]);
    const auto columns = model.predict(table);
    const std::size_t levels = columns.size() / 2;
    EXPECT_THAT(check.numbers[1].levels, SizeIs(levels == 1 ? 0 : 3));
    ASSERT_THAT(check.numbers[1].predicted, SizeIs(levels));
    for (std::size_t level = 0; level < levels; ++level) {
      EXPECT_EQ(check.numbers[0].predicted[level], columns[level]);
      EXPECT_EQ(check.numbers[1].predicted[level], columns[levels + level]);
    }
  }
}

TEST(PredictionCheck, PointsAreDrawnAndResidualsAreOfAllRows) {
  Table table{"made.csv", {"x", "y"}, {{}, {}}};
  for (int r = 0; r < 1000; ++r) {
    table.columns[0].push_back(r);
    table.columns[1].push_back(r + (r % 10));  // residuals 0 .. 9
  }
  const PredictionCheck check = check_predictions(copying_model({"y", {}}), table, {},
                                                  {.most_points = 4, .residual_bins = 3});
  ASSERT_THAT(check.numbers, SizeIs(1));
  const PredictedTarget& y = check.numbers[0];
  EXPECT_EQ(y.column, "y");
  ASSERT_THAT(y.truth, SizeIs(4));
  ASSERT_THAT(y.predicted, ElementsAre(SizeIs(4)));
  for (std::size_t k = 0; k < 4; ++k) {
    const double x = y.predicted[0][k];
    EXPECT_EQ(y.truth[k], x + std::fmod(x, 10));
    if (k > 0) {
      EXPECT_GT(x, y.predicted[0][k - 1]);
    }
  }
  EXPECT_THAT(y.residual_edges, ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(y.residual_counts, ElementsAre(300, 300, 400));
  EXPECT_EQ(check.rows, 1000u);
  EXPECT_EQ(check.scores.rows, 1000u);
}

TEST(PredictionCheck, ResidualsOfQuantilesAreThoseOfTheMiddle) {
  Model model = copying_model({"y", {}, {0.05, 0.4, 0.95}});
  Network& network = model.members[0];
  const auto bias = network.values(network.tensor("layers.0.bias"));
  bias[0] = -1;
  bias[2] = 10;
  const Table table{"made.csv", {"x", "y"}, {{1, 2, 3}, {2, 3, 4}}};
  const PredictionCheck check = check_predictions(model, table);
  EXPECT_THAT(check.numbers[0].predicted,
              ElementsAre(ElementsAre(0, 1, 2), ElementsAre(1, 2, 3), ElementsAre(11, 12, 13)));
  EXPECT_THAT(check.numbers[0].levels, ElementsAre(0.05, 0.4, 0.95));
  EXPECT_NEAR(std::midpoint(check.numbers[0].residual_edges.front(),
                            check.numbers[0].residual_edges.back()),
              1, 1e-12);
  EXPECT_EQ(sum(check.numbers[0].residual_counts), 3);
}

TEST(PredictionCheck, ReliabilityOfTwoClassesIsThatOfTheSecond) {
  Table table{"made.csv", {"x", "y"}, {{}, {}}};
  table.labels = {{}, {"no", "yes"}};
  const auto add = [&](double probability, double label) {
    table.columns[0].push_back(std::log(probability / (1 - probability)));
    table.columns[1].push_back(label);
  };
  add(0.11, 0);
  add(0.15, 1);
  add(0.19, 0);
  add(0.72, 1);
  const PredictionCheck check =
      check_predictions(copying_model({"y", {}, {}, {"no", "yes"}}), table);
  ASSERT_THAT(check.reliability, SizeIs(1));
  EXPECT_EQ(check.reliability[0].label, "yes");
  const auto& bins = check.reliability[0].bins;
  ASSERT_THAT(bins, SizeIs(2));
  EXPECT_NEAR(bins[0].predicted, 0.15, 1e-12);
  EXPECT_NEAR(bins[0].observed, 1.0 / 3, 1e-12);
  EXPECT_EQ(bins[0].rows, 3u);
  EXPECT_NEAR(bins[1].predicted, 0.72, 1e-12);
  EXPECT_EQ(bins[1].observed, 1);
  table.columns[0] = {1000, 1000, -1000, -1000};  // a probability of 1 belongs to the last bin
  const auto certain = check_predictions(copying_model({"y", {}, {}, {"no", "yes"}}), table);
  ASSERT_THAT(certain.reliability[0].bins, SizeIs(2));
  EXPECT_EQ(certain.reliability[0].bins[1].rows, 2u);
}

TEST(PredictionCheck, EveryOneOfThreeClassesHasItsReliability) {
  Table table{"made.csv", {"x", "y"}, {{1, 2, 3, 4}, {0, 0, 2, 1}}};
  table.labels = {{}, {"a", "b", "c"}};
  const PredictionCheck check =
      check_predictions(copying_model({"y", {}, {}, {"c", "b", "a"}}), table);
  ASSERT_THAT(check.reliability, SizeIs(3));
  EXPECT_EQ(check.reliability[0].label, "c");
  ASSERT_THAT(check.reliability[2].bins, SizeIs(1));
  EXPECT_NEAR(check.reliability[2].bins[0].predicted, 1.0 / 3, 1e-12);
  EXPECT_EQ(check.reliability[0].bins[0].observed, 0.25);
  EXPECT_EQ(check.reliability[2].bins[0].observed, 0.5);  // class a: labels are matched by name
}

TEST(PredictionCheck, BitsDoNotDependOnThreads) {
  const Table table = make_builtin("friedman1", 3000);
  TrainOptions options = quick();
  options.iterations = 3;
  const Model model = train(table, {}, options);
  const PredictionCheck one = check_predictions(model, table);
  const PredictionCheck four = check_predictions(model, table, {}, {.threads = 4});
  expect_same(one.scores, four.scores);
  EXPECT_EQ(one.numbers[0].predicted, four.numbers[0].predicted);
  EXPECT_THAT(one.numbers[0].truth, SizeIs(1000));
  EXPECT_EQ(one.numbers[0].truth, four.numbers[0].truth);
}

TEST(PredictionCheck, WhatEvaluateRefusesIsRefused) {
  const auto message = [](const Model& model, const Table& table,
                          std::vector<std::size_t> rows = {},
                          const CheckOptions& options = {}) -> std::string {
    try {
      check_predictions(model, table, rows, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Table holes{"made.csv", {"x", "y"}, {{1, 2, 3}, {1, kNaN, 3}}};
  const Model numbers = copying_model({"y", {}});
  EXPECT_THAT(message(numbers, holes), HasSubstr("row 1, column 2 ('y'): the cell is missing"));
  EXPECT_EQ(message(numbers, holes, {0, 2}), "");
  EXPECT_THAT(message(numbers, holes, {3}), HasSubstr("Row 3 was requested"));
  EXPECT_THAT(message(numbers, {"made.csv", {"x"}, {{1}}}), HasSubstr("no column called 'y'"));
  EXPECT_THAT(message(numbers, holes, {0}, {.bins = 0}), HasSubstr("at least 1 bin"));
  EXPECT_THAT(message(numbers, holes, {0}, {.residual_bins = 0}), HasSubstr("at least 1 bin"));

  Table colours{"made.csv", {"x", "y"}, {{1, 2}, {0, 1}}};
  colours.labels = {{}, {"blue", "pink"}};
  const Model classes = copying_model({"y", {}, {}, {"blue", "red"}});
  EXPECT_THAT(message(classes, colours), HasSubstr("the class 'pink' is not a class of the model"));
  EXPECT_EQ(message(classes, colours, {0}), "");
  EXPECT_THAT(message(numbers, colours), HasSubstr("holds text such as 'blue'"));
}

}  // namespace
}  // namespace knotwork::analysis
