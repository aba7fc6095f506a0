// SPDX-License-Identifier: MIT
// Progress of training, and of other long work, on standard error: one line that rewrites itself on
// a terminal, plain lines at intervals otherwise (and then only when asked for).
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/training.hpp>

namespace knotwork::cli {

enum class ProgressWish { usual, always, never };
// Of --quiet and --progress. Throws bad_option when both are given.
ProgressWish progress_wish(bool quiet, bool progress);

class Progress {
 public:
  // `seconds` is the time limit from now on; 0: none.
  explicit Progress(ProgressWish wish, double seconds = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const TrainIteration& iteration);
  // The same under another heading than that of its phase, such as "baselines". `unit` is what is
  // counted, if not what its phase counts.
  void show(const TrainIteration& iteration, std::string_view heading, std::string_view unit = "");
  // Of work that is no training: the share that is done, from 0 to 1.
  void show_share(double share, std::string_view heading);

 private:
  using Clock = std::chrono::steady_clock;

  struct Part {
    int place;  // in the line, from the left
    std::string text;
  };

  // The most important first.
  std::vector<Part> describe(const TrainIteration& iteration, Clock::time_point now) const;
  // If the speed stays, and nothing ends the phase before.
  double seconds_left(const TrainIteration& iteration, double speed, Clock::time_point now) const;
  // As many of them as fit.
  static std::string join(std::vector<Part> parts, std::size_t width);
  void draw(const std::vector<Part>& parts, double share);

  bool terminal_;
  bool active_;
  bool drawn_ = false;
  double limit_;
  Clock::time_point begin_;
  std::string heading_, unit_;
  TrainPhase phase_ = TrainPhase::training;
  // Where the phase began, for its speed.
  Clock::time_point phase_begin_;
  std::size_t phase_first_ = 0;
  std::size_t previous_ = 0;
  Clock::time_point last_;
};

}  // namespace knotwork::cli
