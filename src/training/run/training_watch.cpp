// SPDX-License-Identifier: MIT
#include "training/run/training_watch.hpp"

#include <algorithm>
#include <cstdint>

namespace knotwork::training {

void TrainingWatch::stop_clock() {
  earlier_ = seconds();
  begin_ = Clock::time_point::max();
}

double TrainingWatch::seconds() const {
  if (begin_ == Clock::time_point::max()) return earlier_;
  return earlier_ + std::chrono::duration<double>(Clock::now() - begin_).count();
}

void TrainingWatch::see(const Progress& progress) {
  if (monitor_) monitor_->see(progress);
}

bool TrainingWatch::is_requested() const {
  if (!ended_ && !(monitor_ && monitor_->stop_requested())) return false;
  Clock::rep not_yet = 0;
  if (requested_at_ == 0) {
    requested_at_.compare_exchange_strong(not_yet, Clock::now().time_since_epoch().count());
  }
  return true;
}

StopReason TrainingWatch::wish() const {
  if (is_requested()) return StopReason::requested;
  const bool late = time_limit_ > 0 && seconds() >= time_limit_;
  return late ? StopReason::time : StopReason::none;
}

StopReason TrainingWatch::agreed_wish(Ranks* ranks) const {
  const StopReason own = wish();
  if (!ranks) return own;
  enum : std::uint8_t { kNone, kTime, kRequested };
  const std::uint8_t number = own == StopReason::requested ? kRequested
                              : own == StopReason::time    ? kTime
                                                           : kNone;
  const auto strongest = [](Ranks::Bytes& left, Ranks::Bytes&& right) {
    left[0] = std::max(left[0], right[0]);
  };
  switch (ranks->combine({number}, strongest)[0]) {
    case kRequested:
      return StopReason::requested;
    case kTime:
      return StopReason::time;
    default:
      return StopReason::none;
  }
}

bool TrainingWatch::closing_is_over() const {
  if (!is_requested()) return false;
  constexpr std::chrono::milliseconds kMoment{100};
  const Clock::time_point noticed{Clock::duration(requested_at_.load())};
  return Clock::now() - noticed >= kMoment;
}

}  // namespace knotwork::training
