// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace knotwork::cli {

Progress::Progress(bool asked_for)
    : terminal_(::isatty(STDERR_FILENO) == 1), active_(asked_for || terminal_) {}

Progress::~Progress() {
  if (terminal_ && drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(const TrainIteration& now) {
  if (!active_) return;
  const auto time = std::chrono::steady_clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(2);
  const bool last = now.iteration == now.total_iterations;
  if (drawn_ && !last && time - last_ < pause) return;
  last_ = time;
  drawn_ = true;

  const double share = now.total_iterations == 0 ? 1
                                                 : static_cast<double>(now.iteration) /
                                                       static_cast<double>(now.total_iterations);
  std::string line = fmt::format("{:5.1f} %  iteration {}/{}  objective {:.6g}", 100 * share,
                                 now.iteration, now.total_iterations, now.objective.value);
  if (now.validation) line += fmt::format("  validation {:.4f}", *now.validation);
  if (now.iteration > 0 && now.seconds > 0) {
    const double speed = static_cast<double>(now.iteration) / now.seconds;
    const double left = static_cast<double>(now.total_iterations - now.iteration) / speed;
    line += fmt::format("  {:.0f}/s  at most {:.0f} s left", speed, left);
  }
  if (!terminal_) {
    fmt::print(stderr, "{}\n", line);
    return;
  }
  const auto filled = static_cast<std::size_t>(20 * std::min(share, 1.0));
  fmt::print(stderr, "\r\033[K[{}{}] {}", std::string(filled, '#'), std::string(20 - filled, ' '),
             line);
  std::fflush(stderr);
}

}  // namespace knotwork::cli
