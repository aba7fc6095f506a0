// SPDX-License-Identifier: MIT
// Driving an optimizer to a stop rule.
#include <chrono>
#include <cmath>

#include <knotwork/optimizer.hpp>

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

class Run {
 public:
  Run(Optimizer& optimizer, Function& function, const StopRules& rules,
      const IterationCallback& callback, std::size_t iterations_done)
      : optimizer_(optimizer),
        function_(function),
        rules_(rules),
        callback_(callback),
        iteration_(iterations_done) {}

  // What the caller wishes after seeing where the run stands.
  StopReason report() const {
    if (!callback_) return StopReason::none;
    return callback_({iteration_, optimizer_.evaluations(), optimizer_.value(),
                      optimizer_.gradient_norm(), optimizer_.last_step(), seconds(),
                      optimizer_.point()});
  }

  MinimizeResult go_on(StopReason reason) {
    if (reason == StopReason::none) reason = standing_rules();
    while (reason == StopReason::none) {
      const double old_value = optimizer_.value();
      reason = optimizer_.iterate(function_);
      ++iteration_;
      // The caller sees the last iteration too, but cannot overrule the optimizer's own end.
      const StopReason wish = report();
      if (reason == StopReason::none) reason = wish;
      if (reason == StopReason::none && fell_too_little(old_value)) {
        reason = StopReason::relative_decrease;
      }
      if (reason == StopReason::none) reason = standing_rules();
    }
    const std::span<const double> point = optimizer_.point();
    return {reason,
            iteration_,
            optimizer_.evaluations(),
            optimizer_.value(),
            seconds(),
            {point.begin(), point.end()}};
  }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  bool fell_too_little(double old_value) const {
    // A failed line search takes no step: the restart after it has yet to show what it can do.
    if (rules_.relative_decrease == 0 || optimizer_.last_step() == 0) return false;
    return old_value - optimizer_.value() <= rules_.relative_decrease * std::abs(old_value);
  }

  // The rules that need no iteration before them; those that say most about the point come first.
  StopReason standing_rules() const {
    if (rules_.gradient_norm > 0 && optimizer_.gradient_norm() <= rules_.gradient_norm) {
      return StopReason::gradient_norm;
    }
    if (iteration_ >= rules_.iterations) return StopReason::iterations;
    if (rules_.evaluations > 0 && optimizer_.evaluations() >= rules_.evaluations) {
      return StopReason::evaluations;
    }
    if (rules_.seconds > 0 && seconds() >= rules_.seconds) return StopReason::time;
    return StopReason::none;
  }

  Optimizer& optimizer_;
  Function& function_;
  const StopRules& rules_;
  const IterationCallback& callback_;
  std::size_t iteration_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

MinimizeResult minimize(Optimizer& optimizer, Function& function, std::span<const double> start,
                        const StopRules& rules, const IterationCallback& callback) {
  check_rules(rules);
  Run run(optimizer, function, rules, callback, 0);
  optimizer.start(function, start);
  check_start_value(optimizer.value(), optimizer.gradient_norm());  // for optimizers of others
  return run.go_on(run.report());
}

MinimizeResult resume(Optimizer& optimizer, Function& function, const OptimizerState& state,
                      std::size_t iterations_done, const StopRules& rules,
                      const IterationCallback& callback) {
  check_rules(rules);
  Run run(optimizer, function, rules, callback, iterations_done);
  optimizer.restore(state);
  if (optimizer.point().size() != function.size()) {
    fail(ErrorKind::bad_model,
         "The optimizer's state holds a point of {} numbers, but the function has {} parameters.",
         optimizer.point().size(), function.size());
  }
  return run.go_on(StopReason::none);
}

}  // namespace knotwork
