// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/fail.hpp"
#include "base/linear_algebra.hpp"
#include "kernels/control_points.hpp"
#include "kernels/spline.hpp"
#include "spline/rounded_basis.hpp"

#include <knotwork/spline.hpp>

namespace knotwork {

Knots Knots::symmetric(double range, std::size_t count) {
  return {-range, count > 1 ? 2 * range / static_cast<double>(count - 1) : 0, count};
}

void check(const Knots& knots) {
  if (knots.count < 4) {
    fail(ErrorKind::bad_option, "A spline needs at least 4 control points, not {}.", knots.count);
  }
  // Lookups use 1/step, which must be finite too.
  if (!(knots.step > 0) || !std::isfinite(knots.step) || !std::isfinite(1 / knots.step) ||
      !std::isfinite(knots.first)) {
    fail(ErrorKind::bad_option,
         "A spline's knots need a finite first position and a positive step, not {} and {}.",
         knots.first, knots.step);
  }
}

std::vector<double> fit_control_points(const SplineBasis& basis, const Knots& knots,
                                       const InitialFunction& function) {
  check(knots);
  const std::size_t count = knots.count;
  std::vector<double> points(count);
  if (basis.interpolates) {
    for (std::size_t k = 0; k < count; ++k) points[k] = function.value(knots.at(k));
    return points;
  }
  // At x_j the curve is its span j-1 at u = 0, that is row 3 of B; at the last drawn knot it is the
  // last span at u = 1, the sum of all rows. Slopes: row 2, and 3 row 0 + 2 row 1 + row 2.
  const std::size_t n = count;
  const Matrix4& b = basis.matrix;
  std::vector<SparseEntry> entries;
  std::vector<double> wanted(n);
  auto equation = [&](std::size_t row, std::size_t span, auto&& entry, double value) {
    for (std::size_t k = 0; k < 4; ++k) entries.push_back({row, span + k, entry(k)});
    wanted[row] = value;
  };
  for (std::size_t j = 1; j < n - 2; ++j) {
    equation(
        j, j - 1, [&](std::size_t k) { return b[3][k]; }, function.value(knots.at(j)));
  }
  equation(
      n - 2, n - 4, [&](std::size_t k) { return b[0][k] + b[1][k] + b[2][k] + b[3][k]; },
      function.value(knots.drawn_end()));
  equation(
      0, 0, [&](std::size_t k) { return b[2][k]; },
      function.slope(knots.drawn_begin()) * knots.step);
  equation(
      n - 1, n - 4, [&](std::size_t k) { return 3 * b[0][k] + 2 * b[1][k] + b[2][k]; },
      function.slope(knots.drawn_end()) * knots.step);
  if (!solve_sparse(entries, wanted, points)) {
    fail(ErrorKind::failed_run, "The basis '{}' cannot be fitted to a function.", basis.name);
  }
  return points;
}

Spline::Spline(const SplineBasis& basis, Tails tails, Knots knots,
               std::vector<double> control_points)
    : basis_(basis.matrix),
      tails_(tails),
      knots_(knots),
      control_points_(std::move(control_points)) {
  check(knots_);
  if (control_points_.size() != knots_.count) {
    fail(ErrorKind::bad_option, "A spline with {} knots needs as many control points, not {}.",
         knots_.count, control_points_.size());
  }
  coefficients_.resize(4 * (knots_.count - 3));
  control_point_kernels<double>().coefficients(basis_, control_points_.data(), knots_.count - 3,
                                               coefficients_.data());
}

namespace {

SplineCurve<double> curve_of(const std::vector<double>& coefficients, const Knots& knots,
                             Tails tails) {
  return {coefficients.data(), knots.drawn_begin(), 1 / knots.step, knots.count - 3,
          tails == Tails::linear};
}

}  // namespace

double Spline::value(double s) const {
  double y;
  spline_kernels<double>().forward(curve_of(coefficients_, knots_, tails_), &s, &y, nullptr, 1);
  return y;
}

double Spline::slope(double s) const {
  double y, slope;
  spline_kernels<double>().forward(curve_of(coefficients_, knots_, tails_), &s, &y, &slope, 1);
  return slope;
}

void Spline::add_control_point_gradient(double s, double factor, std::span<double> gradient) const {
  if (gradient.size() != knots_.count) {
    fail(ErrorKind::bad_option,
         "A spline with {} control points cannot add to a gradient with {} numbers.", knots_.count,
         gradient.size());
  }
  std::vector<double> moments(moments_size(knots_.count - 3));
  const SplineCurve<double> curve = curve_of(coefficients_, knots_, tails_);
  double value, slope, note;
  spline_kernels<double>().forward_noted(curve, &s, &value, &slope, &note, 1);
  double own = factor;  // is multiplied by the slope, which is not used here
  spline_kernels<double>().backward(curve, &s, &note, &slope, &own, moments.data(), 1);
  control_point_kernels<double>().collect(rounded_basis<double>(basis_), moments.data(),
                                          knots_.count - 3, gradient.data());
}

}  // namespace knotwork
