// SPDX-License-Identifier: MIT
// These functions with known minima are for the optimizer tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <knotwork/optimizer.hpp>

namespace knotwork::testing {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// sum over i of 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2; its global minimum is 0 at (1, ..., 1).
class Rosenbrock : public Function {
 public:
  explicit Rosenbrock(std::size_t size) : size_(size) {}
  std::size_t size() const override { return size_; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    double value = 0;
    for (double& g : gradient) g = 0;
    for (std::size_t i = 0; i + 1 < size_; ++i) {
      const double valley = x[i + 1] - x[i] * x[i], rest = 1 - x[i];
      value += 100 * valley * valley + rest * rest;
      gradient[i] += -400 * x[i] * valley - 2 * rest;
      gradient[i + 1] += 200 * valley;
    }
    return value;
  }

 private:
  std::size_t size_;
};

// 1/2 sum of curvature_i * y_i^2 with y = x - center reflected in a plane, so that no axis is an
// eigenvector; its minimum is 0 at the center.
class Quadratic : public Function {
 public:
  Quadratic(std::vector<double> curvature, std::vector<double> center)
      : curvature_(std::move(curvature)), center_(std::move(center)) {}
  std::size_t size() const override { return center_.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    std::vector<double> y(size());
    for (std::size_t i = 0; i < size(); ++i) y[i] = x[i] - center_[i];
    reflect(y);
    double value = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      value += 0.5 * curvature_[i] * y[i] * y[i];
      y[i] *= curvature_[i];
    }
    reflect(y);
    for (std::size_t i = 0; i < size(); ++i) gradient[i] = y[i];
    return value;
  }

 private:
  void reflect(std::vector<double>& y) const {
    double along = 0;
    for (double number : y) along += number;
    for (double& number : y) number -= 2 * along / static_cast<double>(y.size());
  }

  std::vector<double> curvature_, center_;
};

// A one-dimensional function given as t -> (value, slope); records where it was evaluated.
class Curve : public Function {
 public:
  using Rule = std::function<std::pair<double, double>(double)>;
  explicit Curve(Rule rule) : rule_(std::move(rule)) {}
  std::size_t size() const override { return 1; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    asked.push_back(x[0]);
    const auto [value, slope] = rule_(x[0]);
    gradient[0] = slope;
    return value;
  }

  std::vector<double> asked;

 private:
  Rule rule_;
};

// Another function, but with the value `outside` wherever the first parameter is above `wall`.
class Walled : public Function {
 public:
  Walled(Function& inner, double wall, double outside)
      : inner_(inner), wall_(wall), outside_(outside) {}
  std::size_t size() const override { return inner_.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    const double value = inner_.evaluate(x, gradient);
    if (x[0] <= wall_) return value;
    for (double& g : gradient) g = kNan;
    return outside_;
  }

 private:
  Function& inner_;
  double wall_, outside_;
};

}  // namespace knotwork::testing
