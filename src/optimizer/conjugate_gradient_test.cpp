// SPDX-License-Identifier: MIT
#include "optimizer/conjugate_gradient.hpp"

#include <gtest/gtest.h>

#include "optimizer/test_functions.hpp"

namespace knotwork {
namespace {

using testing::Curve;
using testing::Rosenbrock;

// The value at the start and after each accepted line search.
std::vector<double> accepted_values(Function& function, const std::vector<double>& start,
                                    int searches) {
  ConjugateGradient cg({});
  cg.start(function, start);
  std::vector<double> values{cg.value()};
  for (int i = 0; i < searches && cg.iterate(function) == StopReason::none; ++i) {
    if (cg.last_step() > 0) values.push_back(cg.value());
  }
  return values;
}

// Trajectories of C. E. Rasmussen's own minimize.m, run in Octave.
TEST(ConjugateGradient, FollowsTheOriginalFromTheClassicStart) {
  const std::vector<double> golden{24.199999999999996, 4.12820011729485,   3.8402521823701066,
                                   3.5172643749451717, 1.7487014712766569, 1.6777406997076891,
                                   1.390889550248601,  1.169249395495098};
  Rosenbrock function(2);
  const std::vector<double> values = accepted_values(function, {-1.2, 1.0}, 30);
  ASSERT_GE(values.size(), golden.size());
  for (std::size_t i = 0; i < golden.size(); ++i) {
    EXPECT_NEAR(values[i], golden[i], 1e-9 * golden[i]) << "after search " << i;
  }
}

TEST(ConjugateGradient, FollowsTheOriginalInFiveDimensions) {
  const std::vector<double> golden{4.0,
                                   3.94592902410202,
                                   3.646228417369679,
                                   3.571750628457149,
                                   3.0733885188893533,
                                   2.692021761367224,
                                   2.423422883866875,
                                   2.1294166518027984};
  Rosenbrock function(5);
  const std::vector<double> values = accepted_values(function, {0, 0, 0, 0, 0}, 60);
  ASSERT_EQ(values.size(), 61u);
  for (std::size_t i = 0; i < golden.size(); ++i) {
    EXPECT_NEAR(values[i], golden[i], 1e-9 * golden[i]) << "after search " << i;
  }
  const double after_sixty = 0.00023478782344607844;
  EXPECT_NEAR(values[60], after_sixty, 1e-4 * after_sixty);
}

TEST(ConjugateGradient, FirstStepIsOneOverOnePlusSquaredGradient) {
  Curve curve([](double t) { return std::pair{t * t, 2 * t}; });
  ConjugateGradient cg({});
  cg.start(curve, std::vector{1.5});
  EXPECT_EQ(cg.state().numbers.at("first_step"), 0.1);  // 1 / (1 + 3^2)
  EXPECT_EQ(cg.state().numbers.at("slope"), -9);
  cg.iterate(curve);
  EXPECT_DOUBLE_EQ(curve.asked[1], 1.5 - 0.1 * 3);
}

TEST(ConjugateGradient, NextStepGrowsAtMostTenfold) {
  // The accepted slope is a thousandth of the first: the ratio of slopes alone would be huge.
  Curve curve([](double t) { return std::pair{t * t, 2 * t}; });
  ConjugateGradient cg({});
  cg.start(curve, std::vector{1.5});
  ASSERT_EQ(cg.iterate(curve), StopReason::none);
  const OptimizerState state = cg.state();
  ASSERT_GT(cg.last_step(), 0);
  ASSERT_LT(std::abs(state.numbers.at("slope")), 0.9);
  EXPECT_DOUBLE_EQ(state.numbers.at("first_step"), 10 * cg.last_step());
}

TEST(ConjugateGradient, SolvesAQuadraticOfFiveDimensionsFast) {
  testing::Quadratic function({1, 2, 5, 10, 20}, {1, -2, 3, -4, 5});
  ConjugateGradient cg({});
  cg.start(function, std::vector<double>(5, 0.0));
  for (int i = 0; i < 40 && cg.gradient_norm() > 1e-9; ++i) {
    ASSERT_EQ(cg.iterate(function), StopReason::none);
  }
  EXPECT_LE(cg.gradient_norm(), 1e-9);
  const std::vector<double> center{1, -2, 3, -4, 5};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(cg.point()[i], center[i], 1e-8);
}

TEST(ConjugateGradient, ZeroGradientAtTheStartEndsAtOnce) {
  Curve curve([](double) { return std::pair{7.0, 0.0}; });
  ConjugateGradient cg({});
  cg.start(curve, std::vector{0.25});
  EXPECT_EQ(cg.iterate(curve), StopReason::no_progress);
  EXPECT_EQ(cg.point()[0], 0.25);
  EXPECT_EQ(cg.value(), 7);
  EXPECT_EQ(cg.last_step(), 0);
  EXPECT_EQ(cg.evaluations(), 1u);
}

TEST(ConjugateGradient, TwoFailedSearchesInARowEndTheRunAtTheBestPoint) {
  // A wrong gradient: the value only rises, except for one low point that the first search finds.
  Curve curve([](double t) { return std::pair{t == 0.5 ? -1.0 : std::abs(t), -1.0}; });
  ConjugateGradient cg({});
  cg.start(curve, std::vector{0.0});  // slope -1, so the first trial is at 1/2
  EXPECT_EQ(cg.iterate(curve), StopReason::none);
  EXPECT_EQ(cg.last_step(), 0);
  EXPECT_EQ(cg.value(), -1);
  EXPECT_EQ(cg.point()[0], 0.5);
  EXPECT_EQ(cg.state().numbers.at("failed_before"), 1);
  EXPECT_EQ(cg.state().numbers.at("first_step"), 0.5);
  EXPECT_EQ(cg.iterate(curve), StopReason::no_progress);
  EXPECT_EQ(cg.value(), -1);
  EXPECT_EQ(cg.point()[0], 0.5);
  EXPECT_LE(cg.evaluations(), 41u);
}

TEST(ConjugateGradient, OneFailureIsForgivenAfterASuccess) {
  Rosenbrock function(2);
  ConjugateGradient cg({});
  cg.start(function, std::vector{-1.2, 1.0});
  OptimizerState state = cg.state();
  state.numbers["failed_before"] = 1;
  cg.restore(state);
  ASSERT_EQ(cg.iterate(function), StopReason::none);
  EXPECT_GT(cg.last_step(), 0);
  EXPECT_EQ(cg.state().numbers.at("failed_before"), 0);
}

TEST(ConjugateGradient, UphillDirectionIsReplacedBySteepestDescent) {
  // The search oversteps a little and is accepted; Polack-Ribiere would continue in the same
  // direction, uphill.
  Curve curve([](double t) { return t == 0 ? std::pair{0.0, 1.0} : std::pair{-0.3, -0.09}; });
  ConjugateGradient cg({});
  cg.start(curve, std::vector{0.0});
  ASSERT_EQ(cg.iterate(curve), StopReason::none);
  ASSERT_EQ(cg.last_step(), 0.5);
  const OptimizerState state = cg.state();
  EXPECT_EQ(state.vectors.at("direction"), std::vector{0.09});
  EXPECT_DOUBLE_EQ(state.numbers.at("slope"), -0.0081);
  EXPECT_EQ(state.numbers.at("first_step"), 5);
}

}  // namespace
}  // namespace knotwork
