// SPDX-License-Identifier: MIT
#include "optimizer/adam.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include <knotwork/error.hpp>

#include "optimizer/test_functions.hpp"

namespace knotwork {
namespace {

using testing::Curve;
using testing::kNan;
using testing::Quadratic;

Curve slope_of_two() {
  return Curve([](double t) { return std::pair{2 * t, 2.0}; });
}

OptimizerOptions with_rate(double rate) {
  OptimizerOptions options;
  options.adam.rate = rate;
  return options;
}

TEST(Adam, FirstStepsAsByHand) {
  // f = t^2 / 2 from t = 1 with rate 0.1. First update: mhat = 1, vhat = 1, t = 1 - 0.1/(1 + 1e-8).
  // Second, with g = 0.9: mhat = 0.18/0.19, vhat = 0.001809/0.001999, so about 0.9 - 0.0995878.
  Curve curve([](double t) { return std::pair{t * t / 2, t}; });
  Adam adam(with_rate(0.1), DecayRule::none);
  adam.start(curve, std::vector{1.0});
  EXPECT_EQ(adam.value(), 0.5);
  EXPECT_EQ(adam.evaluations(), 1u);
  ASSERT_EQ(adam.iterate(curve), StopReason::none);
  EXPECT_NEAR(adam.point()[0], 1 - 0.1 / (1 + 1e-8), 1e-15);
  EXPECT_EQ(adam.value(), 0.5);  // before the update
  EXPECT_EQ(adam.gradient_norm(), 1);
  EXPECT_EQ(adam.last_step(), 0.1);

  ASSERT_EQ(adam.iterate(curve), StopReason::none);
  const double g = 1 - 0.1 / (1 + 1e-8);
  const double mhat = (0.9 * 0.1 + 0.1 * g) / 0.19;
  const double vhat = (0.999 * 0.001 + 0.001 * g * g) / 0.001999;
  EXPECT_NEAR(adam.point()[0], g - 0.1 * mhat / (std::sqrt(vhat) + 1e-8), 1e-13);
  EXPECT_NEAR(adam.point()[0], 0.8004122, 1e-7);
  EXPECT_NEAR(adam.value(), 0.405, 1e-8);
  EXPECT_EQ(adam.evaluations(), 3u);
}

TEST(Adam, DecayIsDecoupledAndOnlyForAdamw) {
  OptimizerOptions options = with_rate(0.1);
  options.adam.weight_decay = 0.5;
  Curve curve = slope_of_two();
  Adam plain(options, DecayRule::none), decayed(options, DecayRule::decoupled);
  plain.start(curve, std::vector{3.0});
  decayed.start(curve, std::vector{3.0});
  plain.iterate(curve);
  decayed.iterate(curve);
  EXPECT_NEAR(plain.point()[0], 3 - 0.1, 1e-9);
  EXPECT_NEAR(decayed.point()[0], 3 - 0.1 - 0.1 * 0.5 * 3, 1e-9);
  EXPECT_EQ(plain.name(), "adam");
  EXPECT_EQ(decayed.name(), "adamw");
}

TEST(Adam, ScalesRateAndDecayForEachParameter) {
  OptimizerOptions options = with_rate(0.1);
  options.adam.weight_decay = 0.5;
  options.adam.rate_scale = {1, 0, 2};
  options.adam.decay_scale = {1, 1, 0};
  // Gradient (4, 4, 4) at (3, 3, 3): the reflection only changes the sign of a vector of equal
  // numbers.
  Quadratic function({2, 2, 2}, {1, 1, 1});
  Adam adam(options, DecayRule::decoupled);
  adam.start(function, std::vector<double>(3, 3.0));
  adam.iterate(function);
  EXPECT_NEAR(adam.point()[0], 3 - 0.1 - 0.1 * 0.5 * 3, 1e-9);
  EXPECT_EQ(adam.point()[1], 3);  // rate 0 freezes it, including its decay
  EXPECT_NEAR(adam.point()[2], 3 - 0.2, 1e-9);
}

TEST(Adam, RefusesScalesOfTheWrongSizeByName) {
  Curve curve = slope_of_two();
  const auto message = [&](const OptimizerOptions& options) -> std::string {
    Adam adam(options, DecayRule::decoupled);
    try {
      adam.start(curve, std::vector{0.0});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      return error.what();
    }
    return "";
  };
  OptimizerOptions rate, decay;
  rate.adam.rate_scale = {1, 1};
  decay.adam.decay_scale = {1, 1, 1};
  EXPECT_EQ(message(rate),
            "adam.rate_scale has 2 factors; it must have one for each of the 1 parameters, or "
            "none.");
  EXPECT_NE(message(decay).find("adam.decay_scale has 3"), std::string::npos);
}

TEST(AdamSchedule, Constant) {
  AdamOptions options;
  options.rate = 0.3;
  for (std::uint64_t t : {0u, 5u, 1000u}) EXPECT_EQ(scheduled_rate(options, t, 10), 0.3);
}

TEST(AdamSchedule, Cosine) {
  AdamOptions options;
  options.rate = 0.2;
  options.schedule = RateSchedule::cosine;
  EXPECT_DOUBLE_EQ(scheduled_rate(options, 0, 12), 0.2);
  EXPECT_NEAR(scheduled_rate(options, 4, 12), 0.15, 1e-15);  // cos(pi/3) = 1/2
  EXPECT_NEAR(scheduled_rate(options, 6, 12), 0.1, 1e-15);
  const double last = 0.1 * (1 + std::cos(std::numbers::pi * 11 / 12));
  EXPECT_NEAR(scheduled_rate(options, 11, 12), last, 1e-15);
  EXPECT_NEAR(scheduled_rate(options, 12, 12), last, 1e-15);  // the last rate stays
  EXPECT_NEAR(scheduled_rate(options, 999, 12), last, 1e-15);
}

TEST(AdamSchedule, OneCycle) {
  AdamOptions options;
  options.rate = 0.5;
  options.schedule = RateSchedule::one_cycle;
  EXPECT_DOUBLE_EQ(scheduled_rate(options, 0, 101), 0.02);
  EXPECT_NEAR(scheduled_rate(options, 15, 101), (0.02 + 0.5) / 2, 1e-15);
  EXPECT_NEAR(scheduled_rate(options, 30, 101), 0.5, 1e-15);
  EXPECT_NEAR(scheduled_rate(options, 65, 101), (0.5 + 0.5 / 25e4) / 2, 1e-15);
  EXPECT_NEAR(scheduled_rate(options, 100, 101), 0.5 / 25e4, 1e-15);
  EXPECT_NEAR(scheduled_rate(options, 5000, 101), 0.5 / 25e4, 1e-15);
  EXPECT_DOUBLE_EQ(scheduled_rate(options, 0, 1), 0.02);
}

// The mean of (t - c)^2 / 2 over the centers c of each batch; the order of the batches rotates with
// the epoch.
class Batched : public Function {
 public:
  std::size_t size() const override { return 1; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    double value = 0;
    gradient[0] = 0;
    for (double center : centers) {
      value += (x[0] - center) * (x[0] - center) / 2 / 4;
      gradient[0] += (x[0] - center) / 4;
    }
    return value;
  }
  std::size_t begin_epoch(std::uint64_t epoch) override {
    epochs.push_back(epoch);
    epoch_ = epoch;
    return batches;
  }
  double evaluate_batch(std::size_t batch, std::span<const double> x,
                        std::span<double> gradient) override {
    asked.push_back(batch);
    if (asked.size() == poisoned) return kNan;
    const double away = x[0] - centers[(batch + epoch_) % 4];
    gradient[0] = away;
    values.push_back(away * away / 2);
    return values.back();
  }

  std::vector<double> centers{1, 2, 3, 4};
  std::size_t batches = 4;
  std::vector<std::uint64_t> epochs;
  std::vector<std::size_t> asked;
  std::vector<double> values;
  std::size_t poisoned = 0;  // number of the batch evaluation that returns NaN

 private:
  std::uint64_t epoch_ = 0;
};

TEST(Adam, AnIterationIsAnEpochOfBatches) {
  Batched function;
  Adam adam(with_rate(0.1), DecayRule::none);
  adam.start(function, std::vector{0.0});
  EXPECT_TRUE(function.epochs.empty());
  adam.iterate(function);
  EXPECT_EQ(function.asked, (std::vector<std::size_t>{0, 1, 2, 3}));
  const auto& v = function.values;
  ASSERT_EQ(v.size(), 4u);
  EXPECT_DOUBLE_EQ(adam.value(), (v[0] + v[1] + v[2] + v[3]) / 4);
  EXPECT_DOUBLE_EQ(adam.gradient_norm(), std::sqrt(2 * v[3]));
  EXPECT_EQ(adam.evaluations(), 5u);
  adam.iterate(function);
  EXPECT_EQ(function.epochs, (std::vector<std::uint64_t>{0, 1}));
}

TEST(Adam, ScheduleCountsUpdatesOverAllBatches) {
  OptimizerOptions options = with_rate(0.1);
  options.adam.schedule = RateSchedule::cosine;
  options.adam.schedule_epochs = 3;
  Batched function;
  Adam adam(options, DecayRule::none);
  adam.start(function, std::vector{0.0});
  for (const double t : {3.0, 7.0, 11.0, 11.0}) {  // the last update of each epoch, 12 in total
    adam.iterate(function);
    EXPECT_NEAR(adam.last_step(), 0.05 * (1 + std::cos(std::numbers::pi * t / 12)), 1e-15);
  }
}

TEST(Adam, ConvergesOnMiniBatches) {
  OptimizerOptions options = with_rate(0.05);
  options.adam.schedule = RateSchedule::cosine;
  options.adam.schedule_epochs = 400;
  Batched function;
  Adam adam(options, DecayRule::none);
  adam.start(function, std::vector{-3.0});
  for (int i = 0; i < 400; ++i) ASSERT_EQ(adam.iterate(function), StopReason::none);
  EXPECT_NEAR(adam.point()[0], 2.5, 0.01);
}

TEST(Adam, ConvergesOnAQuadratic) {
  Quadratic function({1, 4, 20}, {1, -2, 3});
  OptimizerOptions options = with_rate(0.05);
  options.adam.schedule = RateSchedule::one_cycle;
  options.adam.schedule_epochs = 2000;
  Adam adam(options, DecayRule::none);
  adam.start(function, std::vector<double>(3, 0.0));
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(adam.iterate(function), StopReason::none);
  EXPECT_NEAR(adam.point()[0], 1, 1e-4);
  EXPECT_NEAR(adam.point()[1], -2, 1e-4);
  EXPECT_NEAR(adam.point()[2], 3, 1e-4);
}

TEST(Adam, ZeroGradientStaysWhereItIs) {
  Curve curve([](double) { return std::pair{1.0, 0.0}; });
  Adam adam({}, DecayRule::none);
  adam.start(curve, std::vector{0.5});
  EXPECT_EQ(adam.iterate(curve), StopReason::none);
  EXPECT_EQ(adam.point()[0], 0.5);
}

TEST(Adam, NonFiniteBatchGoesBackToTheBestEvaluatedPoint) {
  Batched function;
  function.poisoned = 15;  // the third batch of the fourth epoch
  Adam adam(with_rate(0.2), DecayRule::none);
  adam.start(function, std::vector{0.0});
  std::vector<double> epoch_starts, means;
  for (int epoch = 0; epoch < 3; ++epoch) {
    epoch_starts.push_back(adam.point()[0]);
    ASSERT_EQ(adam.iterate(function), StopReason::none);
    means.push_back(adam.value());
  }
  ASSERT_LT(means[1], means[0]);
  const std::size_t best = means[2] < means[1] ? 2 : 1;
  const double latest = adam.point()[0];
  EXPECT_EQ(adam.iterate(function), StopReason::non_finite);
  EXPECT_EQ(adam.point()[0], epoch_starts[best]);
  EXPECT_EQ(adam.value(), means[best]);
  EXPECT_NE(adam.point()[0], latest);
  EXPECT_TRUE(std::isfinite(adam.gradient_norm()));
  // The moments start again at zero, so the first step is almost exactly the rate.
  EXPECT_EQ(adam.state().vectors.at("first_moment"), std::vector{0.0});
  EXPECT_EQ(adam.state().vectors.at("second_moment"), std::vector{0.0});
  EXPECT_EQ(adam.state().numbers.at("moment_updates"), 0);
  EXPECT_EQ(adam.iterate(function), StopReason::none);
}

TEST(Adam, NonFiniteGradientIsNotApplied) {
  for (const double bad : {kNan, testing::kInfinity, 1e200}) {
    Curve curve([bad](double t) { return std::pair{t, t > 0.95 ? 1.0 : bad}; });
    Adam adam(with_rate(0.1), DecayRule::none);
    adam.start(curve, std::vector{1.0});
    ASSERT_EQ(adam.iterate(curve), StopReason::none);
    EXPECT_EQ(adam.iterate(curve), StopReason::non_finite);
    EXPECT_EQ(adam.point()[0], 1);
    EXPECT_EQ(adam.value(), 1);
  }
}

TEST(Adam, FallBackIsTheBestEpochNotTheLast) {
  // Moves from 1 in steps of 0.1: values 5, 2, 7, then NaN.
  Curve curve([](double t) {
    return std::pair{t > 0.95 ? 5.0 : t > 0.85 ? 2.0 : t > 0.75 ? 7.0 : kNan, 1.0};
  });
  Adam adam(with_rate(0.1), DecayRule::none);
  adam.start(curve, std::vector{1.0});
  for (const double value : {5.0, 2.0, 7.0}) {
    ASSERT_EQ(adam.iterate(curve), StopReason::none);
    EXPECT_EQ(adam.value(), value);
  }
  EXPECT_EQ(adam.iterate(curve), StopReason::non_finite);
  EXPECT_EQ(adam.value(), 2);
  EXPECT_NEAR(adam.point()[0], 0.9, 1e-8);
}

TEST(Adam, OverflowingPointIsNotKept) {
  Curve curve([](double t) { return std::pair{t < 0 ? 0.0 : 1.0, 1.0}; });
  OptimizerOptions options = with_rate(1e308);
  options.adam.rate_scale = {1e10};
  Adam adam(options, DecayRule::none);
  adam.start(curve, std::vector{1.0});
  EXPECT_EQ(adam.iterate(curve), StopReason::non_finite);
  EXPECT_EQ(adam.point()[0], 1);
}

TEST(Adam, EpochWithoutBatchesIsRefused) {
  Batched function;
  function.batches = 0;
  Adam adam({}, DecayRule::none);
  adam.start(function, std::vector{0.0});
  EXPECT_THROW(adam.iterate(function), Error);
}

}  // namespace
}  // namespace knotwork
