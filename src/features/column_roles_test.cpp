// SPDX-License-Identifier: MIT
// Tests of realistic tables: text, missing cells, parts chosen in several ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "features/column_roles.hpp"
#include "training/data/data_origin.hpp"
#include "training/data/training_rows.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/training.hpp>

namespace knotwork::features {
namespace {

using namespace training;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

// size: a number with missing cells; colour: text; y = size + 3 * (colour is red).
Table rooms(std::size_t rows = 60) {
  Table table;
  table.source = "rooms.csv";
  table.names = {"size", "colour", "house", "same", "y"};
  table.columns.resize(5);
  table.labels = {{}, {"blue", "red"}, {}, {}, {}};
  for (std::size_t r = 0; r < rows; ++r) {
    const double size = static_cast<double>(r * 7 % 20);
    table.columns[0].push_back(r % 10 == 3 ? kMissing : size);
    table.columns[1].push_back(static_cast<double>(r % 2));
    table.columns[2].push_back(static_cast<double>(r / 6));
    table.columns[3].push_back(1);
    table.columns[4].push_back(size + 3 * static_cast<double>(r % 2));
  }
  return table;
}

TrainOptions quick() {
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 200;
  return options;
}

TEST(TableTask, TextAndMissingCellsBecomeInputs) {
  TableTask task;
  task.drop = {"house"};
  const Model model = train(rooms(), task, quick());
  std::vector<std::string> inputs;
  for (const InputColumn& input : model.inputs) {
    inputs.push_back(input.column + " " + std::string(to_string(input.kind)) + " " +
                     input.category);
  }
  EXPECT_THAT(inputs, ElementsAre("size numeric ", "size missing ", "colour category blue",
                                  "colour category red"));
  EXPECT_THAT(model.training.remarks, ElementsAre(HasSubstr("'same' was left out")));
  EXPECT_LT(model.training.train->nrmse, 0.5);
  EXPECT_EQ(model.inputs[0].low, 0);
  EXPECT_EQ(model.inputs[0].high, 19);

  Table unknown = rooms(4);
  unknown.labels[1] = {"green", "red"};
  const EncodingReport report = EncodedTable(unknown, model.inputs).report();
  EXPECT_THAT(report.columns.at(1).unseen, ElementsAre("green"));
  EXPECT_TRUE(std::isfinite(model.predict(unknown)[0][0]));
}

TEST(TableTask, ColumnsHaveOneUseEach) {
  TableTask task;
  task.targets = {"y"};
  task.drop = {"y"};
  EXPECT_THAT(complaint([&] { train(rooms(), task, quick()); }),
              HasSubstr("'y' cannot be both a target and a column to drop"));
  task.drop = {"house", "house"};
  EXPECT_THAT(complaint([&] { train(rooms(), task, quick()); }), HasSubstr("named twice"));
  task.drop = {"size", "colour", "house", "same"};
  EXPECT_THAT(complaint([&] { train(rooms(), task, quick()); }), HasSubstr("no input column left"));
  task.drop = {};
  task.targets = {"colour"};
  task.kind = TaskKind::regression;
  EXPECT_THAT(complaint([&] { train(rooms(), task, quick()); }),
              HasSubstr("('colour'): the column holds text such as 'blue'"));
  task.kind.reset();
  task.targets = {"size"};
  task.require_target = true;
  EXPECT_THAT(complaint([&] { train(rooms(), task, quick()); }),
              HasSubstr("rooms.csv, row 3, column 1 ('size'): the cell is missing"));
}

TEST(TableTask, GroupsAreNeverParted) {
  TableTask task;
  task.test_fraction = 0.3;
  task.group_column = "house";
  const Table table = rooms();
  const PreparedData prepared(table, task, 1);
  std::set<double> train, test;
  for (std::size_t r : prepared.partition().train) train.insert(table.columns[2][r]);
  for (std::size_t r : prepared.partition().test) test.insert(table.columns[2][r]);
  EXPECT_EQ(train.size() + test.size(), 10u) << "no house in both";
  EXPECT_EQ(prepared.partition().test.size(), 18u);
  for (const InputColumn& input : prepared.data().origin->encoding) {
    EXPECT_NE(input.column, "house");
  }

  const TrainingData data = prepared.data();
  const auto& rows = prepared.partition().train;
  const auto folds = training_folds(data, rows, 3, 5);
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (data.groups[rows[a]] == data.groups[rows[b]]) {
        EXPECT_EQ(folds[a], folds[b]);
      }
    }
  }
}

TEST(TableTask, LastRowsAndClasses) {
  TableTask task;
  task.test_fraction = 0.25;
  task.test_last = true;
  EXPECT_EQ(PreparedData(rooms(), task, 1).partition().test.front(), 45u);
  task.test_last = false;
  task.stratify_column = "colour";
  const Table table = rooms();
  const PreparedData prepared(table, task, 1);
  double red = 0;
  for (std::size_t r : prepared.partition().test) red += table.columns[1][r];
  EXPECT_NEAR(red, 7.5, 0.51);
}

TEST(TableTask, WhatIsHeldOutFollowsTheOrderOfTime) {
  TableTask task;
  task.test_fraction = 0.25;
  task.test_last = true;
  const PreparedData prepared(rooms(), task, 1);
  const std::vector<std::size_t>& rows = prepared.partition().train;
  const std::vector<std::size_t> folds = training_folds(prepared.data(), rows, 3, 1);
  EXPECT_TRUE(std::is_sorted(folds.begin(), folds.end()));
  for (std::size_t fold : {0u, 1u, 2u}) {
    EXPECT_EQ(std::count(folds.begin(), folds.end(), fold), 15);
  }
  EXPECT_THROW(training_folds(prepared.data(), rows, 46, 1), Error);
  TrainOptions options = quick();
  options.validation_fraction = 0.2;
  const training::TrainingRows all(prepared.data(), prepared.partition());
  const auto divided = all.divide(options);
  EXPECT_THAT(list_of(divided->rows(training::Part::validation)),
              ElementsAre(36, 37, 38, 39, 40, 41, 42, 43, 44));
}

TEST(TableTask, RemarksOnATestPartThatIsNotAsAskedFor) {
  TableTask task;
  task.drop = {"same"};
  task.test_fraction = 0.3;
  task.group_column = "house";
  Table table = rooms();
  EXPECT_THAT(PreparedData(table, task, 1).remarks(), IsEmpty());
  for (std::size_t r = 0; r < 60; ++r) table.columns[2][r] = r < 30 ? 0 : 1;
  EXPECT_THAT(PreparedData(table, task, 1).remarks(),
              ElementsAre(HasSubstr("has 50 % of the rows, not 30 %")));
  task.group_column = "";
  task.stratify_column = "house";
  EXPECT_THAT(PreparedData(table, task, 1).remarks(), IsEmpty());
  for (std::size_t r = 0; r < 60; ++r) table.columns[2][r] = std::sin(static_cast<double>(r));
  EXPECT_THAT(PreparedData(table, task, 1).remarks(),
              ElementsAre(HasSubstr("60 different values in 60 rows")));
}

TEST(TableTask, AModelThatIsFarOffIsRemarkedOn) {
  Table table = rooms();
  for (std::size_t r = 45; r < 60; ++r) table.columns[4][r] += 1e4;
  TableTask task;
  task.drop = {"same"};
  task.test_fraction = 0.25;
  task.test_last = true;
  EXPECT_THAT(train(table, task, quick()).training.remarks,
              ElementsAre(HasSubstr("far worse than always predicting the mean (NRMSE ")));
}

TEST(TableTask, SeveralTargetsAreScoredOneByOneToo) {
  const Table table = rooms(), second = rooms(40);
  TableTask task;
  task.targets = {"y", "house"};
  task.test_fraction = 0.25;
  Model model = train(table, task, quick());
  ASSERT_EQ(model.training.target_scores.size(), 2u);
  EXPECT_EQ(model.training.target_scores[1].column, "house");
  const Scores &y = *model.training.target_scores[0].test,
               &house = *model.training.target_scores[1].test;
  EXPECT_NEAR((y.mae + house.mae) / 2, model.training.test->mae, 1e-12);
  EXPECT_NE(y.mae, house.mae);
  EXPECT_FALSE(model.training.target_scores[0].validation);
  task.test_fraction = 0;
  task.test_data = std::make_shared<Table>(second);
  model = train(table, task, quick());
  std::vector<Scores> each;
  model.evaluate(second, 1, "", &each);
  EXPECT_EQ(model.training.target_scores[0].test->rmse, each.at(0).rmse);
  EXPECT_EQ(model.training.target_scores[0].test->rows, 40u);
  task.targets = {"y"};
  EXPECT_TRUE(train(table, task, quick()).training.target_scores.empty());
}

TEST(TableTask, WaysToChooseTheTestPartExcludeEachOther) {
  const Table table = rooms();
  TableTask task;
  task.test_rows = {1, 2};
  task.test_fraction = 0.3;
  EXPECT_THAT(complaint([&] { task.check(); }), HasSubstr("no share of the rows"));
  task.test_fraction = 0;
  task.test_data = std::make_shared<Table>(table);
  EXPECT_THAT(complaint([&] { task.check(); }), HasSubstr("not both"));
  TableTask both;
  both.group_column = "house";
  both.stratify_column = "colour";
  EXPECT_THAT(complaint([&] { both.check(); }), HasSubstr("by groups or by classes"));
  both.stratify_column = "";
  both.test_last = true;
  EXPECT_THAT(complaint([&] { both.check(); }), HasSubstr("last rows"));
}

TEST(TableTask, ASecondTableIsTheTestPart) {
  const Table table = rooms(), second = rooms(40);
  TableTask task;
  task.test_data = std::make_shared<Table>(second);
  const Model model = train(table, task, quick());
  EXPECT_EQ(model.training.train->rows, 60u);
  EXPECT_EQ(model.training.test->rows, 40u);
  EXPECT_EQ(model.training.test->rmse, model.evaluate(second).rmse);
}

TEST(TableTask, TheSecondTableIsCheckedBeforeTraining) {
  const Table table = rooms();
  Table second = rooms(20);
  second.columns[4][3] = kMissing;
  TableTask task;
  task.require_target = true;
  task.test_data = std::make_shared<Table>(second);
  EXPECT_THAT(complaint([&] { PreparedData(table, task, 1); }),
              HasSubstr("row 3, column 5 ('y'): the cell is missing"));
}

TEST(TableTask, ATextThatTheTrainingRowsDoNotHaveCountsAsNone) {
  const Table table = rooms();
  const PreparedData prepared(table, {}, 1);
  Partition partition;  // blue rows only
  for (std::size_t r = 0; r < 60; ++r) (r % 2 == 0 ? partition.train : partition.test).push_back(r);
  const Model model = train(prepared.data(), partition, quick());
  Table unseen = table;
  unseen.labels[1] = {"blue", "zinc"};
  EXPECT_EQ(model.predict(table)[0], model.predict(unseen)[0]);
}

TEST(CrossValidation, ScoresAFoldByTheRestOfTheRows) {
  const Table table = rooms();
  const PreparedData prepared(table, {}, 1);
  const TrainingData data = prepared.data();
  const auto& rows = prepared.partition().train;
  const auto folds = training_folds(data, rows, 3, 1);
  const Scores scores = validate_fold(data, rows, folds, 1, quick());
  EXPECT_EQ(scores.rows, 20u);
  Partition by_hand;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    (folds[k] == 1 ? by_hand.test : by_hand.train).push_back(rows[k]);
  }
  EXPECT_EQ(scores.rmse, train(data, by_hand, quick()).training.test->rmse);
  EXPECT_THROW(validate_fold(data, rows, folds, 3, quick()), Error);
}

TEST(NumericInput, IsOfAColumnOfNumbersAlone) {
  const auto levels = std::make_shared<const std::vector<std::string>>(1, "a");
  const std::vector<InputColumn> inputs = {
      {.column = "model", .kind = InputKind::frequency, .levels = levels, .values = {0}},
      {.column = "sold", .kind = InputKind::date, .part = DatePart::elapsed},
      {.column = "sold", .kind = InputKind::missing},
      {.column = "gap", .kind = InputKind::missing},
      {.column = "size", .kind = InputKind::missing},
      {.column = "size"}};
  const auto refusal = [&](const std::string& column) -> std::string {
    try {
      numeric_input(inputs, column);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(numeric_input(inputs, "size"), 5u);
  EXPECT_THAT(refusal("model"), HasSubstr("column 'model', whose cells are texts; choose"));
  EXPECT_THAT(refusal("sold"), HasSubstr("'sold', whose dates become several inputs; choose"));
  EXPECT_THAT(refusal("gap"), HasSubstr("sees only whether cells are missing; choose"));
  EXPECT_THAT(refusal("sie"), HasSubstr("did you mean 'size'"));
}

}  // namespace
}  // namespace knotwork::features
