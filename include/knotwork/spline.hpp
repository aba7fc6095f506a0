// SPDX-License-Identifier: MIT
// Splines are uniform cubic curves, the activation functions that Knotwork learns.
//
// Q >= 4 control points q_k sit at x_k = first_knot + k * step. Span i draws the curve between
// x_{i+1} and x_{i+2} from q_i .. q_{i+3}: with t = (s - first_knot) / step - 1 clamped to
// [0, Q-3], i = min(floor(t), Q-4) and u = t - i,
//     y = [u^3 u^2 u 1] B [q_i .. q_{i+3}]^T.
// The paper's 21 points at -2, -1.8, .. 2 draw the curve on [-1.8, 1.8] in 18 spans.
//
// Outside the drawn range the curve continues along its end tangent (Tails::linear, C1, gradients
// do not vanish) or stays constant (Tails::constant). NaN gives NaN, +-infinity its tail's limit.
//
// Bases: `catmull-rom` passes through its points and is C1; `b-spline` does not and is C2;
// `cardinal` is Catmull-Rom with tangents shorter by a tension; `linear` joins its points by
// straight lines.
// Scardapane et al., "Learning activation functions from data using cubic spline interpolation".
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

enum class Tails { linear, constant };
template <>
struct EnumNames<Tails> {
  static constexpr EnumFamily family{"kind of tails"};
  static constexpr EnumName<Tails> all[] = {
      {Tails::linear, "linear"},
      {Tails::constant, "constant"},
  };
};
[[deprecated("is from_string<Tails>() now")]] inline Tails tails_from_name(std::string_view name) {
  return from_string<Tails>(name);
}

using Matrix4 = std::array<std::array<double, 4>, 4>;

struct SplineBasis {
  std::string name;
  std::string summary;
  bool interpolates;  // does the curve pass through its control points?
  Matrix4 matrix;     // B; in the table, for tension 0
  // For a basis with a tension: its B for that tension. Null for other bases.
  Matrix4 (*with_tension)(double tension) = nullptr;
};
KNOTWORK_API const NamedTable<SplineBasis>& spline_bases();
// The basis of that name with a tension of at least 0 and below 1. Throws bad_option for a tension
// other than 0 unless the basis is `cardinal`.
KNOTWORK_API SplineBasis spline_basis(std::string_view name, double tension = 0);

// Functions that a curve can start from.
struct InitialFunction {
  std::string name;
  std::function<double(double)> value;
  std::function<double(double)> slope;
};
KNOTWORK_API const NamedTable<InitialFunction>& initial_functions();

// Equally spaced knots, symmetric around 0 in the paper: {-2, 0.2, 21}.
struct KNOTWORK_API Knots {
  double first = -2;
  double step = 0.2;
  std::size_t count = 21;

  double at(std::size_t k) const { return first + static_cast<double>(k) * step; }
  double drawn_begin() const { return at(1); }
  double drawn_end() const { return at(count - 2); }
  // `count` knots from -range to +range.
  static Knots symmetric(double range, std::size_t count);
};
// Throws bad_option unless there are at least 4 knots and the step is positive and finite.
KNOTWORK_API void check(const Knots& knots);

// Control points whose *curve* follows the function. For a basis that interpolates they are
// samples; otherwise they solve Q equations: the value at x_1 .. x_{Q-2} and the slope at both of
// these ends.
KNOTWORK_API std::vector<double> fit_control_points(const SplineBasis& basis, const Knots& knots,
                                                    const InitialFunction& function);

// One curve, for plots, tests and reports. Networks evaluate whole blocks instead.
class KNOTWORK_API Spline {
 public:
  Spline(const SplineBasis& basis, Tails tails, Knots knots, std::vector<double> control_points);

  double value(double s) const;
  double slope(double s) const;
  // Adds dy/dq_k to gradient[k]; gradient has one element for each control point.
  void add_control_point_gradient(double s, double factor, std::span<double> gradient) const;

  const Knots& knots() const { return knots_; }
  const std::vector<double>& control_points() const { return control_points_; }

 private:
  Matrix4 basis_;
  Tails tails_;
  Knots knots_;
  std::vector<double> control_points_;
  std::vector<double> coefficients_;
};

// The least factor for which no curve of the basis is steeper than  factor * d / step  when
// neighboring control points differ by at most d: 1 for `b-spline` and `linear`, 1.5 for
// `catmull-rom` and `cardinal` (halfway between two points, when the differences alternate).
KNOTWORK_API double slope_factor(const SplineBasis& basis);
// True if non-decreasing control points always give a non-decreasing curve. This holds for
// `b-spline` and `linear`; the other bases undershoot before a step.
KNOTWORK_API bool rises_with_its_points(const SplineBasis& basis);
// The largest |slope| of one curve, tails included.
KNOTWORK_API double greatest_slope(const SplineBasis& basis, double step,
                                   std::span<const double> control_points);
// The same drawn range in twice as many spans: 2Q - 3 knots with half the step.
KNOTWORK_API Knots halved(const Knots& knots);
// The curve on halved(knots). Values and slopes at both ends, and so the tails, are kept. Between
// the ends, with T = max |q_{k+3} - 3 q_{k+2} + 3 q_{k+1} - q_k| and D = max |q_{k+1} - q_k|,
//   b-spline, linear   the curve is the same;
//   catmull-rom        it moves by at most T / 64: it passes through the old curve at all new
//                      knots, and its tangents there are off by at most T / 8 of an old step;
//   cardinal           it moves by at most (1 - tension) T / 64 + 3 tension D / 16: at the new
//                      points in the middle the curve is as flat as it was at the old points.
// For tanh and the paper's knots T is 0.015, so that Catmull-Rom moves by less than 0.00024.
// Throws bad_option unless there is one control point for each knot.
KNOTWORK_API std::vector<double> halved(const SplineBasis& basis, const Knots& knots,
                                        std::span<const double> control_points);

// The curve on other knots, of any number: equal to the old one, tails included, at the new drawn
// knots, with the same slope at both ends. Curves of straight pieces have no free slopes; their
// outermost points, which draw nothing, then lie on the old curve too.
// Throws bad_option unless there is one control point for each old knot.
KNOTWORK_API std::vector<double> refitted(const SplineBasis& basis, Tails tails, const Knots& old,
                                          std::span<const double> control_points,
                                          const Knots& knots);

// Integrals over the drawn range [x_1, x_{Q-2}] as exact quadratic forms in the control points:
// slope is the integral of phi'^2, curvature the integral of phi''^2. For a straight line of slope
// m on a range of length L they are m^2 L and 0. A curve of straight pieces has no second
// derivative to integrate. Its curvature is a sum over its bends instead: step * (second difference
// / step^2)^2 at each drawn knot, with half weight at both ends. For a smooth function and a step
// that goes to 0 the sum converges to the same integral.
enum class Roughness { slope, curvature };
template <>
struct EnumNames<Roughness> {
  static constexpr EnumFamily family{"roughness"};
  static constexpr EnumName<Roughness> all[] = {
      {Roughness::slope, "slope"},
      {Roughness::curvature, "curvature"},
  };
};

// G with  integral = sum over spans of [q_i .. q_{i+3}] G [q_i .. q_{i+3}]^T  at step 1.
KNOTWORK_API Matrix4 roughness_form(const SplineBasis& basis, Roughness which);
// factor * integral; adds its derivative to gradient unless that is empty.
KNOTWORK_API double add_roughness(const Matrix4& form, Roughness which, double step,
                                  std::span<const double> control_points, double factor,
                                  std::span<double> gradient);

}  // namespace knotwork
