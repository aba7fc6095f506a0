// SPDX-License-Identifier: MIT
// A training with a progress display that a signal can interrupt.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "cli/commands/train/train_request.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/rank_session.hpp"

namespace knotwork::cli {

// Records the phase in which a training was interrupted.
class WatchedTraining {
 public:
  explicit WatchedTraining(const TrainRequest& request)
      : wish_(progress_wish(request.quiet, request.progress)) {
    program_monitor()->show_progress(wish_);
  }

  // From now on a stop ends the training with the best model so far, and the time limit runs; time
  // before this call does not count.
  void begin(double time_limit) { program_monitor()->show_progress(wish_, time_limit); }
  // Call this after training.
  void note_end() {
    if (program_monitor()->stop_requested()) end_in(phase_of_training());
  }

  // If another rank was interrupted, this rank counts as interrupted too.
  void agree() {
    const auto own = ended_in_ ? 1 + static_cast<int>(*ended_in_) : 0;
    if (const int any = first_of_ranks(own)) ended_in_ = static_cast<Phase>(any - 1);
  }
  void end_in(Phase phase) { ended_in_ = phase; }
  std::optional<Phase> ended_in() const { return ended_in_; }

 private:
  static Phase phase_of_training() {
    switch (program_monitor()->training_phase()) {
      case Phase::choosing:
        return Phase::choosing;
      case Phase::refitting:
        return Phase::refitting;
      default:
        return Phase::training;
    }
  }

  ProgressWish wish_;
  std::optional<Phase> ended_in_;
};

}  // namespace knotwork::cli
