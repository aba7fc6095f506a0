// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>
#include <thread>

#include "training/choose/default_rules.hpp"
#include "training/choose/test_choice.hpp"
#include "training/data/training_rows.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using ::testing::Contains;
using ::testing::SizeIs;

TEST(Automatic, TakesTheBestOfWhatItTried) {
  const Table table = make_builtin("friedman1", 150);
  const Model model = train_automatically(table, with_test_rows(), small_choice_options(), kGiven);
  ASSERT_GE(model.training.tried.size(), 4u);
  const auto best = std::min_element(
      model.training.tried.begin(), model.training.tried.end(),
      [](const TriedSetting& a, const TriedSetting& b) { return a.score < b.score; });
  for (const auto& [option, text] : best->options) EXPECT_EQ(value_of(model, option), text);
  EXPECT_EQ(model.members.size(), 2u);
  EXPECT_EQ(value_of(model, "hidden"), "4");
}

TEST(Automatic, WhatIsGivenStays) {
  const Table table = make_builtin("friedman1", 100);
  TrainOptions options = small_choice_options();
  options.lambda_w = 0.5;
  options.lambda_curvature = 0.25;
  std::vector<std::string> given = kGiven;
  given.insert(given.end(), {"lambda-w", "lambda-curvature"});
  const Model model = train_automatically(table, {}, options, given);
  EXPECT_THAT(model.training.tried, SizeIs(0));
  EXPECT_EQ(value_of(model, "lambda-w"), "0.5");
  EXPECT_EQ(value_of(model, "lambda-curvature"), "0.25");
  given.pop_back();
  const Model chosen = train_automatically(table, {}, options, given);
  EXPECT_THAT(chosen.training.tried, SizeIs(testing::Ge(2u)));
  for (const TriedSetting& tried : chosen.training.tried) EXPECT_THAT(tried.options, SizeIs(1));
}

TEST(Automatic, LargeTablesMayHaveInputSplines) {
  const TrainOptions options;
  const auto input_splines = [&](std::size_t rows, std::size_t inputs,
                                 const std::vector<std::string>& given) {
    std::vector<std::size_t> found;
    for (const Design& design : designs_for(rows, inputs, options, given)) {
      found.push_back(design.options.input_splines);
      EXPECT_NO_THROW(check(design.options));
      for (const OptionAxis& axis : design.axes) {
        EXPECT_EQ(option_field(axis.option).unused_because(design.options), "") << axis.option;
      }
    }
    return found;
  };
  EXPECT_THAT(input_splines(2000, 8, {}), testing::ElementsAre(0));
  EXPECT_THAT(input_splines(2001, 8, {}), testing::ElementsAre(0, 16));
  EXPECT_THAT(input_splines(20000, 20, {"seed", "ensemble"}), testing::ElementsAre(0, 6));
  EXPECT_THAT(input_splines(200000, 500, {}), testing::ElementsAre(0, 2));
  for (const char* asked : {"hidden", "activation", "optimizer", "knots", "lambda-w"}) {
    EXPECT_THAT(input_splines(20000, 8, {asked}), testing::ElementsAre(0)) << asked;
  }
}

// With such an option, a command would otherwise train another model than without it.
TEST(Automatic, WhatConcernsOnlyTimeOrTheRecordLeavesTheDesignsOpen) {
  const auto designs = [](std::vector<std::string> given) {
    return designs_for(2001, 3, TrainOptions{}, given).size();
  };
  ASSERT_EQ(designs({}), 2u);
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.effect == OptionEffect::bits) continue;
    EXPECT_EQ(designs({field.name}), 2u) << field.name;
  }
  EXPECT_EQ(designs({"knots"}), 1u);
}

TEST(Automatic, InputSplinesThatAreAskedForGetQuantiles) {
  TrainOptions options;
  options.input_splines = 4;
  const std::vector<std::string> given = {"input-splines"};
  EXPECT_EQ(options_by_rule(100, options, given).scale_inputs, ScalingKind::uniform);
  const std::vector<Design> designs = designs_for(100, 3, options, given);
  for (const OptionAxis& axis : designs[0].axes) {
    EXPECT_NE(axis.option, "scale-inputs");
  }
}

TEST(Automatic, TheBestOfSeveralDesignsIsTrained) {
  const Table table = make_builtin("sinc", 200);
  const PreparedData prepared(table, with_test_rows(), 0);
  TrainOptions line;
  line.hidden.clear();
  line.output_activation = "identity";
  line.lambda_curvature = 0;
  TrainOptions curve = line;
  curve.input_splines = 3;
  const std::vector<Design> designs = {
      {line, {{"lambda-w", {"0.0001", "0.001"}, {0}}}},
      {curve, {{"lambda-bank", {"1e-06", "1e-05"}, {1}}}},
  };
  const auto train_best = [&](const std::vector<Design>& given) {
    return train_best_design(TrainingRows(prepared.data(), prepared.partition()), given,
                             {3, 1, 1000}, {}, {});
  };
  for (const auto& order : {designs, {designs.rbegin(), designs.rend()}}) {
    const Model model = train_best(order);
    EXPECT_EQ(value_of(model, "input-splines"), "3");
    ASSERT_THAT(model.training.tried, SizeIs(4));
    for (const TriedSetting& tried : model.training.tried) {
      EXPECT_EQ(tried.options.front().first, "input-splines");
    }
    EXPECT_LT(model.training.test->nrmse, 0.5);
  }
}

TEST(Automatic, NothingIsTriedThatHasNoEffect) {
  TrainOptions options = small_choice_options();
  options.activation = "tanh";
  std::vector<std::string> given = kGiven;
  given.push_back("activation");
  const Model model = train_automatically(make_builtin("sinc", 100), {}, options, given);
  for (const TriedSetting& tried : model.training.tried) {
    EXPECT_EQ(tried.options.front().first, "lambda-w");
  }
}

TEST(Automatic, TheTestPartHasNoSay) {
  Table table = make_builtin("friedman1", 150);
  const Model model = train_automatically(table, with_test_rows(), small_choice_options(), kGiven);
  const PreparedData prepared(table, with_test_rows(), 0);
  for (std::size_t r : prepared.partition().test) table.columns.back()[r] = 1e3 * std::sin(r);
  const Model other = train_automatically(table, with_test_rows(), small_choice_options(), kGiven);
  EXPECT_EQ(model.parameters_sha256(), other.parameters_sha256());
}

TEST(Automatic, BitsDoNotDependOnThreads) {
  const Table table = make_builtin("friedman1", 150);
  TrainOptions options = small_choice_options();
  std::string expected;
  for (std::size_t threads : {1u, 2u, 5u}) {
    options.threads = threads;
    const std::string sha =
        train_automatically(table, with_test_rows(), options, kGiven).parameters_sha256();
    if (expected.empty()) expected = sha;
    EXPECT_EQ(sha, expected);
  }
}

TEST(Automatic, TakesNoModelToStartFrom) {
  const Table table = make_builtin("sinc", 60);
  const auto model = std::make_shared<Model>(train(table, {}, small_choice_options()));
  EXPECT_THROW(train_automatically(table, {}, small_choice_options(), kGiven, {.start = model}),
               Error);
}

TEST(Automatic, TheTimeLimitEndsTheChoiceAndIsTold) {
  TrainOptions options = small_choice_options();
  options.threads = 1;
  options.time_limit = 1e-6;
  const Model model =
      train_automatically(make_builtin("friedman1", 150), with_test_rows(), options, kGiven);
  EXPECT_THAT(model.training.remarks,
              Contains(testing::HasSubstr(
                  "after 1 of 12 trainings to compare settings; the usual settings were taken")));
  EXPECT_THAT(model.training.tried, SizeIs(0));
  EXPECT_EQ(value_of(model, "time-limit"), "1e-06");
}

std::string complaint(std::size_t rows, const TrainOptions& options,
                      const std::vector<std::string>& given) {
  try {
    options_by_rule(rows, options, given);
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Rule, OptionsAreCheckedBesideTheOptimizerThatItTakes) {
  TrainOptions options;
  options.batch = 64;
  EXPECT_THAT(
      complaint(500, options, {"batch"}),
      testing::HasSubstr("batch is 64, but the optimizer chosen for 500 training rows is lbfgs"));
  const TrainOptions many = options_by_rule(200'000, options, std::vector<std::string>{"batch"});
  EXPECT_EQ(many.optimizer, "adam");
  EXPECT_EQ(many.batch, 64u);
  EXPECT_EQ(many.iterations, 20u);
  options.batch = 0;
  const TrainOptions whole = options_by_rule(200'000, options, std::vector<std::string>{"batch"});
  EXPECT_EQ(whole.optimizer, "lbfgs") << "all rows at once were asked for";
  EXPECT_EQ(whole.iterations, 200u);
  options.schedule = RateSchedule::cosine;
  EXPECT_THAT(complaint(500, options, {"schedule"}), testing::HasSubstr("for 500 training rows"));
  EXPECT_EQ(complaint(200'000, options, {"schedule"}), "no complaint");
}

TEST(Rule, ALinearModelIsOneNetworkWithoutCurves) {
  TrainOptions options = small_choice_options();
  options.hidden = {};
  const Model model = train_automatically(make_builtin("friedman1", 100), {}, options,
                                          std::vector<std::string>{"hidden", "iterations"});
  EXPECT_EQ(model.members.size(), 1u);
  for (const TriedSetting& tried : model.training.tried) {
    for (const auto& [option, value] : tried.options) EXPECT_NE(option, "lambda-curvature");
  }
}

TEST(Automatic, FewerRowsThanFoldsAreTrainedWithTheUsualOptions) {
  const std::vector<double> x = {0, 1}, y = {1, 3};
  TrainingData data;
  data.inputs = column_major(std::span<const double>(x), 2, 1);
  data.targets = column_major(std::span<const double>(y), 2, 1);
  const Model model = train_automatically(data, {}, small_choice_options(), kGiven);
  EXPECT_THAT(model.training.tried, SizeIs(0));
  EXPECT_THAT(model.training.remarks, Contains(testing::HasSubstr("too few or too uneven")));
}

TEST(Automatic, FoldsInWhichThereIsNothingToLearnAreSurvived) {
  Table table = make_builtin("sinc", 60);
  table.columns.back().assign(60, 0.0);
  table.columns.back()[7] = 1;  // without the fold of this row, all targets are zero
  const Model model = train_automatically(table, {}, small_choice_options(), kGiven);
  EXPECT_THAT(model.training.tried, SizeIs(0));
  EXPECT_THAT(model.training.remarks, Contains(testing::HasSubstr("too few or too uneven")));

  table = make_builtin("sinc", 60);
  table.names.insert(table.names.begin(), "group");
  table.columns.insert(table.columns.begin(), std::vector<double>(60, 0.0));
  for (std::size_t r = 30; r < 60; ++r) table.columns[0][r] = 1;
  TableTask two_groups;
  two_groups.group_column = "group";
  EXPECT_THAT(train_automatically(table, two_groups, small_choice_options(), kGiven).training.tried,
              SizeIs(testing::Ge(4u)))
      << "two groups are two folds";
}

TEST(Automatic, AMisspeltOptionIsRefused) {
  EXPECT_THROW(train_automatically(make_builtin("sinc", 60), {}, small_choice_options(),
                                   std::vector<std::string>{"lambda_w"}),
               Error);
}

// Half of the time is over before the first training has made an iteration. If it were cut short
// each time, runs that are resumed from a checkpoint would never progress.
TEST(Automatic, OneTrainingIsCarriedThroughIfThereIsACheckpoint) {
  using Clock = std::chrono::steady_clock;
  TrainOptions options = small_choice_options();
  options.ensemble = 1;
  options.threads = 1;
  options.time_limit = 2.5;
  const auto later = Clock::now() + std::chrono::milliseconds(1500);
  LossTable losses("loss", {{"late", "", [&](const LossOptions&) {
                               std::this_thread::sleep_until(later);
                               return builtin_losses().at("squared").make({});
                             }}});
  options.loss = "late";
  options.losses = std::make_shared<LossTable>(losses);
  std::size_t kept = 0;
  Checkpoints checkpoints([&](const TrainingState& state) { kept = state.fold_losses.size(); });
  std::vector<std::string> given = kGiven;
  given.emplace_back("loss");
  train_automatically(PreparedData(make_builtin("friedman1", 100), with_test_rows(), 0), options,
                      given, {.checkpoints = lent(checkpoints)});
  EXPECT_GE(kept, 1u);
}

TEST(Automatic, ChoosesTheOptionsThatSaySo) {
  std::set<std::string> ruled, compared, with_splines;
  for (const std::size_t rows : {100, 3'000, 50'000, 200'000}) {
    const std::vector<Design> designs = designs_for(rows, 4, {}, {});
    for (const OptionAxis& axis : designs[0].axes) compared.insert(axis.option);
    for (const TrainOptionField& field : train_option_fields()) {
      const std::string usual = field.get(designs[0].options);
      if (usual != field.get({})) ruled.insert(field.name);
      if (designs.size() == 1) continue;
      if (usual != field.get(designs[1].options)) with_splines.insert(field.name);
      for (const OptionAxis& axis : designs[1].axes) with_splines.insert(axis.option);
    }
  }
  for (const TrainOptionField& field : train_option_fields()) {
    EXPECT_EQ(field.chosen_by == ChosenBy::rule, ruled.contains(field.name)) << field.name;
    EXPECT_EQ(field.chosen_by == ChosenBy::cross_validation, compared.contains(field.name))
        << field.name;
    if (field.chosen_by == ChosenBy::input_splines) {
      EXPECT_TRUE(with_splines.contains(field.name)) << field.name;
    } else if (field.chosen_by == ChosenBy::nobody) {
      EXPECT_FALSE(with_splines.contains(field.name)) << field.name;
    }
  }
}

}  // namespace
}  // namespace knotwork::training
