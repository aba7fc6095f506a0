// SPDX-License-Identifier: MIT
// Tests of what training refuses, with a sentence that names it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(TrainRefusals, WhatCannotBeLearned) {
  using testing::HasSubstr;
  Table table = make_builtin("sinc", 50);
  TableTask task;
  task.targets = {"yy"};
  EXPECT_THAT(complaint([&] { train(table, task, {}); }), HasSubstr("did you mean 'y'"));
  task.targets = {"y"};
  task.weight_column = "y";
  EXPECT_THAT(complaint([&] { train(table, task, {}); }), HasSubstr("both a target"));
  task.weight_column = "";
  task.test_rows = {3, 50};
  EXPECT_THAT(complaint([&] { train(table, task, {}); }), HasSubstr("row 50"));
  task.test_rows = {3, 3};
  EXPECT_THAT(complaint([&] { train(table, task, {}); }), HasSubstr("twice"));
  task.test_rows.clear();
  for (std::size_t r = 1; r < 50; ++r) task.test_rows.push_back(r);
  EXPECT_THAT(complaint([&] { train(table, task, {}); }),
              HasSubstr("1 training row (49 for the test); at least 10"));
  task.test_rows.clear();
  Table flat = table;
  flat.columns.back().assign(50, 7.0);
  EXPECT_THAT(complaint([&] { train(flat, task, {}); }), HasSubstr("nothing to learn"));
  Table broken = table;
  broken.columns.back()[17] = NAN;
  task.require_target = true;
  EXPECT_THAT(complaint([&] { train(broken, task, {}); }),
              HasSubstr("row 17, column 2 ('y'): the cell is missing"));
  task.require_target = false;
  TrainOptions options;
  options.validation_fraction = 0.001;
  EXPECT_THAT(complaint([&] { train(table, task, options); }), HasSubstr("validation-fraction"));
  Table twins = table;
  twins.names = {"y", "y"};
  EXPECT_THAT(complaint([&] { train(twins, {}, {}); }), HasSubstr("are called 'y'"));
  Table ragged = table;
  ragged.columns[0].resize(10);
  EXPECT_THAT(complaint([&] { train(ragged, task, {}); }), HasSubstr("same number of rows"));
  TrainOptions quick;
  quick.iterations = 1;
  const Model model = train(table, task, quick);
  EXPECT_THAT(complaint([&] { model.predict(ragged); }), HasSubstr("same number of rows"));
  Model misfit = model;
  misfit.inputs.emplace_back().column = "more";
  EXPECT_THAT(complaint([&] { misfit.predict(table); }), HasSubstr("2 input columns"));
  task.targets = {"y", "y"};
  EXPECT_THAT(complaint([&] { train(table, task, {}); }), HasSubstr("twice"));
}

TEST(TrainRefusals, PartsAndWeightsThatCannotBe) {
  using testing::HasSubstr;
  const std::vector<double> x = {1, 2, 3, 4, 5, 6}, y = {1, 4, 9, 16, 25, 36};
  std::vector<double> broken = x, weights(6, 1.0);
  broken[5] = NAN;
  TrainingData data;
  data.inputs = column_major(std::span<const double>(x), 6, 1);
  data.targets = column_major(std::span<const double>(y), 6, 1);
  const auto with = [&](std::vector<std::size_t> rows, std::vector<std::size_t> test) {
    return complaint([&] { train(data, Partition{rows, test}, {}); });
  };
  EXPECT_THAT(with({0, 1, 2}, {2, 3}), HasSubstr("Row 2 is listed twice"));
  EXPECT_THAT(with({0, 0, 1}, {}), HasSubstr("Row 0"));
  EXPECT_THAT(with({2, 1, 0}, {}), HasSubstr("out of order"));
  data.weights = weights;
  weights[5] = -1;
  EXPECT_THAT(with({0, 1, 2, 3}, {4, 5}), HasSubstr("weight of row 5"));
  weights[4] = weights[5] = 0;
  EXPECT_THAT(with({0, 1, 2, 3}, {4, 5}), HasSubstr("test on have weight 0"));
  data.weights = {};
  data.inputs = column_major(std::span<const double>(broken), 6, 1);
  EXPECT_THAT(with({0, 1, 2, 3}, {4, 5}), HasSubstr("row 5"));
  data.input_names = {"y"};
  EXPECT_THAT(with({0, 1, 2, 3}, {4}), HasSubstr("'y'"));
}

TEST(TrainRefusals, AModelToStartFromWithOtherColumnsNamesThem) {
  using testing::HasSubstr;
  const std::vector<double> x = {1, 2, 3, 4, 5, 6}, y = {1, 4, 9, 16, 25, 36};
  TrainingData data;
  data.inputs = column_major(std::span<const double>(x), 6, 1);
  data.targets = column_major(std::span<const double>(y), 6, 1);
  TrainOptions quick;
  quick.iterations = 1;
  const Model start = train(data, quick);
  const auto refused = [&] {
    return complaint([&] { train(data, Partition{}, quick, {.start = lent(start)}); });
  };
  data.input_names = {"z"};
  EXPECT_THAT(refused(),
              HasSubstr("The input 1 of the model to start from is 'x1', but the data has 'z'"));
  data.input_names = {"x1"};
  data.target_names = {"w"};
  EXPECT_THAT(refused(), HasSubstr("The target 1 of the model to start from is 'y'"));
}

}  // namespace
}  // namespace knotwork::training
