// SPDX-License-Identifier: MIT
// Tests of trainings on texts with many levels and on dates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "parallel/test_ranks.hpp"
#include "training/data/test_sources.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/model_file.hpp>
#include <knotwork/random.hpp>

namespace knotwork::training::encoded_columns_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 5;

// x: a number; city: `texts` texts, of which one in fifty is missing; sold: a date; y = x + an
// effect of the city + an effect of the weekday + noise; or classes of y.
Table sales(std::size_t rows, std::size_t texts, double effect, bool classes = false) {
  Table table{.source = "sales",
              .names = {"x", "city", "sold", "group", "y"},
              .columns = std::vector(5, std::vector<double>(rows)),
              .labels = std::vector<std::vector<std::string>>(5),
              .dates = {false, false, true, false, false}};
  for (std::size_t t = 0; t < texts; ++t) table.labels[1].push_back(fmt::format("city {:06}", t));
  if (classes) table.labels.back() = {"high", "low", "mid"};
  const Random random(kSeed, Purpose::builtin_inputs);
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = random.normal(4 * r);
    const auto city = static_cast<double>(random.below(texts, 4 * r + 1));
    const auto day = static_cast<double>(random.below(700, 4 * r + 2));
    const double y = x + effect * std::sin(city) + effect * (std::fmod(day, 7) < 2 ? 1 : 0) +
                     random.normal(4 * r + 3);
    table.columns[0][r] = x;
    table.columns[1][r] = r % 50 == 7 ? NAN : city;
    table.columns[2][r] = r % 60 == 9 ? NAN : 1.6e9 + 86400 * day;
    table.columns[3][r] = static_cast<double>(r / 3);
    table.columns[4][r] = classes ? (y > 1 ? 0 : y > 0 ? 2 : 1) : y;
  }
  return table;
}

TableTask task_of(bool has_groups = false) {
  TableTask task;
  task.test_fraction = 0.3;
  if (has_groups) {
    task.group_column = "group";
  } else {
    task.drop = {"group"};
  }
  return task;
}

TrainOptions quick() {
  TrainOptions options;
  options.hidden = {6};
  options.iterations = 30;
  options.lambda_curvature = 1e-3;
  return options;
}

TEST(EncodedColumns, BecomeAFewInputs) {
  const Model model = train(sales(600, 200, 1), task_of(), quick());
  std::vector<std::string> names;
  for (const InputColumn& input : model.inputs) names.push_back(input.name());
  EXPECT_THAT(names, ::testing::ElementsAre("x", "city: mean of y", "city: frequency",
                                            "sold: elapsed", "sold: year", "sold: month_sin",
                                            "sold: month_cos", "sold: weekday_sin",
                                            "sold: weekday_cos", "sold missing"));
  EXPECT_THAT(model.training.remarks, ::testing::Contains(HasSubstr("different texts")));
  const Model classes = train(sales(600, 200, 1, true), task_of(), quick());
  EXPECT_EQ(classes.inputs[1].name(), "city: mean of low");
  EXPECT_EQ(classes.inputs[2].name(), "city: mean of mid");
}

TEST(EncodedColumns, HelpWhereTheyMatter) {
  TableTask without = task_of();
  without.drop = {"group", "city", "sold"};
  const Table table = sales(6000, 100, 2);
  const double with_all = train(table, task_of(), quick()).training.test->rmse;
  EXPECT_LT(with_all, 0.75 * train(table, without, quick()).training.test->rmse);
  // The noise is 1, and the means of 42 rows each are not exact.
  EXPECT_LT(with_all, 1.25);
}

// A thousand texts that say nothing, and one text a row.
TEST(EncodedColumns, TextsThatSayNothingDoNotHelp) {
  for (const std::size_t texts : {std::size_t{1000}, std::size_t{1'000'000}}) {
    SCOPED_TRACE(texts);
    Table table = sales(4000, texts, 0);
    if (texts > 4000) {
      // Every row has a text of its own.
      table.labels[1].resize(4000);
      std::iota(table.columns[1].begin(), table.columns[1].end(), 0.0);
    }
    TableTask with = task_of(), without = task_of();
    with.drop = {"group", "sold"};
    with.keep = {"city"};
    without.drop = {"group", "sold", "city"};
    const auto score = [&](const TableTask& task) {
      const PreparedData prepared(table, task, kSeed);
      const auto& rows = prepared.partition().train;
      const std::vector<std::size_t> folds = training_folds(prepared.data(), rows, 5, kSeed);
      double sum = 0;
      for (std::size_t fold = 0; fold < 5; ++fold) {
        sum += validate_fold(prepared.data(), rows, folds, fold, quick()).rmse;
      }
      return sum / 5;
    };
    // The deviation of the score from fold to fold is about 0.02.
    EXPECT_GT(score(with), 0.995 * score(without));
    const double tested = train(table, with, quick()).training.test->rmse;
    EXPECT_NEAR(tested, train(table, without, quick()).training.test->rmse, 0.02);
  }
}

TEST(EncodedColumns, TrainingScoresAreHonest) {
  // With their own targets, rows of rare texts would be predicted too well.
  const Model model = train(sales(3000, 800, 0), task_of(), quick());
  EXPECT_GT(model.training.train->rmse, 0.97);
  EXPECT_NEAR(model.training.train->rmse, model.training.test->rmse, 0.08);
}

class EncodedColumnsOf : public StreamedTraining {};

TEST_F(EncodedColumnsOf, AnySourceAndRanksGiveTheSameBits) {
  for (const bool classes : {false, true}) {
    for (const bool groups : {false, true}) {
      SCOPED_TRACE(fmt::format("classes {}, groups {}", classes, groups));
      Table table = sales(5000, 300, 1, classes);
      table.dates.clear();
      TrainOptions options = quick();
      options.iterations = 4;
      const TableTask task = task_of(groups);
      const Model wanted = train(PreparedData(table, task, kSeed), options);
      const StoredTable file = stored(table);
      const auto check = [&](const Model& found) {
        expect_same(found, wanted);
        for (std::size_t c = 0; c < found.inputs.size(); ++c) {
          EXPECT_EQ(found.inputs[c].values, wanted.inputs[c].values);
          if (!found.inputs[c].has_levels()) continue;
          EXPECT_EQ(found.inputs[c].fill, wanted.inputs[c].fill);
        }
      };
      check(train(PreparedData(file, {}, task, kSeed, nullptr, storage(0)), options));
      for (const std::size_t count : {2, 3}) {
        parallel::run_ranks(count, [&](Ranks& ranks) {
          check(train(PreparedData(file, {}, task, kSeed, nullptr, storage(1 << 20, &ranks)),
                      options));
          check(train(PreparedData(table, task, kSeed, nullptr, &ranks), options));
        });
      }
    }
  }
}

TEST(EncodedColumns, AreKeptInTheModelFile) {
  const Table table = sales(600, 200, 1);
  const Model model = train(table, task_of(), quick());
  EXPECT_EQ(model_format(model), 2);
  const Model again = deserialize(serialize(model), "a model");
  EXPECT_EQ(again.predict(table), model.predict(table));
  EXPECT_EQ(again.parameters_sha256(), model.parameters_sha256());
  ASSERT_EQ(again.inputs.size(), model.inputs.size());
  EXPECT_EQ(again.inputs[1].levels, again.inputs[2].levels) << "the inputs share the texts";
  Table plain = sales(600, 200, 1);
  TableTask numbers = task_of();
  numbers.drop = {"group", "city", "sold"};
  EXPECT_EQ(model_format(train(plain, numbers, quick())), 1);
}

TEST(EncodedColumns, OneHotUpToAStatedNumber) {
  TableTask task = task_of();
  task.drop = {"group", "sold"};
  const auto inputs = [&](std::size_t texts) {
    return train(sales(900, texts, 1), task, quick()).inputs.size();
  };
  EXPECT_EQ(inputs(kOneHotMaxSize), 1 + kOneHotMaxSize);
  EXPECT_EQ(inputs(kOneHotMaxSize + 1), 3u);
  task.one_hot_max_size = 100;
  EXPECT_EQ(inputs(100), 101u);
}

}  // namespace
}  // namespace knotwork::training::encoded_columns_test
