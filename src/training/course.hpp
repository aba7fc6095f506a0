// SPDX-License-Identifier: MIT
// What is kept of the course of one member's training: points of its history, and snapshots.
#pragma once

#include <optional>

#include "training/thinned_list.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/model.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>

namespace knotwork {

class Course {
 public:
  explicit Course(const TrainOptions& options);

  // An iteration, counted over all stages.
  void see(std::size_t stage, std::size_t iteration, const IterationReport& report,
           const std::optional<double>& validation, const Network& network,
           const Objective& objective);
  void store(Summary& summary);

  // So far, and back from there.
  void keep(MemberState& state) const;
  void restore(const MemberState& state);

 private:
  std::vector<std::string> parts_;
  ThinnedList<HistoryPoint> points_;
  ThinnedList<Snapshot> snapshots_;
};

}  // namespace knotwork
