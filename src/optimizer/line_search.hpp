// SPDX-License-Identifier: MIT
// The line search of conjugate gradient and L-BFGS follows C. E. Rasmussen's `minimize`.
//
// Along x + t*direction write f(t) for the value and f'(t) for the slope. The search looks for a
// step with both Wolfe-Powell conditions (the strong form: Nocedal and Wright, Numerical
// Optimization, 2006, section 3.1)
//
//   f(t) < f(0) + decrease * t * f'(0)      and      |f'(t)| < curvature * |f'(0)|.
//
// It first extrapolates: the cubic through the values and slopes at step 0 and at the newest trial
// (never between the last two) gives the next trial, at most `extrapolation` times and at least
// `1 + interpolation` times the step; a trial that is not finite halves the step. Once a trial is
// too high or its slope has turned, it interpolates inside the bracket: a parabola when the upper
// end is above the start, a cubic otherwise, at least a share `interpolation` away from both ends.
// An upper end that is not finite says nothing about the shape, so the bracket is halved.
//
// A trial counts as finite when its point, value, slope and squared gradient norm are all finite.
// The inequalities are strict on purpose: where rounding has flattened f, a search that gains
// nothing must fail; otherwise a run would succeed forever.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <knotwork/optimizer.hpp>

namespace knotwork {

struct LineSearchStart {
  std::span<const double> point;
  double value = 0;
  std::span<const double> gradient;
  std::span<const double> direction;
  double slope = 0;  // gradient . direction; must be below 0 and finite
  double first_step = 0;
};

// Vectors of a search, owned by the optimizer, so that only the first search allocates.
struct LineSearchWork {
  std::vector<double> point, gradient;            // of the accepted step, when there is one
  std::vector<double> best_point, best_gradient;  // of the lowest finite value; initially the start
};

struct LineSearchResult {
  bool success = false;
  double step = 0;  // step, value and slope of the accepted step; only valid on success
  double value = 0;
  double slope = 0;
  double best_value = 0;
  bool any_finite = false;      // at least one trial was finite
  std::size_t evaluations = 0;  // of the function
};

LineSearchResult search_line(Function& function, const LineSearchStart& start,
                             const LineSearchOptions& options, LineSearchWork& work);

}  // namespace knotwork
