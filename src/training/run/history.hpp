// SPDX-License-Identifier: MIT
// HistoryRecorder keeps points and snapshots of one member's training, in lists of limited length.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <knotwork/checkpoint.hpp>
#include <knotwork/model.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>

namespace knotwork::training {

// A list of at most `most` items at ascending places. Places are divided into cells of width
// `unit`, and the first item of each cell is kept; when there are too many items, the cells become
// twice as wide. So a long sequence leaves between `most` / 2 and `most` items, a short one all of
// its items; the first item is always kept.
template <class Item>
class ThinnedList {
 public:
  // If `most` is 0, nothing is kept.
  ThinnedList(std::size_t most, double unit) : most_(most), unit_(unit) {}

  // Whether an item at this place would be kept, so that expensive items are only made if they are.
  bool wants(double place) const {
    return most_ > 0 && (kept_.empty() || cell(place) > cell(kept_.back().first));
  }
  void add(double place, Item item) {
    if (!wants(place)) return;
    kept_.emplace_back(place, std::move(item));
    while (kept_.size() > most_) widen();
  }
  // The items so far, and the present width of the cells; restore() continues from these.
  std::vector<Item> items() const {
    std::vector<Item> items;
    for (const auto& [place, item] : kept_) items.push_back(item);
    return items;
  }
  double unit() const { return unit_; }
  // `place_of` returns the place of an item.
  template <class PlaceOf>
  void restore(std::vector<Item> items, double unit, const PlaceOf& place_of) {
    unit_ = unit;
    kept_.clear();
    for (Item& item : items) {
      const double place = place_of(item);
      kept_.emplace_back(place, std::move(item));
    }
  }
  std::vector<Item> take() {
    std::vector<Item> items;
    for (auto& [place, item] : kept_) items.push_back(std::move(item));
    kept_.clear();
    return items;
  }

 private:
  double cell(double place) const { return std::floor(place / unit_); }

  void widen() {
    unit_ *= 2;
    std::vector<std::pair<double, Item>> fewer;
    for (auto& entry : kept_) {
      if (fewer.empty() || cell(entry.first) > cell(fewer.back().first)) {
        fewer.push_back(std::move(entry));
      }
    }
    kept_ = std::move(fewer);
  }

  std::size_t most_;
  double unit_;
  std::vector<std::pair<double, Item>> kept_;
};

class HistoryRecorder {
 public:
  explicit HistoryRecorder(const TrainOptions& options);

  // `iteration` counts over all stages.
  void see(std::size_t stage, std::size_t iteration, const IterationReport& report,
           const std::optional<double>& validation, const Network& network,
           const Objective& objective);
  void store(Summary& summary);

  // Write the list so far into a state, and read it back.
  void keep(MemberState& state) const;
  void restore(const MemberState& state);

 private:
  std::vector<std::string> parts_;
  ThinnedList<HistoryPoint> points_;
  ThinnedList<Snapshot> snapshots_;
};

}  // namespace knotwork::training
