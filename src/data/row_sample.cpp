// SPDX-License-Identifier: MIT
#include "data/row_sample.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace knotwork {

// Leaves the smallest, the largest of these at the end.
void RowSample::trim(std::vector<Entry>& entries, std::size_t most) {
  if (entries.size() <= most) return;
  const auto last = entries.begin() + static_cast<std::ptrdiff_t>(most) - 1;
  std::nth_element(entries.begin(), last, entries.end());
  entries.erase(last + 1, entries.end());
}

void RowSample::keep(const Entry& entry) {
  if (bound_ && *bound_ < entry) return;
  entries_.push_back(entry);
  if (entries_.size() < most_ + most_ / 2 + 1) return;
  trim(entries_, most_);
  bound_ = entries_.back();
}

std::vector<RowSample::Entry> RowSample::kept() const {
  std::vector<Entry> entries = entries_;
  trim(entries, most_);
  return entries;
}

void RowSample::see(double value, std::size_t row) {
  ++seen_;
  keep({random_.bits(row), value + 0.0});  // -0 becomes 0, so that the two have no order
}

void RowSample::merge(const RowSample& other) {
  seen_ += other.seen_;
  for (const Entry& entry : other.entries_) keep(entry);
}

std::vector<double> RowSample::values() const {
  const std::vector<Entry> entries = kept();
  std::vector<double> values(entries.size());
  std::transform(entries.begin(), entries.end(), values.begin(),
                 [](const Entry& entry) { return entry.value; });
  return values;
}

std::vector<double> RowSample::sorted() const {
  std::vector<double> all = values();
  std::sort(all.begin(), all.end());
  return all;
}

double RowSample::median() const {
  std::vector<double> all = values();
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  if (all.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(all.begin(), middle), *middle);
}

void RowSample::put(PlainState& state) const {
  knotwork::put(state, seen_);
  const std::vector<Entry> entries = kept();
  knotwork::put(state, entries.size());
  for (const Entry& entry : entries) {
    state.push_back(std::bit_cast<std::int64_t>(entry.key));
    knotwork::put(state, entry.value);
  }
}

void RowSample::merge(StateReader& state) {
  seen_ += state.size();
  for (std::size_t left = state.size(); left > 0; --left) {
    const auto key = std::bit_cast<std::uint64_t>(state.next());
    keep({key, state.number()});
  }
}

}  // namespace knotwork
