// SPDX-License-Identifier: MIT
// Progress of training and other long work on standard error: one line that is rewritten on a
// terminal; otherwise plain lines at intervals, if they are requested.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/training.hpp>

namespace knotwork::cli {

enum class ProgressWish { usual, always, never };
// The wish expressed by --quiet and --progress. Throws bad_option if both are given.
ProgressWish progress_wish(bool quiet, bool progress);

class Progress {
 public:
  // `seconds` is the time limit from now on; 0: none.
  explicit Progress(ProgressWish wish, double seconds = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const TrainIteration& iteration);
  // Shows an iteration under another heading than the name of the phase, such as "baselines".
  // `unit` names what is counted; empty: the phase's unit.
  void show(const TrainIteration& iteration, std::string_view heading, std::string_view unit = "");
  // For work other than training: the completed share, from 0 to 1.
  void show_share(double share, std::string_view heading);

 private:
  using Clock = std::chrono::steady_clock;

  struct Part {
    int place;  // in the line, from the left
    std::string text;
  };

  // The parts of the line, most important first.
  std::vector<Part> describe(const TrainIteration& iteration, Clock::time_point now) const;
  // The remaining time at the current speed, if nothing ends the phase early.
  double seconds_left(const TrainIteration& iteration, double speed, Clock::time_point now) const;
  // Joins as many parts as fit.
  static std::string join(std::vector<Part> parts, std::size_t width);
  void draw(const std::vector<Part>& parts, double share);

  bool terminal_;
  bool active_;
  bool drawn_ = false;
  double limit_;
  Clock::time_point begin_;
  std::string heading_, unit_;
  Phase phase_ = Phase::training;
  // The beginning of the phase, for its speed.
  Clock::time_point phase_begin_;
  std::size_t phase_first_ = 0;
  std::size_t previous_ = 0;
  Clock::time_point last_;
};

}  // namespace knotwork::cli
