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
      const IterationCallback& callback, const KeepCallback& keep, std::size_t iterations_done)
      : optimizer_(optimizer),
        function_(function),
        rules_(rules),
        callback_(callback),
        keep_(keep),
        iteration_(iterations_done) {}

  // What the caller wishes after seeing where the run stands.
  StopReason report() const {
    if (!callback_) return StopReason::none;
    return callback_({iteration_, optimizer_.evaluations(), optimizer_.value(),
                      optimizer_.gradient_norm(), optimizer_.last_step(), seconds(),
                      optimizer_.point()});
  }

  // `wish` is what the callback said of the point where the run stands.
  MinimizeResult go_on(StopReason wish) {
    StopReason reason = why_end(StopReason::none, wish, false);
    while (reason == StopReason::none) {
      const double old_value = optimizer_.value();
      const StopReason own = optimizer_.iterate(function_);
      ++iteration_;
      reason = why_end(own, report(), fell_too_little(old_value));
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

  // Why the run ends here, if it does. The caller sees the last iteration too, but cannot overrule
  // the optimizer's own end; ends from outside come last, so that a run that goes on from here
  // later has missed no other.
  StopReason why_end(StopReason own, StopReason wish, bool fell_too_little) const {
    if (own != StopReason::none) return own;
    const bool from_outside = wish == StopReason::requested || wish == StopReason::time;
    if (wish != StopReason::none && !from_outside) return wish;
    if (fell_too_little) return StopReason::relative_decrease;
    if (const StopReason rule = standing_rules(); rule != StopReason::none) return rule;
    const bool late = rules_.seconds > 0 && seconds() >= rules_.seconds;
    const StopReason outside = wish == StopReason::none && late ? StopReason::time : wish;
    if (keep_) keep_(iteration_, outside);
    return outside;
  }

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
    return StopReason::none;
  }

  Optimizer& optimizer_;
  Function& function_;
  const StopRules& rules_;
  const IterationCallback& callback_;
  const KeepCallback& keep_;
  std::size_t iteration_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

MinimizeResult minimize(Optimizer& optimizer, Function& function, std::span<const double> start,
                        const StopRules& rules, const IterationCallback& callback,
                        const KeepCallback& keep) {
  check_rules(rules);
  Run run(optimizer, function, rules, callback, keep, 0);
  optimizer.start(function, start);
  check_start_value(optimizer.value(), optimizer.gradient_norm());  // for optimizers of others
  return run.go_on(run.report());
}

MinimizeResult resume(Optimizer& optimizer, Function& function, const OptimizerState& state,
                      std::size_t iterations_done, const StopRules& rules,
                      const IterationCallback& callback, const KeepCallback& keep) {
  check_rules(rules);
  Run run(optimizer, function, rules, callback, keep, iterations_done);
  optimizer.restore(state);
  if (optimizer.point().size() != function.size()) {
    fail(ErrorKind::bad_model,
         "The optimizer's state holds a point of {} numbers, but the function has {} parameters.",
         optimizer.point().size(), function.size());
  }
  return run.go_on(StopReason::none);
}

}  // namespace knotwork
