// SPDX-License-Identifier: MIT
#include "optimizer/lbfgs.hpp"

#include <gtest/gtest.h>
#include <lbfgs.h>

#include "optimizer/test_functions.hpp"

namespace knotwork {
namespace {

using testing::Quadratic;
using testing::Rosenbrock;

struct Minimum {
  std::vector<double> point;
  double value = 0;
  double gradient_norm = 0;
};

Minimum by_liblbfgs(Function& function, std::vector<double> x) {
  lbfgs_parameter_t parameters;
  lbfgs_parameter_init(&parameters);
  parameters.m = 10;
  parameters.epsilon = 1e-12;
  parameters.max_linesearch = 60;
  const auto evaluate = [](void* instance, const double* at, double* gradient, int size, double) {
    const auto n = static_cast<std::size_t>(size);
    return static_cast<Function*>(instance)->evaluate({at, n}, {gradient, n});
  };
  Minimum found;
  // The status is not checked: at full precision the library ends with a rounding error code.
  lbfgs(static_cast<int>(x.size()), x.data(), &found.value, evaluate, nullptr, &function,
        &parameters);
  std::vector<double> gradient(x.size());
  found.value = function.evaluate(x, gradient);
  for (double g : gradient) found.gradient_norm = std::hypot(found.gradient_norm, g);
  found.point = std::move(x);
  return found;
}

Minimum by_ours(Function& function, const std::vector<double>& x, int iterations = 5000) {
  Lbfgs lbfgs({});
  lbfgs.start(function, x);
  for (int i = 0; i < iterations && lbfgs.gradient_norm() > 1e-11; ++i) {
    if (lbfgs.iterate(function) != StopReason::none) break;
  }
  return {{lbfgs.point().begin(), lbfgs.point().end()}, lbfgs.value(), lbfgs.gradient_norm()};
}

void expect_agreement(Function& function, const std::vector<double>& start, double tolerance) {
  const Minimum wanted = by_liblbfgs(function, start);
  const Minimum found = by_ours(function, start);
  ASSERT_LT(wanted.gradient_norm, 1e-6) << "the oracle itself did not converge";
  EXPECT_LT(found.gradient_norm, 1e-6);
  EXPECT_NEAR(found.value, wanted.value, 1e-12 * std::max(1.0, std::abs(wanted.value)));
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_NEAR(found.point[i], wanted.point[i], tolerance) << "parameter " << i;
  }
}

TEST(Lbfgs, AgreesWithLiblbfgsOnRosenbrock) {
  for (std::size_t size : {2u, 5u, 20u}) {
    SCOPED_TRACE(size);
    Rosenbrock function(size);
    std::vector<double> start(size, 0.5);  // in the basin of (1, ..., 1)
    if (size == 2) start = {-1.2, 1.0};
    expect_agreement(function, start, 1e-8);
    const Minimum found = by_ours(function, start);
    for (double x : found.point) EXPECT_NEAR(x, 1, 1e-8);
  }
}

TEST(Lbfgs, AgreesWithLiblbfgsOnAnIllConditionedQuadratic) {
  std::vector<double> curvature, center;
  for (int i = 0; i < 13; ++i) {
    curvature.push_back(std::pow(10.0, -3 + 0.5 * i));  // 1e-3 to 1e3
    center.push_back(std::cos(i));
  }
  Quadratic function(curvature, center);
  expect_agreement(function, std::vector<double>(13, 3.0), 1e-7);
}

// Mean log loss of 30 rows in 4 inputs and a bias, with a little ridge so that there is a minimum.
class Logistic : public Function {
 public:
  std::size_t size() const override { return 5; }
  double evaluate(std::span<const double> w, std::span<double> gradient) override {
    constexpr int kRows = 30;
    constexpr double kRidge = 1e-2;
    double value = 0;
    for (std::size_t j = 0; j < 5; ++j) {
      value += kRidge * w[j] * w[j];
      gradient[j] = 2 * kRidge * w[j];
    }
    for (int row = 0; row < kRows; ++row) {
      double x[5] = {1, std::sin(row), std::cos(2.0 * row), std::sin(3.0 * row + 1), row / 30.0};
      const double sign = x[1] + 0.5 * x[2] - x[4] + 0.4 * std::sin(17.0 * row) > 0 ? 1 : -1;
      double margin = 0;
      for (std::size_t j = 0; j < 5; ++j) margin += sign * w[j] * x[j];
      value += std::log1p(std::exp(-margin)) / kRows;
      const double pull = -sign / (1 + std::exp(margin)) / kRows;
      for (std::size_t j = 0; j < 5; ++j) gradient[j] += pull * x[j];
    }
    return value;
  }
};

TEST(Lbfgs, AgreesWithLiblbfgsOnLogisticRegression) {
  Logistic function;
  expect_agreement(function, std::vector<double>(5, 0.0), 1e-9);
}

TEST(Lbfgs, NeedsFewIterationsOnRosenbrock) {
  Rosenbrock function(20);
  Lbfgs lbfgs({});
  lbfgs.start(function, std::vector<double>(20, 0.5));
  int iterations = 0;
  while (lbfgs.gradient_norm() > 1e-8 && lbfgs.iterate(function) == StopReason::none) ++iterations;
  EXPECT_LE(lbfgs.gradient_norm(), 1e-8);
  EXPECT_LT(iterations, 150);  // steepest descent would need tens of thousands
}

TEST(Lbfgs, TriesStepOneOnceItHasMemory) {
  Rosenbrock function(2);
  Lbfgs lbfgs({});
  lbfgs.start(function, std::vector{-1.2, 1.0});
  const double slope = lbfgs.state().numbers.at("slope");
  EXPECT_EQ(lbfgs.state().numbers.at("first_step"), 1 / (1 - slope));
  ASSERT_EQ(lbfgs.iterate(function), StopReason::none);
  EXPECT_EQ(lbfgs.state().numbers.at("pairs"), 1);
  EXPECT_EQ(lbfgs.state().numbers.at("first_step"), 1);
}

TEST(Lbfgs, KeepsNoMorePairsThanItsMemory) {
  OptimizerOptions options;
  options.lbfgs_memory = 3;
  Rosenbrock function(6);
  Lbfgs lbfgs(options);
  lbfgs.start(function, std::vector<double>(6, 0.5));
  std::vector<double> before(lbfgs.point().begin(), lbfgs.point().end());
  for (int i = 1; i <= 8; ++i) {
    before.assign(lbfgs.point().begin(), lbfgs.point().end());
    ASSERT_EQ(lbfgs.iterate(function), StopReason::none);
    EXPECT_EQ(lbfgs.state().numbers.at("pairs"), std::min(i, 3));
  }
  // The newest pair comes last.
  const std::vector<double> steps = lbfgs.state().vectors.at("steps");
  ASSERT_EQ(steps.size(), 18u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(steps[12 + i], lbfgs.point()[i] - before[i]);
}

TEST(Lbfgs, DirectionIsExactForAQuadraticWithFullMemory) {
  // With as many independent pairs as dimensions the recursion knows the whole Hessian, so step 1
  // reaches the minimum: convergence takes a few more searches than there are dimensions.
  Quadratic function({1, 3, 10}, {2, -1, 0.5});
  Lbfgs lbfgs({});
  lbfgs.start(function, std::vector<double>(3, 0.0));
  for (int i = 0; i < 12 && lbfgs.gradient_norm() > 1e-10; ++i) {
    ASSERT_EQ(lbfgs.iterate(function), StopReason::none);
  }
  EXPECT_LE(lbfgs.gradient_norm(), 1e-10);
}

TEST(Lbfgs, FailedSearchDropsTheMemoryAndTwoEndTheRun) {
  Rosenbrock inner(2);
  Lbfgs lbfgs({});
  lbfgs.start(inner, std::vector{-1.2, 1.0});
  for (int i = 0; i < 4; ++i) lbfgs.iterate(inner);
  ASSERT_GT(lbfgs.state().numbers.at("pairs"), 0);
  const double value = lbfgs.value();

  testing::Walled wall(inner, -100, testing::kNan);  // from now on nothing is finite
  EXPECT_EQ(lbfgs.iterate(wall), StopReason::none);
  EXPECT_EQ(lbfgs.state().numbers.at("pairs"), 0);
  EXPECT_EQ(lbfgs.value(), value);
  EXPECT_EQ(lbfgs.iterate(wall), StopReason::non_finite);
  EXPECT_EQ(lbfgs.value(), value);
  EXPECT_TRUE(std::isfinite(lbfgs.point()[0]));
}

// A step of 1/2 along the first axis after which the gradient has turned by `across`.
class Turn : public Function {
 public:
  explicit Turn(double across) : across_(across) {}
  std::size_t size() const override { return 2; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    asked.emplace_back(x.begin(), x.end());
    const bool at_start = x[0] == 0;
    gradient[0] = at_start ? 1 : 0.05;
    gradient[1] = at_start ? 0 : across_;
    return at_start ? 0 : -1;
  }

  std::vector<std::vector<double>> asked;

 private:
  double across_;
};

TEST(Lbfgs, SkipsAPairWhoseCurvatureIsLostInRounding) {
  for (const double across : {1e3, 1e12}) {
    Turn function(across);
    Lbfgs lbfgs({});
    lbfgs.start(function, std::vector{0.0, 0.0});
    ASSERT_EQ(lbfgs.iterate(function), StopReason::none);
    ASSERT_EQ(lbfgs.last_step(), 0.5);
    EXPECT_EQ(lbfgs.state().numbers.at("pairs"), across < 1e6 ? 1 : 0);
    if (across < 1e6) continue;
    // Without a pair the next search begins like the first one, 1/(1 + |g|^2) along -g.
    function.asked.clear();
    lbfgs.iterate(function);
    const double squared = 0.05 * 0.05 + across * across;
    EXPECT_DOUBLE_EQ(function.asked.at(0)[1], -across / (1 + squared));
  }
}

}  // namespace
}  // namespace knotwork
