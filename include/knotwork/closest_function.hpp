// SPDX-License-Identifier: MIT
// Which known function a learned curve resembles: the one of a short list for which
//     a f(b s + c) + d
// comes closest to the curve in the mean square, and R^2, the share of the curve's variance that it
// explains. A description for people; the function is never put in the curve's place.
//
// The list begins with the simplest: of all that are as good as the best to 0.005 of R^2 (to
// 0.001 if the best explains 0.999) the first one is taken, and the `identity` wherever its own R^2
// is at least 0.98: the slight bend of a nearly straight curve is always some function's and says
// nothing. What makes a function must be seen: its
// bend, its inflection or most of its peak, of a wave a half to two periods. A sigmoid is a tanh
// with other a, b, c and d.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include <knotwork/api.hpp>
#include <knotwork/named_table.hpp>
#include <knotwork/points.hpp>

namespace knotwork {

struct KnownFunction {
  std::string name;
  std::string formula;  // "log(1 + exp(x))"
  std::function<double(double)> value;
};
// identity, relu, absolute, step, square, cube, exponential, softplus, tanh, gaussian, sine
KNOTWORK_API const NamedTable<KnownFunction>& known_functions();

struct ClosestFunction {
  std::string name;
  double a = 1, b = 1, c = 0, d = 0;
  double r2 = 0;  // 1: the same where it counts
};

// Over the points of the curve, each counting by its weight (none given: all equally). Nothing if
// fewer than 5 points count, a number is not finite, or the curve is flat. Throws bad_option unless
// there are as many weights as points, or none. Takes about a millisecond.
KNOTWORK_API std::optional<ClosestFunction> closest_function(const FigurePoints& curve,
                                                             std::span<const double> weights = {});

}  // namespace knotwork
