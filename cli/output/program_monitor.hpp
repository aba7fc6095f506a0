// SPDX-License-Identifier: MIT
// The Monitor of a run, which shows progress by phase, reacts to Ctrl-C, and describes an
// interruption.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "cli/output/progress.hpp"

#include <knotwork/monitor.hpp>

namespace knotwork::cli {

class ProgramMonitor final : public Monitor {
 public:
  // Nothing is shown before this call, but the times of phases are recorded. `seconds` is the time
  // limit from now on; 0: none.
  void show_progress(ProgressWish wish, double seconds = 0);
  // Removes the progress line from a terminal; nothing is shown after this call.
  void hide_progress();
  // Shown in place of the phase's name, such as "baselines"; empty: the phase's name.
  void set_heading(std::string heading);

  // Shows progress. Reading and planning, which precede the main work of the command, are shown
  // only if they take more than a moment.
  void see(const knotwork::Progress& progress) override;
  // Whether a signal requested a stop.
  bool stop_requested() const override;
  // Throws an Error of kind `stopped` if a stop is requested.
  void check() const;
  // The phase of the last iteration: choosing, training or refitting.
  Phase training_phase() const { return training_phase_; }

  // `what` is the work of the command as a subject, "The conversion".
  void begin(std::string what);
  // Records the phase of work that shows no progress.
  void enter(Phase phase);
  // wrote() records that a file is complete, wrote_a_part() that part of a result went to a pipe or
  // to standard output.
  void wrote(const std::string& file);
  void wrote_a_part() { wrote_a_part_ = true; }
  // Nobody reads standard output any more, as when `head` has seen enough.
  void lost_its_reader() { has_lost_its_reader_ = true; }
  bool has_lost_its_reader() const { return has_lost_its_reader_; }
  // "The conversion was interrupted while reading; nothing was written."
  std::string describe_interruption() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::mutex mutex_;
  std::optional<Progress> line_;
  std::string heading_;
  Phase phase_ = Phase::reading;
  Phase training_phase_ = Phase::training;
  double share_ = 1;
  Clock::time_point begin_ = Clock::now();  // when share_ last began to rise from 0
  std::string what_ = "The work";
  std::string files_;
  std::size_t file_count_ = 0;
  bool wrote_a_part_ = false;
  bool has_lost_its_reader_ = false;
};

// The Monitor of this run.
const std::shared_ptr<ProgramMonitor>& program_monitor();

}  // namespace knotwork::cli
