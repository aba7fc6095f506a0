// SPDX-License-Identifier: MIT
// Tests of knots that follow the data during training: stages that change the network.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

TrainOptions few_iterations() {
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 30;
  return options;
}

std::size_t knots_of(const Model& model, std::size_t member = 0) {
  return SplineLayer(model.members[member], 0).knots(0).count;
}

std::string complaint(const TrainOptions& options) {
  try {
    check(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    return error.what();
  }
  return "no complaint";
}

TEST(KnotsTraining, RangesAreFittedAtTheStart) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options = few_iterations();
  options.iterations = 0;  // tests the start itself
  for (const FitRange which : {FitRange::neuron, FitRange::layer}) {
    options.fit_range = which;
    const Model model = train(table, {}, options);
    const SplineLayer layer(model.members[0], 0);
    EXPECT_EQ(layer.knots(0).step == layer.knots(1).step, which == FitRange::layer);
    EXPECT_NE(layer.knots(0).step, 0.2);
    EXPECT_TRUE(model.training.stages[0].range_fitted);
    // The initial function on the new knots: tanh also beyond the old range.
    for (std::size_t k = 0; k < 21; ++k) {
      EXPECT_EQ(layer.anchor(0)[k], std::tanh(layer.knots(0).at(k)));
    }
  }
}

TEST(KnotsTraining, TheStepIsHalvedOnTheWayAndTheObjectiveGoesOnFromThere) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options = few_iterations();
  options.spline.knots = 9;
  options.spline.basis = "b-spline";  // the basis that is refined without any change
  options.halve_step = 2;
  std::vector<double> values;
  std::vector<std::size_t> stages;
  const Model model = train(table, {}, options, watched([&](const TrainIteration& now) {
                              values.push_back(now.objective.value);
                              stages.push_back(now.stage);
                              return true;
                            }));
  EXPECT_EQ(knots_of(model), 27u);
  ASSERT_EQ(values.size(), 31u);
  for (std::size_t k = 1; k < values.size(); ++k) EXPECT_LE(values[k], values[k - 1] + 1e-12) << k;
  EXPECT_EQ(stages[10], 0u);
  EXPECT_EQ(stages[11], 1u);
  EXPECT_EQ(stages[30], 2u);
  ASSERT_EQ(model.training.stages.size(), 3u);
  EXPECT_FALSE(model.training.stages[0].step_halved);
  EXPECT_TRUE(model.training.stages[2].step_halved);
  EXPECT_EQ(model.training.iterations, 30u);
}

// Curves that are carried over are no worse than before: the first objective of a stage is the last
// one of the stage before it, except for what the change of the knots changes.
TEST(KnotsTraining, RefittedRangesHardlyChangeTheObjective) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options = few_iterations();
  options.iterations = 90;
  options.fit_range = FitRange::neuron;
  options.refit_range = 2;
  std::vector<double> values;
  const Model model = train(table, {}, options, watched([&](const TrainIteration& now) {
                              values.push_back(now.objective.value);
                              return true;
                            }));
  ASSERT_EQ(model.training.stages.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(model.training.stages[k].range_fitted);
  for (const std::size_t cut : {30u, 60u}) EXPECT_LT(values[cut + 1], 1.02 * values[cut]);
  EXPECT_LT(values.back(), values[30]);
}

TEST(KnotsTraining, AWarmPathAndChangesOfTheKnotsGoTogether) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = few_iterations();
  options.warm_path = {0.1, 0.01};
  options.fit_range = FitRange::neuron;
  options.halve_step = 2;
  const Model model = train(table, {}, options);
  ASSERT_EQ(model.training.stages.size(), 4u);  // cut at a third, a half and two thirds
  EXPECT_EQ(model.training.stages[1].lambda_w, 0.1);
  EXPECT_EQ(model.training.stages[2].lambda_w, 0.01);
  EXPECT_EQ(knots_of(model), 75u);
}

TEST(KnotsTraining, GoesOnFromAModelWithTheNewKnots) {
  const Table table = make_builtin("friedman1", 200);
  for (const std::optional<Precision> precision : {Precision::float32, Precision::float64}) {
    TrainOptions options = few_iterations();
    options.precision = precision;
    options.fit_range = FitRange::neuron;
    options.refit_range = 1;
    options.halve_step = 1;
    options.ensemble = 2;
    const Model model = train(table, {}, options);
    EXPECT_EQ(knots_of(model, 1), 39u);
    EXPECT_EQ(model.training.stages[1].step_halved, true);
    EXPECT_EQ(model.training.stages[1].range_fitted, true);
    // Members fit their own ranges.
    EXPECT_NE(SplineLayer(model.members[0], 0).knots(0).step,
              SplineLayer(model.members[1], 0).knots(0).step);
    // Training can start from the model, and refine it again.
    options.halve_step = 1;
    const Model finer = train(table, {}, options, {.start = lent(model)});
    EXPECT_EQ(knots_of(finer), 75u);
  }
}

TEST(KnotsTraining, ThreadsDoNotChangeABit) {
  const Table table = make_builtin("friedman1", 3000);
  TrainOptions options = few_iterations();
  options.fit_range = FitRange::neuron;
  options.refit_range = 2;
  options.halve_step = 1;
  options.threads = 1;
  const Model one = train(table, {}, options);
  options.threads = 3;
  EXPECT_EQ(train(table, {}, options).parameters_sha256(), one.parameters_sha256());
}

TEST(KnotsTraining, ATrainingEndedEarlyHasTheKnotsThatItWasToHave) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = few_iterations();
  options.ensemble = 3;
  options.halve_step = 2;
  std::size_t seen = 0;
  const Model model =
      train(table, {}, options, watched([&](const TrainIteration&) { return ++seen < 40; }));
  EXPECT_EQ(model.training.reason, StopReason::requested);
  for (std::size_t m = 0; m < model.members.size(); ++m) EXPECT_EQ(knots_of(model, m), 75u);
  EXPECT_NO_THROW(model.check());
  EXPECT_TRUE(std::isfinite(model.training.train->nrmse));
}

TEST(KnotsTraining, ATrainingEndedEarlyTellsTheObjectiveOfItsLastStage) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = few_iterations();
  options.warm_path = {0.5, 0.25};
  options.halve_step = 1;
  const Model model = train(table, {}, options,
                            watched([](const TrainIteration& now) { return now.iteration < 3; }));
  EXPECT_EQ(knots_of(model), 39u);
  double squares = 0;
  for (const TensorInfo& tensor : model.members[0].tensors()) {
    if (tensor.group == ParameterGroup::activation) continue;
    for (const double w : model.members[0].values(tensor)) squares += w * w;
  }
  const auto& [name, part] = model.training.objective.parts.at(1);
  EXPECT_EQ(name, "weights");
  EXPECT_NEAR(part, 0.5 * squares, 1e-12 * part);
}

TEST(KnotsTraining, EarlyStoppingAndRefittingOnAllRowsKnowTheStages) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options = few_iterations();
  options.validation_fraction = 0.3;
  options.patience = 4;
  options.refit = true;
  options.fit_range = FitRange::layer;
  options.refit_range = 1;
  options.halve_step = 2;
  const Model model = train(table, {}, options);
  EXPECT_TRUE(model.training.refitted);
  EXPECT_EQ(model.training.stages.size(), 4u);
  EXPECT_EQ(knots_of(model), 75u);
}

TEST(KnotsTraining, MiniBatchesGoOnWithFinerKnots) {
  const Table table = make_builtin("friedman1", 500);
  for (const char* optimizer : {"adam", "sgd"}) {
    TrainOptions options = few_iterations();
    options.optimizer = optimizer;
    options.rate = 0.01;
    options.batch = 16;
    options.spline.knots = 9;
    options.halve_step = 1;
    options.schedule = RateSchedule::cosine;
    const Model model = train(table, {}, options);
    EXPECT_EQ(knots_of(model), 15u) << optimizer;
    EXPECT_LT(model.training.train->nrmse, 0.75) << optimizer;
  }
}

TEST(KnotsTraining, NetworksWithoutSplinesAreLeftAlone) {
  const Table table = make_builtin("friedman1", 100);
  TrainOptions options = few_iterations();
  options.activation = "tanh";
  options.fit_range = FitRange::neuron;
  options.halve_step = 1;
  EXPECT_NO_THROW(train(table, {}, options));
}

TEST(KnotsTraining, WhatCannotBeDoneIsRefusedByName) {
  using testing::HasSubstr;
  TrainOptions options;
  options.refit_range = 2;
  EXPECT_THAT(complaint(options), HasSubstr("refit-range is 2, but fit-range is none"));
  options.fit_range = FitRange::neuron;
  options.iterations = 2;
  EXPECT_THAT(complaint(options), HasSubstr("iterations is 2, but with refit-range 2"));
  options.iterations = 3;
  EXPECT_EQ(complaint(options), "no complaint");
  options = {};
  options.halve_step = 20;
  EXPECT_THAT(complaint(options), HasSubstr("more than 100000 after 13 halvings; at most 12"));
  options.halve_step = 1001;
  EXPECT_THAT(complaint(options), HasSubstr("halve-step must be at most 1000"));
}

TEST(KnotsTraining, HistoricalOptionsTrainSampleBySample) {
  const Table table = make_builtin("friedman1", 1000);
  TrainOptions options = historical_options();
  EXPECT_EQ(options.batch, 1u);
  EXPECT_EQ(options.optimizer, "sgd");
  EXPECT_EQ(options.lambda_q + options.lambda_w + options.lambda_curvature, 0);
  options.iterations = 60;
  TableTask task;
  task.test_fraction = 0.3;
  const Model model = train(table, task, options);
  EXPECT_EQ(model.training.evaluations, 1 + 60u * 700);  // one for each row and epoch
  EXPECT_LT(model.training.test->nrmse, 0.5);
}

}  // namespace
}  // namespace knotwork::training
