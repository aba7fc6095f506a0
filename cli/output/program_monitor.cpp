// SPDX-License-Identifier: MIT
#include "cli/output/program_monitor.hpp"

#include <fmt/format.h>

#include "base/fail.hpp"
#include "cli/program/interrupt.hpp"

namespace knotwork::cli {
namespace {

struct PhaseWords {
  std::string_view heading;  // of the progress line
  std::string_view during;   // "was interrupted while ..."
};

PhaseWords words_of(Phase phase) {
  switch (phase) {
    case Phase::reading:
      return {"reading", "reading"};
    case Phase::planning:
      return {"preparing", "preparing the rows"};
    case Phase::choosing:
      return {"choosing", "choosing options"};
    case Phase::training:
      return {"training", "training"};
    case Phase::refitting:
      return {"refitting", "training on all rows"};
    case Phase::scoring:
      return {"evaluating", "scoring"};
    case Phase::predicting:
      return {"predicting", "predicting"};
    case Phase::comparing:
      return {"comparing", "comparing"};
    case Phase::explaining:
      return {"analyzing", "analyzing the model"};
    case Phase::writing:
      return {"writing", "writing"};
  }
  return {};
}

bool comes_before(Phase phase) {
  return phase == Phase::reading || phase == Phase::planning;
}

}  // namespace

void ProgramMonitor::show_progress(ProgressWish wish, double seconds) {
  const std::lock_guard lock(mutex_);
  line_.emplace(wish, seconds);
}

void ProgramMonitor::hide_progress() {
  const std::lock_guard lock(mutex_);
  line_.reset();
}

void ProgramMonitor::set_heading(std::string heading) {
  const std::lock_guard lock(mutex_);
  heading_ = std::move(heading);
}

void ProgramMonitor::see(const knotwork::Progress& progress) {
  constexpr std::chrono::milliseconds kMoment(500);
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (progress.phase != phase_ || progress.share < share_) begin_ = now;
  phase_ = progress.phase;
  share_ = progress.share;
  if (progress.iteration) training_phase_ = progress.phase;
  if (!line_) return;
  const std::string_view heading =
      heading_.empty() ? words_of(progress.phase).heading : std::string_view(heading_);
  if (progress.iteration) {
    line_->show(*progress.iteration, heading);
  } else if (!comes_before(progress.phase) || (now - begin_ > kMoment && progress.share < 1)) {
    line_->show_share(progress.share, heading);
  }
}

bool ProgramMonitor::stop_requested() const {
  return Monitor::stop_requested() || InterruptGuard::signal() != 0;
}

void ProgramMonitor::check() const {
  if (stop_requested()) fail(ErrorKind::stopped, "{}", describe_interruption());
}

void ProgramMonitor::begin(std::string what) {
  what_ = std::move(what);
}

void ProgramMonitor::enter(Phase phase) {
  const std::lock_guard lock(mutex_);
  phase_ = phase;
}

void ProgramMonitor::wrote(const std::string& file) {
  files_ += (files_.empty() ? "" : ", ") + file;
  ++file_count_;
}

std::string ProgramMonitor::describe_interruption() const {
  const std::string outcome =
      file_count_ > 0 ? fmt::format("{} {} complete", files_, file_count_ == 1 ? "is" : "are")
      : wrote_a_part_ ? "only a part was written"
                      : "nothing was written";
  return fmt::format("{} was interrupted while {}; {}.", what_, words_of(phase_).during, outcome);
}

const std::shared_ptr<ProgramMonitor>& program_monitor() {
  static const auto monitor = std::make_shared<ProgramMonitor>();
  return monitor;
}

}  // namespace knotwork::cli
