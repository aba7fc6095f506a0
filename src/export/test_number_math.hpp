// SPDX-License-Identifier: MIT
// NumberMath evaluates formulas as plain numbers, to compare them with the activations themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "export/parameters.hpp"

#include <knotwork/spline.hpp>

namespace knotwork::exporting {

// For one activation.
class NumberMath {
 public:
  using Value = double;

  explicit NumberMath(std::span<const Parameter> parameters) : parameters_(parameters) {}

  static double largest() { return std::numeric_limits<double>::max(); }
  static double select(bool condition, double a, double b) { return condition ? a : b; }
  static double abs(double a) { return std::fabs(a); }
  static double exp(double a) { return std::exp(a); }
  static double expm1(double a) { return std::expm1(a); }
  static double log1p(double a) { return std::log1p(a); }
  static double tanh(double a) { return std::tanh(a); }
  static double erfc(double a) { return std::erfc(a); }
  static double floor(double a) { return std::floor(a); }
  static bool is_nan(double a) { return std::isnan(a); }
  static double let(const char*, double a) { return a; }

  double parameter(const char* name) const { return values(name)[0]; }

  double sum(const char*, double s, const std::vector<std::string>& tensors,
             const std::function<double(double, const std::vector<double>&)>& term) {
    double total = 0;
    for (std::size_t k = 0; k < values(tensors[0]).size(); ++k) {
      std::vector<double> elements;
      for (const std::string& tensor : tensors) elements.push_back(values(tensor)[k]);
      index_ = static_cast<double>(k);
      total += term(s, elements);
    }
    return total;
  }

  double index() const { return index_; }

  std::pair<double, double> horner(const char*, double x, const char* tensor) const {
    double value = 0, slope = 0;
    const std::vector<double>& a = values(tensor);
    for (std::size_t k = a.size(); k-- > 0;) {
      slope = slope * x + value;
      value = value * x + a[k];
    }
    return {value, slope};
  }

  double cubic(const char*, double span, double u, const Matrix4& b) {
    q_ = &values("control_points").at(static_cast<std::size_t>(span));
    double value = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      value += (((b[0][k] * u + b[1][k]) * u + b[2][k]) * u + b[3][k]) * q_[k];
    }
    return value;
  }
  double cubic_slope(double u, const Matrix4& b) const {
    double slope = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      slope += ((3 * b[0][k] * u + 2 * b[1][k]) * u + b[2][k]) * q_[k];
    }
    return slope;
  }

 private:
  const std::vector<double>& values(std::string_view name) const {
    return parameter_of(parameters_, name).values;
  }

  std::span<const Parameter> parameters_;
  const double* q_ = nullptr;
  double index_ = 0;
};

}  // namespace knotwork::exporting
