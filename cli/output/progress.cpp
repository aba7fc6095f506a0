// SPDX-License-Identifier: MIT
#include "cli/output/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/fail.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"

namespace knotwork::cli {
namespace {

constexpr std::string_view kGap = "  ";

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::choosing:
      return "choosing";
    case Phase::training:
      return "training";
    case Phase::refitting:
      return "refitting";
    default:  // phases of other work
      break;
  }
  return "";
}

double share_of(const TrainIteration& now) {
  if (now.total_iterations == 0) return 1;
  return std::min(1.0,
                  static_cast<double>(now.iteration) / static_cast<double>(now.total_iterations));
}

}  // namespace

ProgressWish progress_wish(bool quiet, bool progress) {
  if (quiet && progress) {
    fail(ErrorKind::bad_option, of_option("progress", "quiet"),
         "--progress and --quiet exclude each other; give only one of them.");
  }
  return quiet ? ProgressWish::never : progress ? ProgressWish::always : ProgressWish::usual;
}

Progress::Progress(ProgressWish wish, double seconds)
    : terminal_(::isatty(STDERR_FILENO) == 1),
      active_(wish == ProgressWish::always || (wish == ProgressWish::usual && terminal_)),
      limit_(seconds),
      begin_(Clock::now()) {}

Progress::~Progress() {
  if (terminal_ && drawn_) redraw_line_aside("");
}

void Progress::show(const TrainIteration& iteration) {
  show(iteration, name_of(iteration.phase));
}

void Progress::show(const TrainIteration& iteration, std::string_view heading,
                    std::string_view unit) {
  if (!active_) return;
  const bool choosing = iteration.phase == Phase::choosing;
  unit_ = !unit.empty() ? unit : choosing ? "fold" : "iteration";
  const auto now = Clock::now();
  // Under one heading, options may be chosen and several networks trained in turn, each with its
  // own speed.
  const bool begins =
      heading_ != heading || phase_ != iteration.phase || iteration.iteration < previous_;
  if (begins) {
    heading_ = heading;
    phase_ = iteration.phase;
    phase_begin_ = now;
    phase_first_ = iteration.iteration;
  }
  previous_ = iteration.iteration;
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(2);
  const bool ends = iteration.iteration == iteration.total_iterations && !terminal_;
  if (drawn_ && !(begins && !terminal_) && !ends && now - last_ < pause) return;
  last_ = now;
  drawn_ = true;
  draw(describe(iteration, now), share_of(iteration));
}

void Progress::show_share(double share, std::string_view heading) {
  TrainIteration now;
  now.phase = Phase::choosing;  // this phase shows no objective
  now.total_iterations = 1000;
  now.iteration = static_cast<std::size_t>(share * 1000);
  show(now, heading, "part");
}

std::vector<Progress::Part> Progress::describe(const TrainIteration& iteration,
                                               Clock::time_point now) const {
  const bool choosing = iteration.phase == Phase::choosing;
  std::vector<Part> parts;
  parts.push_back({0, fmt::format("{}  {:.1f} %", heading_, 100 * share_of(iteration))});
  parts.push_back(
      {1, fmt::format("{} {}/{}", unit_, iteration.iteration, iteration.total_iterations)});
  const double seconds = std::chrono::duration<double>(now - phase_begin_).count();
  const bool moved = iteration.iteration > phase_first_ && seconds > 0;
  const double speed =
      moved ? static_cast<double>(iteration.iteration - phase_first_) / seconds : 0;
  if (moved) {
    // More folds are planned while a choice keeps improving.
    const bool open_ended = heading_ == name_of(Phase::choosing);
    parts.push_back({5, fmt::format("{} {} left", open_ended ? "at least" : "about",
                                    duration(seconds_left(iteration, speed, now)))});
  }
  if (!choosing) parts.push_back({2, fmt::format("objective {:.6g}", iteration.objective.value)});
  if (iteration.validation) {
    parts.push_back(
        {3, fmt::format("{} {:.4f}", choosing ? "best" : "validation", *iteration.validation)});
  }
  if (moved) parts.push_back({4, fmt::format("{:.3g}/s", speed)});
  return parts;
}

double Progress::seconds_left(const TrainIteration& iteration, double speed,
                              Clock::time_point now) const {
  const double left = static_cast<double>(iteration.total_iterations - iteration.iteration) / speed;
  if (limit_ == 0) return left;
  return std::min(left, limit_ - std::chrono::duration<double>(now - begin_).count());
}

std::string Progress::join(std::vector<Part> parts, std::size_t width) {
  const auto length = [&] {
    std::size_t sum = 0;
    for (const Part& part : parts) sum += part.text.size() + kGap.size();
    return sum - kGap.size();
  };
  while (parts.size() > 1 && length() > width) parts.pop_back();
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.place < b.place; });
  std::string text;
  for (const Part& part : parts) text.append(text.empty() ? "" : kGap).append(part.text);
  return text;
}

void Progress::draw(const std::vector<Part>& parts, double share) {
  if (!terminal_) {
    print_lines_aside({join(parts, std::string::npos)});
    return;
  }
  // One column stays free, because some terminals wrap as soon as the last column is filled.
  const std::size_t width = terminal_width(STDERR_FILENO, 80) - 1;
  constexpr std::size_t kWidestBar = 20, kNarrowestBar = 5, kFrame = 3;
  std::string line = join(parts, width);
  const std::size_t room = width > line.size() + kFrame ? width - line.size() - kFrame : 0;
  if (room >= kNarrowestBar) {
    const std::size_t bar = std::min(room, kWidestBar);
    const auto filled = static_cast<std::size_t>(static_cast<double>(bar) * share);
    line = fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(bar - filled, ' '), line);
  }
  redraw_line_aside(line.substr(0, width));
}

}  // namespace knotwork::cli
