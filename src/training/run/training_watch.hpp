// SPDX-License-Identifier: MIT
// TrainingWatch is the clock of a training, and decides whether the training must end now.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include <knotwork/monitor.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/ranks.hpp>

namespace knotwork::training {

using Clock = std::chrono::steady_clock;

// Shared by the networks of a training, which several threads may train. The clock is started and
// stopped while no network is being trained.
class TrainingWatch {
 public:
  // `monitor` may be null; a time limit of 0 means no limit.
  TrainingWatch(std::shared_ptr<Monitor> monitor, double time_limit)
      : monitor_(std::move(monitor)), time_limit_(time_limit) {}

  // Only time between start_clock() and stop_clock() counts.
  void start_clock() { begin_ = Clock::now(); }
  void stop_clock();
  double seconds() const;

  // Passes progress to the monitor. Only one thread may call it at a time.
  void see(const Progress& progress);
  // From now on a stop counts as requested.
  void end() { ended_ = true; }

  // Why the training must end: requested, time, or none. Uses only what this process knows.
  StopReason wish() const;
  // Why the training must end, as all processes agree in a round of `ranks` (null: single process).
  StopReason agreed_wish(Ranks* ranks) const;
  // Whether the time for closing work, such as scores, is over; closing work has a moment after a
  // request to stop.
  bool closing_is_over() const;

 private:
  bool is_requested() const;

  std::shared_ptr<Monitor> monitor_;
  double time_limit_;
  double earlier_ = 0;                                  // seconds before the clock was last started
  Clock::time_point begin_ = Clock::time_point::max();  // max: the clock is stopped
  std::atomic<bool> ended_ = false;
  mutable std::atomic<Clock::rep> requested_at_ =
      0;  // when a request was first noticed; 0: not yet
};

// Stops work that takes longer than a tenth of a second, the time for closing a stopped training.
class ForAMoment final : public Monitor {
 public:
  bool stop_requested() const override { return Clock::now() >= end_; }

 private:
  Clock::time_point end_ = Clock::now() + std::chrono::milliseconds(100);
};

inline constexpr const char* kUnscored =
    "A stop was requested before all scores of the model were computed.";

// The monitor that objectives and scores of one network ask for a stop.
class StageMonitor final : public Monitor {
 public:
  explicit StageMonitor(const TrainingWatch& watch) : watch_(watch) {}

  enum class Work { training, closing, as_a_whole };
  // Call only while no thread asks.
  void set(Work work) { work_ = work; }
  bool stop_requested() const override {
    if (work_ == Work::as_a_whole) return false;
    return work_ == Work::closing ? watch_.closing_is_over() : watch_.wish() != StopReason::none;
  }

 private:
  const TrainingWatch& watch_;
  Work work_ = Work::training;
};

}  // namespace knotwork::training
