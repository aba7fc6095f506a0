// SPDX-License-Identifier: MIT
#include "training/run/stage_plan.hpp"

#include <gtest/gtest.h>

namespace knotwork::training {
namespace {

std::vector<std::size_t> iterations_of(const std::vector<Stage>& stages) {
  std::vector<std::size_t> all;
  for (const Stage& stage : stages) all.push_back(stage.iterations);
  return all;
}

using Counts = std::vector<std::size_t>;

TEST(StagePlan, OneStageUnlessSomethingIsAskedFor) {
  TrainOptions options;
  options.lambda_w = 0.5;
  options.lambda_q = 0.25;
  options.iterations = 77;
  const auto stages = plan_stages(options);
  ASSERT_EQ(stages.size(), 1u);
  EXPECT_EQ(stages[0].iterations, 77u);
  EXPECT_EQ(stages[0].lambda_w, 0.5);
  EXPECT_EQ(stages[0].lambda_q, 0.25);
  EXPECT_FALSE(stages[0].halves_step);
  EXPECT_FALSE(stages[0].fits_range);
}

TEST(StagePlan, AWarmPathSharesTheIterationsEqually) {
  TrainOptions options;
  options.iterations = 100;
  options.warm_path = {1, 2, 3};
  const auto stages = plan_stages(options);
  EXPECT_EQ(iterations_of(stages), (Counts{33, 33, 34}));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(stages[k].lambda_w, options.warm_path[k]);
}

TEST(StagePlan, RangesAreFittedAtTheStartAndAfterEqualShares) {
  TrainOptions options;
  options.iterations = 90;
  options.fit_range = FitRange::neuron;
  EXPECT_EQ(plan_stages(options).size(), 1u);
  EXPECT_TRUE(plan_stages(options)[0].fits_range);
  options.refit_range = 2;
  const auto stages = plan_stages(options);
  EXPECT_EQ(iterations_of(stages), (Counts{30, 30, 30}));
  for (const Stage& stage : stages) {
    EXPECT_TRUE(stage.fits_range);
    EXPECT_FALSE(stage.halves_step);
  }
}

TEST(StagePlan, CutsOfAllKindsAreLaidOverEachOther) {
  TrainOptions options;
  options.iterations = 120;
  options.warm_path = {1, 2};  // cut at 60
  options.fit_range = FitRange::layer;
  options.refit_range = 2;  // at 40 and 80
  options.halve_step = 3;   // at 30, 60, 90
  const auto stages = plan_stages(options);
  EXPECT_EQ(iterations_of(stages), (Counts{30, 10, 20, 20, 10, 30}));
  const std::vector<bool> halves = {false, true, false, true, false, true};
  const std::vector<bool> fits = {true, false, true, false, true, false};
  const std::vector<double> lambdas = {1, 1, 1, 2, 2, 2};
  for (std::size_t k = 0; k < stages.size(); ++k) {
    EXPECT_EQ(stages[k].halves_step, halves[k]) << k;
    EXPECT_EQ(stages[k].fits_range, fits[k]) << k;
    EXPECT_EQ(stages[k].lambda_w, lambdas[k]) << k;
  }
}

TEST(StagePlan, ItsLengthDoesNotDependOnTheIterations) {
  TrainOptions options;
  options.halve_step = 2;
  options.warm_path = {1, 2};
  options.iterations = 3;  // then some stages have no iterations
  const auto few = plan_stages(options);
  EXPECT_EQ(few.size(), 4u);
  std::size_t sum = 0;
  for (const Stage& stage : few) sum += stage.iterations;
  EXPECT_EQ(sum, 3u);
  options.iterations = std::size_t{1} << 63;  // the stages are computed without overflow
  const auto many = plan_stages(options);
  EXPECT_EQ(many.size(), 4u);
  EXPECT_EQ(many[0].iterations, (std::size_t{1} << 63) / 3);
}

TEST(StagePlan, GivenIterationsReplaceTheShares) {
  TrainOptions options;
  options.halve_step = 1;
  EXPECT_EQ(iterations_of(plan_stages(options, {7, 0})), (Counts{7, 0}));
}

}  // namespace
}  // namespace knotwork::training
