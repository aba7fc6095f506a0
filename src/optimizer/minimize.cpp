// SPDX-License-Identifier: MIT
#include "optimizer/minimize.hpp"

#include <cmath>

#include "base/fail.hpp"
#include "optimizer/checks.hpp"

namespace knotwork {
namespace {

void check_rule(std::string_view field, double value) {
  if (!(value >= 0)) {
    fail(ErrorKind::bad_option, "The stop rule {} is {}; it must be 0 (off) or more.", field,
         value);
  }
}

void check_rules(const StopRules& rules) {
  check_rule("gradient_norm", rules.gradient_norm);
  check_rule("relative_decrease", rules.relative_decrease);
  check_rule("seconds", rules.seconds);
}

// `wish` is what the callback returned for the current point.
MinimizeResult go_on(Minimization& run, StopReason wish, const IterationCallback& callback,
                     const KeepCallback& keep) {
  while (true) {
    const StopReason reason = run.judge(wish);
    if (keep && (reason == StopReason::none || is_from_outside(reason))) {
      keep(run.report().iteration, reason);
    }
    if (reason != StopReason::none) return run.result(reason);
    run.iterate();
    wish = callback ? callback(run.report()) : StopReason::none;
  }
}

}  // namespace

Minimization::Minimization(Optimizer& optimizer, Function& function, const StopRules& rules)
    : optimizer_(optimizer), function_(function), rules_(rules) {
  check_rules(rules);
}

void Minimization::start(std::span<const double> point) {
  optimizer_.start(function_, point);
  check_start_value(optimizer_.value(), optimizer_.gradient_norm());  // may not be a built-in one
}

void Minimization::restore(const OptimizerState& state, std::size_t iterations_done) {
  optimizer_.restore(state);
  if (optimizer_.point().size() != function_.size()) {
    fail(ErrorKind::bad_model,
         "The optimizer's state has a point of {} numbers, but the function has {} parameters.",
         optimizer_.point().size(), function_.size());
  }
  iteration_ = iterations_done;
  own_ = StopReason::none;
  fell_too_little_ = false;
}

void Minimization::move_to(std::span<const double> point) {
  optimizer_.start_again(function_, point);
  check_start_value(optimizer_.value(), optimizer_.gradient_norm());
  own_ = StopReason::none;
  fell_too_little_ = false;
}

void Minimization::iterate() {
  const double old_value = optimizer_.value();
  own_ = optimizer_.iterate(function_);
  ++iteration_;
  fell_too_little_ = fell_too_little(old_value);
}

StopReason Minimization::judge(StopReason wish) const {
  if (own_ != StopReason::none) return own_;
  if (wish != StopReason::none && !is_from_outside(wish)) return wish;
  if (fell_too_little_) return StopReason::relative_decrease;
  if (const StopReason rule = standing_rules(); rule != StopReason::none) return rule;
  const bool late = rules_.seconds > 0 && seconds() >= rules_.seconds;
  return wish == StopReason::none && late ? StopReason::time : wish;
}

IterationReport Minimization::report() const {
  return {iteration_,
          optimizer_.evaluations(),
          optimizer_.value(),
          optimizer_.gradient_norm(),
          optimizer_.last_step(),
          seconds(),
          optimizer_.point()};
}

MinimizeResult Minimization::result(StopReason reason) const {
  const std::span<const double> point = optimizer_.point();
  return {reason,
          iteration_,
          optimizer_.evaluations(),
          optimizer_.value(),
          seconds(),
          {point.begin(), point.end()}};
}

bool Minimization::fell_too_little(double old_value) const {
  // A failed line search takes no step; whether the restart after it makes progress is not known
  // yet.
  if (rules_.relative_decrease == 0 || optimizer_.last_step() == 0) return false;
  return old_value - optimizer_.value() <= rules_.relative_decrease * std::abs(old_value);
}

// The rules that can hold before any iteration; rules about the point come first.
StopReason Minimization::standing_rules() const {
  if (rules_.gradient_norm > 0 && optimizer_.gradient_norm() <= rules_.gradient_norm) {
    return StopReason::gradient_norm;
  }
  if (iteration_ >= rules_.iterations) return StopReason::iterations;
  if (rules_.evaluations > 0 && optimizer_.evaluations() >= rules_.evaluations) {
    return StopReason::evaluations;
  }
  return StopReason::none;
}

MinimizeResult minimize(Optimizer& optimizer, Function& function, std::span<const double> start,
                        const StopRules& rules, const IterationCallback& callback,
                        const KeepCallback& keep) {
  Minimization run(optimizer, function, rules);
  run.start(start);
  return go_on(run, callback ? callback(run.report()) : StopReason::none, callback, keep);
}

MinimizeResult resume(Optimizer& optimizer, Function& function, const OptimizerState& state,
                      std::size_t iterations_done, const StopRules& rules,
                      const IterationCallback& callback, const KeepCallback& keep) {
  Minimization run(optimizer, function, rules);
  run.restore(state, iterations_done);
  return go_on(run, StopReason::none, callback, keep);
}

}  // namespace knotwork
