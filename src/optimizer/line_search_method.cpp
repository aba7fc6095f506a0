// SPDX-License-Identifier: MIT
#include "optimizer/line_search_method.hpp"

#include <cmath>
#include <utility>

#include "optimizer/vectors.hpp"

namespace knotwork {

void LineSearchMethod::start(Function& function, std::span<const double> x) {
  check_start_size(function, x);
  point_.assign(x.begin(), x.end());
  gradient_.assign(x.size(), 0.0);
  direction_.assign(x.size(), 0.0);
  value_ = function.evaluate(point_, gradient_);
  evaluations_ = 1;
  last_step_ = 0;
  failed_before_ = false;
  check_start_value(value_, gradient_norm());
  restart();
}

void LineSearchMethod::start_again(Function& function, std::span<const double> x) {
  const std::size_t before = evaluations_;
  start(function, x);
  evaluations_ += before;
}

void LineSearchMethod::descend_steepest() {
  for (std::size_t i = 0; i < gradient_.size(); ++i) direction_[i] = -gradient_[i];
  slope_ = -dot(gradient_, gradient_);
}

void LineSearchMethod::restart() {
  forget(point_.size());
  descend_steepest();
  first_step_ = 1 / (1 - slope_);
}

StopReason LineSearchMethod::iterate(Function& function) {
  check_started(function, point_);
  if (!(slope_ < 0)) {
    last_step_ = 0;
    return StopReason::no_progress;
  }
  const LineSearchResult found = search_line(
      function, {point_, value_, gradient_, direction_, slope_, first_step_}, options_, work_);
  evaluations_ += found.evaluations;

  if (!found.success) {
    point_.swap(work_.best_point);
    gradient_.swap(work_.best_gradient);
    value_ = found.best_value;
    last_step_ = 0;
    restart();
    if (!std::exchange(failed_before_, true)) return StopReason::none;
    return found.any_finite ? StopReason::no_progress : StopReason::non_finite;
  }

  point_.swap(work_.point);  // from here on the work vectors have the previous point
  gradient_.swap(work_.gradient);
  value_ = found.value;
  last_step_ = found.step;
  failed_before_ = false;
  const double old_slope = slope_;
  choose_direction(work_.point, work_.gradient);
  slope_ = dot(gradient_, direction_);
  if (!(slope_ < 0) || !std::isfinite(slope_)) {
    forget(point_.size());
    descend_steepest();
  }
  first_step_ = choose_first_step(last_step_, old_slope);
  if (!std::isfinite(first_step_)) first_step_ = 1 / (1 - slope_);
  return StopReason::none;
}

double LineSearchMethod::gradient_norm() const {
  return norm(gradient_);
}

OptimizerState LineSearchMethod::state() const {
  OptimizerState state;
  state.optimizer = name();
  state.vectors = {{"point", point_}, {"gradient", gradient_}, {"direction", direction_}};
  state.numbers = {{"value", value_},
                   {"slope", slope_},
                   {"first_step", first_step_},
                   {"last_step", last_step_},
                   {"failed_before", failed_before_ ? 1.0 : 0.0},
                   {"evaluations", static_cast<double>(evaluations_)}};
  save(state);
  return state;
}

void LineSearchMethod::restore(const OptimizerState& state) {
  const StateReader reader(state, name());
  const std::vector<double>& point = reader.vector("point");
  const std::vector<double>& gradient = reader.vector("gradient", point.size());
  const std::vector<double>& direction = reader.vector("direction", point.size());
  const double value = reader.number("value");
  const double slope = reader.number("slope");
  const double first_step = reader.number("first_step");
  const double last_step = reader.number("last_step");
  const bool failed_before = reader.count("failed_before") != 0;
  const std::uint64_t evaluations = reader.count("evaluations");
  load(reader, point.size());

  point_ = point;
  gradient_ = gradient;
  direction_ = direction;
  value_ = value;
  slope_ = slope;
  first_step_ = first_step;
  last_step_ = last_step;
  failed_before_ = failed_before;
  evaluations_ = static_cast<std::size_t>(evaluations);
}

}  // namespace knotwork
