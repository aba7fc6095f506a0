// SPDX-License-Identifier: MIT
#include "optimizer/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "optimizer/vectors.hpp"

namespace knotwork {
namespace {

struct Trial {
  double step = 0;
  double value = 0;
  double slope = 0;
  bool finite = true;
};

// The minimum of the cubic through both values and slopes; NaN or infinite if there is none. For a
// + slope*h + b*h^2 + c*h^3 it is h = -slope / (b + sqrt(b^2 - 3*c*slope)), a form that also works
// when the cubic is nearly a parabola.
double cubic_minimum(const Trial& from, const Trial& to) {
  const double width = to.step - from.step;
  const double chord = (to.value - from.value) / width;
  const double b = (3 * chord - 2 * from.slope - to.slope) / width;
  const double c = (from.slope + to.slope - 2 * chord) / (width * width);
  return from.step - from.slope / (b + std::sqrt(b * b - 3 * c * from.slope));
}

// The minimum of the parabola through both values and the slope at `from`.
double parabola_minimum(const Trial& from, const Trial& to) {
  const double width = to.step - from.step;
  const double rise = to.value - from.value - from.slope * width;
  return from.step - 0.5 * from.slope * width * width / rise;
}

class Search {
 public:
  Search(Function& function, const LineSearchStart& start, const LineSearchOptions& options,
         LineSearchWork& work)
      : function_(function), start_(start), options_(options), work_(work) {
    origin_ = {0, start.value, start.slope, true};
    trials_left_ = options.max_evaluations;
    work.point.resize(start.point.size());
    work.gradient.resize(start.point.size());
    work.best_point.assign(start.point.begin(), start.point.end());
    work.best_gradient.assign(start.gradient.begin(), start.gradient.end());
    result_.best_value = start.value;
  }

  LineSearchResult run() {
    Trial trial = extrapolate();
    if (trial.finite) trial = interpolate(trial);
    result_.success = trial.finite && flat_enough(trial) && low_enough(trial);
    result_.step = trial.step;
    result_.value = trial.value;
    result_.slope = trial.slope;
    return result_;
  }

 private:
  bool flat_enough(const Trial& trial) const {
    return std::abs(trial.slope) < -options_.curvature * start_.slope;
  }
  bool low_enough(const Trial& trial) const {
    return trial.value < start_.value + options_.decrease * trial.step * start_.slope;
  }
  bool too_high(const Trial& trial) const {
    return trial.value > start_.value + options_.decrease * trial.step * start_.slope;
  }

  Trial evaluate(double step) {
    --trials_left_;
    // With infinity, every comparison treats a non-finite trial as too high.
    Trial trial{step, std::numeric_limits<double>::infinity(), 0, false};
    for (std::size_t i = 0; i < work_.point.size(); ++i) {
      work_.point[i] = start_.point[i] + step * start_.direction[i];
    }
    if (!all_finite(work_.point)) return trial;

    ++result_.evaluations;
    const double value = function_.evaluate(work_.point, work_.gradient);
    const double slope = dot(work_.gradient, start_.direction);
    if (!std::isfinite(value) || !std::isfinite(slope) ||
        !std::isfinite(dot(work_.gradient, work_.gradient))) {
      return trial;
    }
    result_.any_finite = true;
    if (value < result_.best_value) {
      result_.best_value = value;
      work_.best_point = work_.point;
      work_.best_gradient = work_.gradient;
    }
    return {step, value, slope, true};
  }

  // The first trial beyond which there is no reason to search, or the last one that the limit
  // allows.
  Trial extrapolate() {
    double step = start_.first_step;
    for (;;) {
      Trial trial = evaluate(step);
      while (!trial.finite && trials_left_ > 0) {
        step /= 2;
        trial = evaluate(step);
      }
      const bool turned = trial.slope > options_.curvature * start_.slope;
      if (!trial.finite || turned || too_high(trial) || trials_left_ == 0) return trial;

      const double farthest = options_.extrapolation * step;
      const double nearest = (1 + options_.interpolation) * step;
      const double wanted = cubic_minimum(origin_, trial);
      step = wanted >= 0 && wanted <= farthest ? std::max(wanted, nearest) : farthest;
    }
  }

  Trial interpolate(Trial trial) {
    Trial lower = origin_;
    Trial upper = trial;
    // "Not flat" and "too high" exclude equality, because the conditions are strict: a trial
    // exactly on a condition ends the search, and run() then rejects it.
    while (trials_left_ > 0 &&
           (std::abs(trial.slope) > -options_.curvature * start_.slope || too_high(trial))) {
      (trial.slope > 0 || too_high(trial) ? upper : lower) = trial;

      const double width = upper.step - lower.step;
      double step = lower.step + width / 2;
      if (upper.finite) {
        const double wanted = upper.value > start_.value ? parabola_minimum(lower, upper)
                                                         : cubic_minimum(lower, upper);
        if (std::isfinite(wanted)) step = wanted;
      }
      const double margin = options_.interpolation * width;
      trial = evaluate(std::max(std::min(step, upper.step - margin), lower.step + margin));
    }
    return trial;
  }

  Function& function_;
  const LineSearchStart& start_;
  const LineSearchOptions& options_;
  LineSearchWork& work_;
  Trial origin_;
  int trials_left_ = 0;
  LineSearchResult result_;
};

}  // namespace

LineSearchResult search_line(Function& function, const LineSearchStart& start,
                             const LineSearchOptions& options, LineSearchWork& work) {
  return Search(function, start, options, work).run();
}

}  // namespace knotwork
