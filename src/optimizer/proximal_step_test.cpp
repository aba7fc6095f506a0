// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "optimizer/test_functions.hpp"
#include "optimizer/test_support.hpp"

namespace knotwork {
namespace {

using testing::make;
using testing::Rosenbrock;

// sum_i scale_i (x_i - target_i)^2 / 2
class Bowl final : public Function {
 public:
  std::size_t size() const override { return scale.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      gradient[i] = scale[i] * (x[i] - target[i]);
      value += gradient[i] * (x[i] - target[i]) / 2;
    }
    return value;
  }
  std::vector<double> scale = {1, 10, 100};
  std::vector<double> target = {1, -2, 0.001};
};

// |x_i| times a weight.
class Lasso final : public ProximalStep {
 public:
  explicit Lasso(double weight) : weight_(weight) {}
  void apply(std::span<double> point, std::span<const double> steps) const override {
    seen.assign(steps.begin(), steps.end());
    for (std::size_t i = 0; i < point.size(); ++i) {
      const double left = std::abs(point[i]) - weight_ * steps[i];
      point[i] = left > 0 ? std::copysign(left, point[i]) : 0;
    }
  }
  mutable std::vector<double> seen;

 private:
  double weight_;
};

class AtLeast final : public ProximalStep {
 public:
  void apply(std::span<double> point, std::span<const double>) const override {
    for (double& x : point) x = std::max(x, 0.25);
  }
};

TEST(ProximalStep, SeesTheMetricOfTheUpdate) {
  Bowl bowl;
  const auto lasso = std::make_shared<Lasso>(0);
  OptimizerOptions options;
  options.adam.rate = 0.1;
  options.adam.rate_scale = {1, 0.5, 2};
  options.adam.proximal_steps = {lasso};
  const auto adam = make("adam", options);
  adam->start(bowl, std::vector<double>{0, 0, 0});
  EXPECT_TRUE(lasso->seen.empty()) << "the start is not an update";
  adam->iterate(bowl);
  // After one update vhat is the square of the gradient.
  ASSERT_EQ(lasso->seen.size(), 3u);
  EXPECT_NEAR(lasso->seen[0], 0.1 / 1, 1e-8);
  EXPECT_NEAR(lasso->seen[1], 0.05 / 20, 1e-10);
  EXPECT_NEAR(lasso->seen[2], 0.2 / 0.1, 1e-6);
}

// min scale (x - target)^2 / 2 + weight |x| is at target -+ weight / scale, or at exactly 0.
TEST(ProximalStep, LeadsToTheMinimumOfTheWhole) {
  for (const char* name : {"adam", "adamw"}) {
    Bowl bowl;
    OptimizerOptions options;
    options.adam.rate = 0.02;
    options.adam.schedule = RateSchedule::cosine;
    options.adam.schedule_epochs = 3000;
    options.adam.proximal_steps = {std::make_shared<Lasso>(0.5)};
    const MinimizeResult result = minimize(
        *make(name, options), bowl, std::vector<double>{0.3, 0.3, 0.3}, {.iterations = 3000});
    EXPECT_NEAR(result.point[0], 0.5, 1e-3);
    EXPECT_NEAR(result.point[1], -1.95, 1e-3);
    EXPECT_EQ(result.point[2], 0);
  }
}

TEST(ProximalStep, TheLastOneHasTheLastWord) {
  Rosenbrock function(4);
  OptimizerOptions options;
  options.adam.rate = 0.05;
  options.adam.proximal_steps = {std::make_shared<Lasso>(0.1), std::make_shared<AtLeast>()};
  std::size_t seen = 0;
  minimize(*make("adam", options), function, std::vector<double>(4, 0.5), {.iterations = 60},
           [&](const IterationReport& report) {
             for (const double x : report.point) EXPECT_GE(x, 0.25);
             ++seen;
             return StopReason::none;
           });
  EXPECT_EQ(seen, 61u);
}

TEST(ProximalStep, IsLeftOutWhereThePointIsNotFinite) {
  // Overflows in the first update.
  Bowl bowl;
  OptimizerOptions options;
  options.adam.rate = 1e308;
  options.adam.rate_scale = {1e10, 1, 1};
  const auto lasso = std::make_shared<Lasso>(1);
  options.adam.proximal_steps = {lasso};
  const auto adam = make("adam", options);
  adam->start(bowl, std::vector<double>{0, 0, 0});
  EXPECT_EQ(adam->iterate(bowl), StopReason::non_finite);
  EXPECT_TRUE(lasso->seen.empty());
}

TEST(ProximalSteps, AreRefusedByOptimizersWithoutThem) {
  struct Nothing final : ProximalStep {
    void apply(std::span<double>, std::span<const double>) const override {}
  };
  OptimizerOptions options;
  options.adam.proximal_steps = {std::make_shared<Nothing>()};
  for (const std::string& name : builtin_optimizers().names()) {
    if (name.starts_with("adam")) {
      EXPECT_NO_THROW(builtin_optimizers().at(name).make(options));
    } else {
      EXPECT_THROW(builtin_optimizers().at(name).make(options), Error) << name;
    }
  }
}

}  // namespace
}  // namespace knotwork
