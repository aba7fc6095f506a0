// SPDX-License-Identifier: MIT
#include "parallel/watched_work.hpp"

#include <algorithm>

#include "base/fail.hpp"

namespace knotwork {

Monitor::~Monitor() = default;

void Monitor::see(const Progress&) {}

bool Monitor::stop_requested() const {
  return stop_;
}

namespace parallel {

void check_stop(const Monitor* monitor) {
  if (monitor && monitor->stop_requested()) {
    fail(ErrorKind::stopped, "The work was stopped before it was complete.");
  }
}

WatchedWork::WatchedWork(Monitor* monitor, Phase phase, double steps)
    : monitor_(monitor), phase_(phase), steps_(steps), told_(Clock::now()) {
  check();
}

void WatchedWork::advance(double steps) {
  check();
  if (!monitor_) return;
  constexpr std::chrono::milliseconds kBetween{50};
  const Lock lock(mutex_);
  done_ += steps;
  const Clock::time_point now = Clock::now();
  if (now - told_ < kBetween && done_ < steps_) return;
  told_ = now;
  monitor_->see({phase_, steps_ > 0 ? std::min(1.0, done_ / steps_) : 1.0, nullptr});
}

void PartMonitor::see(const Progress& progress) {
  if (whole_) whole_->see({phase_, from_ + progress.share * (to_ - from_), progress.iteration});
}

bool PartMonitor::stop_requested() const {
  return Monitor::stop_requested() || (whole_ && whole_->stop_requested());
}

}  // namespace parallel
}  // namespace knotwork
