// SPDX-License-Identifier: MIT
#include "training/run/test_trainings.hpp"

#include <knotwork/inspection.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <knotwork/builtin_data.hpp>
#include <knotwork/random.hpp>
#include <knotwork/training.hpp>

namespace knotwork::analysis {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// A model whose outputs are exact sums of weights times inputs: weights[output * inputs + input].
Model linear_model_of(std::vector<InputColumn> inputs, const std::vector<double>& weights,
                      std::vector<TargetColumn> targets = {{"y", {}}}) {
  Model model;
  model.inputs = std::move(inputs);
  model.targets = std::move(targets);
  const auto identity = builtin_activations().at("identity").make({});
  model.members.push_back(make_network({model.inputs.size(), model.outputs()}, identity, identity));
  Network& network = model.members[0];
  std::copy(weights.begin(), weights.end(),
            network.values(network.tensor("layers.0.weight")).begin());
  return model;
}

Table two_columns() {
  return {"made.csv", {"x", "z"}, {{1, 2, 3, 4, 6}, {10, 20, 30, 40, 0}}};
}

// The same means, computed from tables in which every cell of the column is overwritten.
std::vector<std::vector<double>> by_hand(const Model& model, Table table, const std::string& column,
                                         double value) {
  auto& cells = table.columns[table.index_of(column)];
  std::fill(cells.begin(), cells.end(), value);
  return model.predict(table);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TrainOptions quick_options() {
  TrainOptions options;
  options.hidden = {6};
  options.iterations = 30;
  options.threads = 1;
  return options;
}

TEST(PartialDependence, OfALinearModelIsALineAndItsCurvesAreParallel) {
  const Model model = linear_model_of({{.column = "x"}, {.column = "z"}}, {3, -1});
  const PartialDependence result = partial_dependence(model, two_columns(), "x");
  EXPECT_EQ(result.column, "x");
  EXPECT_THAT(result.places, ElementsAre(1, 2, 3, 4, 6));
  EXPECT_THAT(result.categories, IsEmpty());
  EXPECT_EQ(result.rows, 5u);
  EXPECT_EQ(result.shown, 0u);
  ASSERT_THAT(result.means, SizeIs(1));
  EXPECT_THAT(result.means[0], ElementsAre(3 - 20, 6 - 20, 9 - 20, 12 - 20, 18 - 20));
  ASSERT_THAT(result.curves, SizeIs(5));
  EXPECT_THAT(result.curves[0], ElementsAre(3 - 10, 6 - 10, 9 - 10, 12 - 10, 18 - 10));
  EXPECT_THAT(result.curves[4], ElementsAre(3, 6, 9, 12, 18));
  const PartialDependence other = partial_dependence(model, two_columns(), "z");
  EXPECT_THAT(other.places, ElementsAre(0, 10, 20, 30, 40));
  EXPECT_THAT(other.means[0], ElementsAre(9.6, -0.4, -10.4, -20.4, -30.4));
}

TEST(PartialDependence, ShowsMissingCellsOfNumbersWithAnIndicator) {
  InputColumn x{.column = "x"};
  x.fill = 2;
  const Model model = linear_model_of(
      {x, {.column = "x", .kind = InputKind::missing}, {.column = "z"}}, {3, 50, -1});
  const PartialDependence result = partial_dependence(model, two_columns(), "x");
  EXPECT_THAT(result.means[0], ElementsAre(3 - 20, 6 - 20, 9 - 20, 12 - 20, 18 - 20));
  EXPECT_THAT(result.missing, ElementsAre(3 * 2 + 50 - 20));
  EXPECT_THAT(partial_dependence(model, two_columns(), "z").missing, IsEmpty());
}

TEST(PartialDependence, ShowsMissingCellsThatTheRowsHave) {
  InputColumn x{.column = "x"};
  x.fill = 2;
  const Model model = linear_model_of({x, {.column = "z"}}, {3, -1}, {{"y", {}}});
  Table table = two_columns();
  EXPECT_THAT(partial_dependence(model, table, "x").missing, IsEmpty());
  table.columns[0][1] = kMissing;
  EXPECT_THAT(partial_dependence(model, table, "x").missing, ElementsAre(3 * 2 - 20));
  const std::vector<std::size_t> others = {0, 2};
  EXPECT_THAT(partial_dependence(model, table, "x", others).missing, IsEmpty());
  // Texts: a missing cell is none of them.
  Table colours{"made.csv", {"c"}, {{0, 1, kMissing}}, {{"blue", "red"}}};
  const Model texts =
      linear_model_of({{.column = "c", .kind = InputKind::category, .category = "blue"},
                       {.column = "c", .kind = InputKind::category, .category = "red"}},
                      {5, 7}, {{"y", {}}, {"z", {}}});
  EXPECT_EQ(partial_dependence(texts, colours, "c").missing.size(), 2u);
  EXPECT_EQ(partial_dependence(texts, colours, "c").missing[0], 0);
}

// What the model predicts for a table in which the cell is missing everywhere.
TEST(PartialDependence, OfMissingCellsIsWhatOverwrittenTablesGive) {
  Table table = make_builtin("friedman1", 200);
  for (std::size_t r = 0; r < 200; r += 6) table.columns[1][r] = kMissing;
  TrainOptions options = quick_options();
  options.input_splines = 3;
  const Model model = train(table, {}, options);
  const PartialDependence result = partial_dependence(model, table, "x2");
  ASSERT_THAT(result.missing, SizeIs(1));
  EXPECT_NEAR(result.missing[0], mean(by_hand(model, table, "x2", kMissing)[0]), 1e-12);
}

TEST(PartialDependence, IsWhatOverwrittenTablesGive) {
  const Table table = make_builtin("friedman1", 150);
  TrainOptions options = quick_options();
  options.ensemble = 2;
  options.scale_inputs = ScalingKind::quantile;
  const Model model = train(table, {}, options);
  const PartialDependence result =
      partial_dependence(model, table, "x2", {}, {.most_places = 7, .most_curves = 150});
  ASSERT_THAT(result.places, SizeIs(7));
  EXPECT_TRUE(std::is_sorted(result.places.begin(), result.places.end(), std::less_equal<>()));
  for (std::size_t p = 0; p < 7; ++p) {
    const auto expected = by_hand(model, table, "x2", result.places[p]);
    EXPECT_NEAR(result.means[0][p], mean(expected[0]), 1e-12);
    for (std::size_t r = 0; r < 150; ++r) EXPECT_EQ(result.curves[r][p], expected[0][r]);
  }
}

TEST(PartialDependence, PlacesAreValuesOfTheRowsBothEndsAmongThem) {
  const Random random(2, Purpose::builtin_inputs);
  for (const std::size_t rows : {41u, 100u, 1000u}) {
    Table table{"made.csv", {"x"}, {{}}};
    for (std::size_t r = 0; r < rows; ++r) table.columns[0].push_back(random.normal(r));
    const auto result = partial_dependence(linear_model_of({{.column = "x"}}, {1}), table, "x");
    std::vector<double> sorted = table.columns[0];
    std::sort(sorted.begin(), sorted.end());
    ASSERT_LE(result.places.size(), 40u);
    ASSERT_GE(result.places.size(), 20u);
    EXPECT_EQ(result.places.front(), sorted.front());
    EXPECT_EQ(result.places.back(), sorted.back());
    // About equally many rows lie between two places.
    const double most = std::ceil(static_cast<double>(rows - 1) / 39);
    for (std::size_t p = 0; p < result.places.size(); ++p) {
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), result.places[p]);
      ASSERT_EQ(*at, result.places[p]);
      if (p == 0) continue;
      const auto before = std::lower_bound(sorted.begin(), sorted.end(), result.places[p - 1]);
      EXPECT_LE(at - before, most);
    }
    ASSERT_THAT(result.deciles, SizeIs(9));
    EXPECT_NEAR(result.deciles[4], std::midpoint(sorted[(rows - 1) / 2], sorted[rows / 2]), 1e-15);
  }
}

TEST(PartialDependence, AColumnOfZerosMostlyHasPlacesForTheRest) {
  Table table{"made.csv", {"x"}, {std::vector<double>(900)}};
  for (int r = 0; r < 100; ++r) table.columns[0].push_back(r + 1);
  const auto result = partial_dependence(linear_model_of({{.column = "x"}}, {1}), table, "x", {},
                                         {.most_places = 11});
  EXPECT_THAT(result.places, ElementsAre(0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100));
  EXPECT_THAT(result.deciles, Each(DoubleNear(0, 1)));
}

TEST(PartialDependence, TextsAreThoseThatTheModelKnows) {
  Table table{"made.csv", {"colour", "z"}, {{0, 1, 2, kMissing}, {1, 2, 3, 4}}};
  table.labels = {{"blue", "green", "pink"}, {}};
  std::vector<InputColumn> inputs = {{.column = "colour", .kind = InputKind::category},
                                     {.column = "z"},
                                     {.column = "colour", .kind = InputKind::category}};
  inputs[0].category = "blue";
  inputs[2].category = "red";  // in no row
  const auto result = partial_dependence(linear_model_of(inputs, {5, 1, -3}), table, "colour");
  EXPECT_THAT(result.categories, ElementsAre("blue", "red"));
  EXPECT_THAT(result.places, ElementsAre(0, 1));
  EXPECT_THAT(result.deciles, IsEmpty());
  EXPECT_THAT(result.means[0], ElementsAre(5 + 2.5, -3 + 2.5));
  EXPECT_THAT(result.curves[3], ElementsAre(5 + 4, -3 + 4));
  const auto other = partial_dependence(linear_model_of(inputs, {5, 1, -3}), table, "z");
  EXPECT_THAT(other.means[0], ElementsAre(1 + 1.25, 2 + 1.25, 3 + 1.25, 4 + 1.25));
}

TEST(PartialDependence, OfADateSetsAllPartsTogether) {
  const Table table{.source = "made.csv",
                    .names = {"sold"},
                    .columns = {{0, 86400 * 200.0, kMissing, -86400 * 30.5}},
                    .dates = {true}};
  std::vector<InputColumn> inputs = {
      {.column = "sold", .kind = InputKind::date, .part = DatePart::elapsed},
      {.column = "sold", .kind = InputKind::date, .part = DatePart::month_cos},
      {.column = "sold", .kind = InputKind::missing}};
  inputs[0].fill = inputs[1].fill = 0;
  const auto result = partial_dependence(linear_model_of(inputs, {1, 1000, 1e6}), table, "sold");
  EXPECT_TRUE(result.dates);
  EXPECT_THAT(result.categories, IsEmpty());
  ASSERT_THAT(result.places, ElementsAre(-86400 * 30.5, 0, 86400 * 200.0));
  for (std::size_t p = 0; p < 3; ++p) {
    const double expected = date_part(DatePart::elapsed, result.places[p]) +
                            1000 * date_part(DatePart::month_cos, result.places[p]);
    EXPECT_NEAR(result.means[0][p], expected, 1e-9);
  }
  EXPECT_THAT(result.deciles, SizeIs(9));
}

TEST(PartialDependence, OfManyTextsIsAboutTheMostFrequentOnes) {
  auto levels = std::make_shared<std::vector<std::string>>();
  for (int k = 0; k < 3000; ++k) levels->push_back("t" + std::to_string(10000 + k));
  InputColumn mean{.column = "model",
                   .kind = InputKind::target_mean,
                   .category = "y",
                   .fill = 0,
                   .levels = levels};
  for (int k = 0; k < 3000; ++k) mean.values.push_back(k);
  InputColumn frequency = mean;
  frequency.kind = InputKind::frequency;
  // Text k is in 20 - k rows; "unseen" is in most rows, but the model does not know it.
  Table table{.source = "made.csv", .names = {"model"}, .columns = {{}}};
  table.labels = {{levels->begin(), levels->begin() + 20}};
  table.labels[0].push_back("unseen");
  for (int k = 0; k < 20; ++k) {
    for (int r = k; r < 20; ++r) table.columns[0].push_back(k);
  }
  for (int r = 0; r < 50; ++r) table.columns[0].push_back(20);
  const Model model = linear_model_of({mean, frequency}, {1, 1000});
  const auto result = partial_dependence(model, table, "model");
  EXPECT_EQ(result.texts, 3000u);
  EXPECT_THAT(result.categories, SizeIs(12));
  EXPECT_EQ(result.categories[0], "t10000");
  EXPECT_EQ(result.categories[11], "t10011");
  EXPECT_THAT(result.deciles, IsEmpty());
  for (std::size_t p = 0; p < 12; ++p) {
    EXPECT_EQ(result.places[p], static_cast<double>(p));
    EXPECT_EQ(result.means[0][p], static_cast<double>(p) * 1001);
  }
  // Rows without a known text: the first texts of the model.
  table.columns[0].assign(3, 20);
  EXPECT_EQ(partial_dependence(model, table, "model", {}, {.most_texts = 2}).categories.at(1),
            "t10001");
}

TEST(PartialDependence, OfManyTextsThoseWithTheMostRowsAreShown) {
  Table table{"made.csv", {"colour"}, {{3, 1, 1, 2, 3, 0, kMissing}}};
  table.labels = {{"blue", "green", "pink", "red"}};
  std::vector<InputColumn> inputs;
  for (const std::string& text : table.labels[0]) {
    inputs.push_back({.column = "colour", .kind = InputKind::category, .category = text});
  }
  const Model model = linear_model_of(inputs, {1, 2, 3, 4});
  const auto result = partial_dependence(model, table, "colour", {}, {.most_places = 3});
  EXPECT_THAT(result.categories, ElementsAre("blue", "green", "red"));  // pink ties with blue
  EXPECT_THAT(result.places, ElementsAre(0, 1, 2));
  EXPECT_THAT(result.means[0], ElementsAre(1, 2, 4));
  const auto two = partial_dependence(model, table, "colour", {}, {.most_places = 2});
  EXPECT_THAT(two.categories, ElementsAre("green", "red"));
}

TEST(PartialDependence, MissingCellsAreSetLikeAllOthersAndAreNoPlaces) {
  const Table table{"made.csv", {"x"}, {{1, kMissing, 3, kMissing}}};
  std::vector<InputColumn> inputs = {{.column = "x"}, {.column = "x", .kind = InputKind::missing}};
  inputs[0].fill = 7;
  const auto result = partial_dependence(linear_model_of(inputs, {1, 100}), table, "x");
  EXPECT_THAT(result.places, ElementsAre(1, 3));
  EXPECT_THAT(result.means[0], ElementsAre(1, 3));
  EXPECT_EQ(result.rows, 4u);
  const Table nothing{"made.csv", {"x"}, {{kMissing, kMissing}}};
  const auto empty = partial_dependence(linear_model_of(inputs, {1, 100}), nothing, "x");
  EXPECT_THAT(empty.places, IsEmpty());
  EXPECT_THAT(empty.means, ElementsAre(IsEmpty()));
}

TEST(PartialDependence, ShowsTheSecondOfTwoClassesTheFirstOfThreeAndTheMiddleLevel) {
  const Table table{"made.csv", {"x"}, {{-1, 0, 1}}};
  const auto two = partial_dependence(
      linear_model_of({{.column = "x"}}, {2}, {{"y", {}, {}, {"no", "yes"}}}), table, "x");
  EXPECT_EQ(two.shown, 1u);
  ASSERT_THAT(two.means, SizeIs(2));
  EXPECT_NEAR(two.means[1][2], 1 / (1 + std::exp(-2.0)), 1e-12);
  EXPECT_NEAR(two.means[0][2] + two.means[1][2], 1, 1e-12);
  EXPECT_EQ(two.curves[0][2], two.means[1][2]);

  const auto three = partial_dependence(
      linear_model_of({{.column = "x"}}, {1, 0, -1}, {{"y", {}, {}, {"a", "b", "c"}}}), table, "x");
  EXPECT_EQ(three.shown, 0u);
  ASSERT_THAT(three.means, SizeIs(3));
  EXPECT_GT(three.means[0][2], three.means[0][0]);
  EXPECT_NEAR(three.means[1][1], 1.0 / 3, 1e-12);
  EXPECT_NEAR(three.curves[1][0], three.means[0][0], 1e-15);

  const auto levels = partial_dependence(
      linear_model_of({{.column = "x"}}, {1, 2, 3}, {{"y", {}, {0.1, 0.5, 0.9}}}), table, "x");
  EXPECT_EQ(levels.shown, 1u);
  EXPECT_THAT(levels.means, ElementsAre(ElementsAre(-3, 0, 1), ElementsAre(-2, 0, 2),
                                        ElementsAre(-1, 0, 3)));  // in ascending order
  EXPECT_THAT(levels.curves[0], ElementsAre(-2, 0, 2));

  const auto targets = partial_dependence(
      linear_model_of({{.column = "x"}}, {1, -4}, {{"y1", {}}, {"y2", {}}}), table, "x");
  EXPECT_THAT(targets.means, ElementsAre(ElementsAre(-1, 0, 1), ElementsAre(4, 0, -4)));
}

TEST(PartialDependence, BitsDoNotDependOnThreads) {
  const Table table = make_builtin("friedman1", 300);
  const Model model = train(table, {}, quick_options());
  const auto one = partial_dependence(model, table, "x3");
  const auto four = partial_dependence(model, table, "x3", {}, {.threads = 4});
  EXPECT_EQ(one.means, four.means);
  EXPECT_EQ(one.curves, four.curves);
}

TEST(PartialDependence, DrawsRowsAndCurves) {
  Table table{"made.csv", {"x", "z"}, {{}, {}}};
  for (int r = 0; r < 100; ++r) {
    table.columns[0].push_back(r);
    table.columns[1].push_back(r);
  }
  const Model model = linear_model_of({{.column = "x"}, {.column = "z"}}, {0, 1});
  const std::vector<std::size_t> rows = {0, 1, 2, 3, 50, 51, 52, 53};
  const auto result = partial_dependence(model, table, "x", rows,
                                         {.most_places = 3, .most_rows = 4, .most_curves = 2});
  EXPECT_EQ(result.rows, 4u);
  // The mean is over four different rows, and the curves are of two of them.
  EXPECT_GE(result.means[0][0], 1.5);
  EXPECT_LE(result.means[0][0], 51.5);
  ASSERT_THAT(result.curves, SizeIs(2));
  EXPECT_LT(result.curves[0][0], result.curves[1][0]);
  for (const std::vector<double>& curve : result.curves) {
    EXPECT_THAT(rows, Contains(static_cast<std::size_t>(curve[0])));
    EXPECT_THAT(curve, Each(curve[0]));
  }
  EXPECT_THAT(result.places, ElementsAre(0, 50, 53));  // of all rows
}

TEST(PartialDependence, WhatCannotBeDoneIsRefused) {
  const Model model = linear_model_of({{.column = "x"}, {.column = "z"}}, {1, 1});
  const auto message = [&](const std::string& column, const Table& table,
                           std::vector<std::size_t> rows = {},
                           const DependenceOptions& options = {}) -> std::string {
    try {
      partial_dependence(model, table, column, rows, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("zz", two_columns()),
              HasSubstr("no input column called 'zz'; did you mean 'z'?"));
  EXPECT_THAT(message("x", {"made.csv", {"x"}, {{1, 2}}}), HasSubstr("no column called 'z'"));
  EXPECT_THAT(message("x", two_columns(), {5}), HasSubstr("Row 5 was requested"));
  EXPECT_THAT(message("x", two_columns(), {}, {.most_places = 1}), HasSubstr("at least 2 points"));
  EXPECT_THAT(message("x", two_columns(), {}, {.most_texts = 0}), HasSubstr("at least 1 text"));
  EXPECT_THAT(message("x", two_columns(), {}, {.most_rows = 0}), HasSubstr("at least 1 row"));
}

}  // namespace
}  // namespace knotwork::analysis
