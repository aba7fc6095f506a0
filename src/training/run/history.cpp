// SPDX-License-Identifier: MIT
#include "training/run/history.hpp"

#include <algorithm>
#include <cmath>

namespace knotwork::training {
namespace {

constexpr std::size_t kFewestPoints = 20;  // for any number of members

double place_in_history(std::size_t iteration) {
  return static_cast<double>(iteration);
}
// The root of the iteration, because most changes happen at the beginning.
double place_of_snapshot(std::size_t iteration) {
  return std::sqrt(static_cast<double>(iteration));
}

}  // namespace

HistoryRecorder::HistoryRecorder(const TrainOptions& options)
    : points_(std::max(kFewestPoints, kHistoryPoints / options.ensemble), 1),
      snapshots_(options.snapshots, 1.0 / 64) {}

void HistoryRecorder::see(std::size_t stage, std::size_t iteration, const IterationReport& report,
                          const std::optional<double>& validation, const Network& network,
                          const Objective& objective) {
  const double place = place_in_history(iteration);
  if (points_.wants(place)) {
    HistoryPoint point{0, stage, iteration, report.value, {}, validation};
    parts_.clear();
    for (const auto& [name, part] : objective.parts_at(report.point, report.value).parts) {
      parts_.push_back(name);
      point.parts.push_back(part);
    }
    points_.add(place, std::move(point));
  }
  const double early = place_of_snapshot(iteration);
  if (snapshots_.wants(early)) {
    Snapshot snapshot{0, iteration, network};
    std::copy(report.point.begin(), report.point.end(), snapshot.network.parameters().begin());
    for (const TensorInfo& tensor : snapshot.network.tensors()) {
      if (tensor.group == ParameterGroup::activation) continue;
      const std::span<double> values = snapshot.network.values(tensor);
      std::fill(values.begin(), values.end(), 0.0);
    }
    snapshots_.add(early, std::move(snapshot));
  }
}

void HistoryRecorder::keep(MemberState& state) const {
  state.summary.history = {parts_, points_.items()};
  state.summary.snapshots = snapshots_.items();
  state.history_unit = points_.unit();
  state.snapshot_unit = snapshots_.unit();
}

void HistoryRecorder::restore(const MemberState& state) {
  const auto place_of_point = [](const HistoryPoint& p) { return place_in_history(p.iteration); };
  const auto place_of = [](const Snapshot& s) { return place_of_snapshot(s.iteration); };
  parts_ = state.summary.history.parts;
  points_.restore(state.summary.history.points, state.history_unit, place_of_point);
  snapshots_.restore(state.summary.snapshots, state.snapshot_unit, place_of);
}

void HistoryRecorder::store(Summary& summary) {
  summary.history = {std::move(parts_), points_.take()};
  summary.snapshots = snapshots_.take();
}

}  // namespace knotwork::training
