// SPDX-License-Identifier: MIT
// WatchedWork is work in steps that a Monitor watches and can stop. (Exported for Knotwork::insight
// and Knotwork::tools.)
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "parallel/threads.hpp"

#include <knotwork/monitor.hpp>

namespace knotwork::parallel {

// Throws an Error of kind `stopped` if a stop is requested. `monitor` may be null.
KNOTWORK_API void check_stop(const Monitor* monitor);

// May be used by several threads.
class KNOTWORK_API WatchedWork {
 public:
  // `monitor` may be null and must outlive this object.
  WatchedWork(Monitor* monitor, Phase phase, double steps);

  // Reports that `steps` more steps are done. Throws like check_stop().
  void advance(double steps = 1);
  void check() const { check_stop(monitor_); }

 private:
  using Clock = std::chrono::steady_clock;

  Monitor* monitor_;
  Phase phase_;
  double steps_;
  Mutex mutex_;
  double done_ = 0;
  Clock::time_point told_;
};

// PartMonitor is the monitor for a part of some work; the monitor of the whole work sees the part's
// progress as a share of the whole.
class KNOTWORK_API PartMonitor final : public Monitor {
 public:
  // The part covers the shares `from` to `to` of the whole; the phase that the part reports is
  // ignored. `whole` may be null and must outlive this object.
  PartMonitor(Monitor* whole, Phase phase, double from, double to)
      : whole_(whole), phase_(phase), from_(from), to_(to) {}

  void see(const Progress& progress) override;
  bool stop_requested() const override;

 private:
  Monitor* whole_;
  Phase phase_;
  double from_, to_;
};

// Passes stop requests on but no progress, for work whose progress nobody needs to see. `monitor`
// may be null.
class KNOTWORK_API StopOnly final : public Monitor {
 public:
  explicit StopOnly(std::shared_ptr<const Monitor> monitor) : monitor_(std::move(monitor)) {}
  bool stop_requested() const override { return monitor_ && monitor_->stop_requested(); }

 private:
  std::shared_ptr<const Monitor> monitor_;
};

}  // namespace knotwork::parallel
