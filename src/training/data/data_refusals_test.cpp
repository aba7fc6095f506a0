// SPDX-License-Identifier: MIT
// Tests that training refuses samples from memory whose parts do not fit together, and models that
// a program assembled wrongly, with a sentence that says what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "training/run/test_trainings.hpp"

#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kRows = 12;

class DataRefusals : public ::testing::Test {
 protected:
  DataRefusals() {
    for (std::size_t r = 0; r < kRows; ++r) {
      inputs_.push_back(static_cast<double>(r * 5 % 7));
      targets_.push_back(static_cast<double>(r % 3));
    }
    options_.hidden = {2};
    options_.iterations = 1;
    options_.threads = 1;
  }

  TrainingData data() const {
    TrainingData data;
    data.inputs = column_major(std::span<const double>(inputs_), kRows, 1);
    data.targets = column_major(std::span<const double>(targets_), kRows, 1);
    return data;
  }
  static std::string refusal(ErrorKind kind, const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "nothing was wrong";
    return "";
  }
  // The refusal of training on the data after a change.
  std::string refused(const std::function<void(TrainingData&)>& change) const {
    TrainingData changed = data();
    change(changed);
    return refusal(ErrorKind::bad_data, [&] { train(changed, options_); });
  }

  std::vector<double> inputs_, targets_;
  TrainOptions options_;
};

TEST_F(DataRefusals, TheDataAsItIsIsTaken) {
  EXPECT_NO_THROW(train(data(), options_));
}

TEST_F(DataRefusals, PartsOfDifferentLengths) {
  const std::vector<double> two(2, 1.0);
  EXPECT_THAT(refused([&](TrainingData& d) { d.weights = two; }),
              HasSubstr("There are 12 rows but 2 sample weights."));
  EXPECT_THAT(refused([&](TrainingData& d) { d.groups = two; }),
              HasSubstr("There are 12 rows but groups for 2."));
  EXPECT_THAT(refused([&](TrainingData& d) {
                d.targets = column_major(std::span<const double>(two), 2, 1);
              }),
              HasSubstr("There are 12 rows of inputs but 2 rows of targets."));
  EXPECT_THAT(refused([&](TrainingData& d) {
                d.targets = column_major(std::span<const double>(targets_).first(0), kRows, 0);
              }),
              HasSubstr("at least one input column and one target column"));
  const std::vector<std::size_t> rows = {0, 1, 2}, folds = {0, 1};
  EXPECT_THAT(refusal(ErrorKind::bad_data, [&] { fold_partition(rows, folds, 0); }),
              HasSubstr("There are 3 rows, but fold numbers for 2 rows."));
}

TEST_F(DataRefusals, WhatExcludesEachOther) {
  EXPECT_THAT(refused([&](TrainingData& d) {
                d.groups = targets_;
                d.in_time_order = true;
              }),
              HasSubstr("by time or by groups, not by both"));
}

TEST_F(DataRefusals, NumbersThatAreNoClasses) {
  for (const double wrong : {-1.0, 3.0, 0.5}) {
    targets_[4] = wrong;
    EXPECT_THAT(refused([](TrainingData& d) {
                  d.classes = {"a", "b", "c"};
                }),
                HasSubstr("it must be the number of a class, from 0 to 2"))
        << wrong;
  }
}

TEST_F(DataRefusals, AModelWithoutQuantilesCannotGoOnWithThem) {
  const Model start = train(data(), options_);
  options_.loss = "quantile";
  EXPECT_THAT(
      refusal(ErrorKind::bad_option, [&] { train(data(), {}, options_, {.start = lent(start)}); }),
      HasSubstr("The loss is quantile, but the model to start from predicts no quantiles of 'y'."));
}

TEST_F(DataRefusals, ModelsThatDoNotFitTogether) {
  Model model = train(data(), options_);
  Model other = model;
  options_.hidden = {3};
  other.members.push_back(train(data(), options_).members[0]);
  EXPECT_THAT(refusal(ErrorKind::bad_model, [&] { other.check(); }),
              HasSubstr("its networks have different layers"));
  model.targets[0].quantiles = {0.5};
  EXPECT_NO_THROW(model.check());
  model.targets[0].quantiles = {2};
  EXPECT_THAT(refusal(ErrorKind::bad_model, [&] { model.check(); }),
              HasSubstr("the quantiles or classes of column 'y' are not complete"));
}

TEST_F(DataRefusals, TablesWithTooManyClassesOrWithoutAGroup) {
  std::string text = "x,group,y\n";
  for (int r = 0; r < 3000; ++r) {
    text += std::to_string(r % 7) + "," + (r == 5 ? "" : std::to_string(r % 4)) + "," +
            std::to_string(r % 1500) + "\n";
  }
  const Table table = parse_csv(text, "t.csv");
  TableTask classes;
  classes.kind = TaskKind::classification;
  EXPECT_THAT(refusal(ErrorKind::bad_data, [&] { PreparedData(table, classes, 0); }),
              HasSubstr("column has too many different numbers, but classes must be from 2"));
  TableTask groups;
  groups.group_column = "group";
  groups.test_fraction = 0.3;
  EXPECT_THAT(
      refusal(ErrorKind::bad_data, [&] { PreparedData(table, groups, 0); }),
      HasSubstr("line 7, column 2 ('group'): the cell is missing, but every row needs its"));
}

TEST_F(DataRefusals, OptionsBeyondTheirLimits) {
  TrainOptions options = options_;
  options.ensemble = kMaxMembers + 1;
  EXPECT_THAT(refusal(ErrorKind::bad_option, [&] { check(options); }),
              HasSubstr("ensemble must be from 1 to 1000, not 1001."));
  options = options_;
  options.snapshots = kMaxSnapshots + 1;
  EXPECT_THAT(refusal(ErrorKind::bad_option, [&] { check(options); }),
              HasSubstr("snapshots must be at most 1000, not 1001."));
}

}  // namespace
}  // namespace knotwork::training
