// SPDX-License-Identifier: MIT
// A training that shows how far it is and can be interrupted.
#pragma once

#include <chrono>
#include <optional>

#include "cli/commands/train/train_request.hpp"
#include "cli/output/progress.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/program/rank_session.hpp"

namespace knotwork::cli {

// Trains with progress until it is done or interrupted, and remembers in which phase.
class WatchedTraining {
 public:
  explicit WatchedTraining(const TrainRequest& request)
      : wish_(progress_wish(request.quiet, request.progress)), progress_(std::in_place, wish_) {}

  // What came before does not count.
  void begin_time_limit(double seconds) { progress_.emplace(wish_, seconds); }

  TrainObserver observer() {
    return [this](const TrainIteration& iteration) {
      progress_->show(iteration);
      if (InterruptGuard::signal() == 0) return true;
      ended_in_ = iteration.phase;
      return false;
    };
  }
  TrainObserver baselines_observer() {
    return [this](const TrainIteration& iteration) {
      progress_->show(iteration, "baselines");
      return InterruptGuard::signal() == 0;
    };
  }
  // Where another process was told to end, this one was, too.
  void agree() {
    const auto own = ended_in_ ? 1 + static_cast<int>(*ended_in_) : 0;
    if (const int any = first_of_ranks(own)) ended_in_ = static_cast<TrainPhase>(any - 1);
  }
  void end_in(TrainPhase phase) { ended_in_ = phase; }
  // Passes over a table that stays in its file, of which those that take a while are shown.
  void show_reading(double share) {
    constexpr auto kWhile = std::chrono::milliseconds(500);
    const auto now = std::chrono::steady_clock::now();
    if (share <= read_share_) read_begin_ = now;
    read_share_ = share;
    if (progress_ && share < 1 && now - read_begin_ > kWhile) {
      progress_->show_share(share, "reading");
    }
  }
  void hide_progress() { progress_.reset(); }
  std::optional<TrainPhase> ended_in() const { return ended_in_; }

 private:
  ProgressWish wish_;
  std::optional<Progress> progress_;
  std::optional<TrainPhase> ended_in_;
  double read_share_ = 1;  // of the pass that began then
  std::chrono::steady_clock::time_point read_begin_;
};

}  // namespace knotwork::cli
