// SPDX-License-Identifier: MIT
// Curves on other knots, with half the step or on another range.
#include "base/fail.hpp"

#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

void check_points(const Knots& knots, std::span<const double> control_points) {
  check(knots);
  if (control_points.size() == knots.count) return;
  fail(ErrorKind::bad_option, "A spline with {} knots needs as many control points, not {}.",
       knots.count, control_points.size());
}

// The weights of a span's four points in the slope, at step 1, at the span's ends.
struct SpanEnds {
  std::array<double, 4> left_slope, right_slope;
};

SpanEnds ends_of(const Matrix4& b) {
  SpanEnds ends;
  ends.left_slope = b[2];
  for (std::size_t k = 0; k < 4; ++k) ends.right_slope[k] = 3 * b[0][k] + 2 * b[1][k] + b[2][k];
  return ends;
}

// Chooses the outermost points of a curve so that it has these slopes, at step 1, at its ends.
// Points without influence on the slopes stay unchanged.
void set_end_slopes(const SplineBasis& basis, double left, double right, std::span<double> q) {
  const SpanEnds ends = ends_of(basis.matrix);
  const std::size_t last = q.size() - 4;  // span
  if (ends.left_slope[0] != 0) {
    for (std::size_t k = 1; k < 4; ++k) left -= ends.left_slope[k] * q[k];
    q.front() = left / ends.left_slope[0];
  }
  if (ends.right_slope[3] != 0) {
    for (std::size_t k = 0; k < 3; ++k) right -= ends.right_slope[k] * q[last + k];
    q.back() = right / ends.right_slope[3];
  }
}

}  // namespace

Knots halved(const Knots& knots) {
  check(knots);
  return {knots.drawn_begin() - knots.step / 2, knots.step / 2, 2 * knots.count - 3};
}

std::vector<double> halved(const SplineBasis& basis, const Knots& knots,
                           std::span<const double> control_points) {
  check_points(knots, control_points);
  const std::span<const double> q = control_points;
  std::vector<double> finer(2 * knots.count - 3);
  if (!basis.interpolates) {
    // Subdivision of the uniform cubic B-spline (Lane and Riesenfeld, 1980): there are new points
    // between two old ones and at each inner old one.
    for (std::size_t k = 0; k < finer.size(); ++k) {
      const std::size_t j = (k + 1) / 2;
      finer[k] = k % 2 == 0 ? (q[k / 2] + q[k / 2 + 1]) / 2 : (q[j - 1] + 6 * q[j] + q[j + 1]) / 8;
    }
    return finer;
  }
  // Samples of the curve; every span has a middle, so no rounding of knots is involved.
  const Matrix4& b = basis.matrix;
  const auto middle = [&](std::size_t span) {
    double value = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      value += (b[0][k] / 8 + b[1][k] / 4 + b[2][k] / 2 + b[3][k]) * q[span + k];
    }
    return value;
  };
  for (std::size_t k = 1; k + 1 < finer.size(); ++k) {
    finer[k] = k % 2 == 1 ? q[(k + 1) / 2] : middle(k / 2 - 1);
  }
  // For straight pieces the outermost points matter only for penalties: they stay on their lines.
  finer.front() = (q[0] + q[1]) / 2;
  finer.back() = (q[q.size() - 2] + q.back()) / 2;
  const SpanEnds ends = ends_of(b);
  double left = 0, right = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    left += ends.left_slope[k] * q[k] / 2;
    right += ends.right_slope[k] * q[q.size() - 4 + k] / 2;
  }
  set_end_slopes(basis, left, right, finer);
  return finer;
}

std::vector<double> refitted(const SplineBasis& basis, Tails tails, const Knots& old,
                             std::span<const double> control_points, const Knots& knots) {
  check_points(old, control_points);
  const Spline curve(basis, tails, old, {control_points.begin(), control_points.end()});
  const InitialFunction as_function{"the old curve", [&](double s) { return curve.value(s); },
                                    [&](double s) { return curve.slope(s); }};
  std::vector<double> points = fit_control_points(basis, knots, as_function);
  if (basis.interpolates) {
    set_end_slopes(basis, curve.slope(knots.drawn_begin()) * knots.step,
                   curve.slope(knots.drawn_end()) * knots.step, points);
  }
  return points;
}

}  // namespace knotwork
