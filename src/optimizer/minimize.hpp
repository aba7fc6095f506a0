// SPDX-License-Identifier: MIT
// A Minimization does what minimize() and resume() do, one iteration at a time as its caller
// requests.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

#include <knotwork/optimizer.hpp>

namespace knotwork {

class Minimization {
 public:
  // Keeps references to both. Throws bad_option for invalid rules.
  Minimization(Optimizer& optimizer, Function& function, const StopRules& rules);

  // Start at a point, or restore a state. Call judge() after either of them.
  void start(std::span<const double> point);
  void restore(const OptimizerState& state, std::size_t iterations_done);
  // Calls the optimizer's start_again() at another point.
  void move_to(std::span<const double> point);

  // If the function throws, the state is as before.
  void iterate();
  // Why the minimization ends after its start or its latest iteration; none: it continues. `wish`
  // is what the caller wants. The caller cannot overrule the optimizer's own end. Ends from outside
  // (requested, time) come last, so that a run that is resumed later does not miss any other
  // reason.
  StopReason judge(StopReason wish) const;

  IterationReport report() const;  // its point is a view of the optimizer's point
  MinimizeResult result(StopReason reason) const;

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool fell_too_little(double old_value) const;
  StopReason standing_rules() const;

  Optimizer& optimizer_;
  Function& function_;
  StopRules rules_;
  std::size_t iteration_ = 0;
  StopReason own_ = StopReason::none;  // the optimizer's own end
  bool fell_too_little_ = false;
  Clock::time_point begin_ = Clock::now();
};

// Whether the caller or the time limit ended it, so that it can be resumed.
inline bool is_from_outside(StopReason reason) {
  return reason == StopReason::requested || reason == StopReason::time;
}

}  // namespace knotwork
