// SPDX-License-Identifier: MIT
// Tests plain stochastic gradient descent: the rule without moments in the loop of adam.hpp.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "optimizer/test_functions.hpp"
#include "optimizer/test_support.hpp"

namespace knotwork {
namespace {

using testing::Curve;
using testing::kNan;
using testing::make;
using testing::Quadratic;

OptimizerOptions with_rate(double rate) {
  OptimizerOptions options;
  options.adam.rate = rate;
  return options;
}

// (x - c)^2 / 2 for one center after the other, one for each batch.
class Centers : public Function {
 public:
  explicit Centers(std::vector<double> centers) : centers_(std::move(centers)) {}
  std::size_t size() const override { return 1; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    double value = 0, slope = 0;
    for (std::size_t k = 0; k < centers_.size(); ++k) {
      value += evaluate_batch(k, x, gradient) / static_cast<double>(centers_.size());
      slope += gradient[0] / static_cast<double>(centers_.size());
    }
    gradient[0] = slope;
    return value;
  }
  std::size_t begin_epoch(std::uint64_t) override { return centers_.size(); }
  double evaluate_batch(std::size_t batch, std::span<const double> x,
                        std::span<double> gradient) override {
    gradient[0] = x[0] - centers_[batch];
    return gradient[0] * gradient[0] / 2;
  }

 private:
  std::vector<double> centers_;
};

TEST(Sgd, AnEpochIsOneStepForEachBatchAsByHand) {
  // From 0 with rate 0.5: to 0.5 (center 1), 1.25 (center 2), 2.125 (center 3).
  Centers function({1, 2, 3});
  const auto sgd = make("sgd", with_rate(0.5));
  sgd->start(function, std::vector{0.0});
  ASSERT_EQ(sgd->iterate(function), StopReason::none);
  EXPECT_EQ(sgd->point()[0], 2.125);
  EXPECT_DOUBLE_EQ(sgd->value(), (0.5 + 1.125 + 1.53125) / 3);  // each before its step
  EXPECT_EQ(sgd->gradient_norm(), 1.75);
  EXPECT_EQ(sgd->last_step(), 0.5);
  EXPECT_EQ(sgd->evaluations(), 4u);
}

TEST(Sgd, FactorsOnTheRateCountAndDecayDoesNot) {
  OptimizerOptions options = with_rate(0.1);
  options.adam.rate_scale = {1, 0, 2};
  options.adam.weight_decay = 0.5;
  // Gradient (4, 4, 4) at (3, 3, 3).
  Quadratic function({2, 2, 2}, {1, 1, 1});
  const auto sgd = make("sgd", options);
  sgd->start(function, std::vector<double>(3, 3.0));
  sgd->iterate(function);
  EXPECT_NEAR(sgd->point()[0], 3 - 0.4, 1e-14);
  EXPECT_EQ(sgd->point()[1], 3);
  EXPECT_NEAR(sgd->point()[2], 3 - 0.8, 1e-14);
}

TEST(Sgd, FollowsTheScheduleOfItsRate) {
  OptimizerOptions options = with_rate(0.1);
  options.adam.schedule = RateSchedule::cosine;
  options.adam.schedule_epochs = 2;
  Centers function({1, 2, 3});
  const auto sgd = make("sgd", options);
  sgd->start(function, std::vector{0.0});
  for (const double t : {2.0, 5.0}) {  // the last step of each epoch, 6 in total
    sgd->iterate(function);
    EXPECT_NEAR(sgd->last_step(), 0.05 * (1 + std::cos(std::numbers::pi * t / 6)), 1e-15);
  }
}

TEST(Sgd, WithAFallingRateItSettlesAtTheMinimum) {
  OptimizerOptions options = with_rate(0.2);
  options.adam.schedule = RateSchedule::cosine;
  options.adam.schedule_epochs = 200;
  Centers function({1, 2, 3, 4});
  const MinimizeResult result =
      minimize(*make("sgd", options), function, std::vector{-3.0}, {.iterations = 200});
  EXPECT_NEAR(result.point[0], 2.5, 1e-3);
}

TEST(Sgd, GoesBackToTheBestPointWhenValuesStopBeingFinite) {
  // Steps of 0.1 from 1: values 5, 2, then NaN.
  Curve curve([](double t) { return std::pair{t > 0.95 ? 5.0 : t > 0.85 ? 2.0 : kNan, 1.0}; });
  const auto sgd = make("sgd", with_rate(0.1));
  sgd->start(curve, std::vector{1.0});
  ASSERT_EQ(sgd->iterate(curve), StopReason::none);
  ASSERT_EQ(sgd->iterate(curve), StopReason::none);
  EXPECT_EQ(sgd->iterate(curve), StopReason::non_finite);
  EXPECT_EQ(sgd->value(), 2);
  EXPECT_NEAR(sgd->point()[0], 0.9, 1e-15);
}

TEST(Sgd, ItsStateHasNoMoments) {
  Centers function({1, 2});
  const auto sgd = make("sgd", with_rate(0.1));
  sgd->start(function, std::vector{0.0});
  EXPECT_EQ(sgd->state().vectors.size(), 2u);  // the point and the best one
}

}  // namespace
}  // namespace knotwork
