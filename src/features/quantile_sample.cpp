// SPDX-License-Identifier: MIT
#include "features/quantile_sample.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace knotwork::features {

// Keeps the smallest entries and puts the largest of them at the end.
void QuantileSample::trim(std::vector<Entry>& entries, std::size_t most) {
  if (entries.size() <= most) return;
  const auto last = entries.begin() + static_cast<std::ptrdiff_t>(most) - 1;
  std::nth_element(entries.begin(), last, entries.end());
  entries.erase(last + 1, entries.end());
}

void QuantileSample::keep(const Entry& entry) {
  if (bound_ && *bound_ < entry) return;
  entries_.push_back(entry);
  if (entries_.size() < most_ + most_ / 2 + 1) return;
  trim(entries_, most_);
  bound_ = entries_.back();
}

std::vector<QuantileSample::Entry> QuantileSample::kept() const {
  std::vector<Entry> entries = entries_;
  trim(entries, most_);
  return entries;
}

void QuantileSample::see(double value, std::size_t row) {
  ++seen_;
  keep({random_.bits(row), value + 0.0});  // turns -0 into 0, because the two have no order
}

void QuantileSample::merge(const QuantileSample& other) {
  seen_ += other.seen_;
  for (const Entry& entry : other.entries_) keep(entry);
}

std::vector<double> QuantileSample::values() const {
  const std::vector<Entry> entries = kept();
  std::vector<double> values(entries.size());
  std::transform(entries.begin(), entries.end(), values.begin(),
                 [](const Entry& entry) { return entry.value; });
  return values;
}

std::vector<double> QuantileSample::sorted() const {
  std::vector<double> all = values();
  std::sort(all.begin(), all.end());
  return all;
}

double QuantileSample::median() const {
  std::vector<double> all = values();
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  if (all.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(all.begin(), middle), *middle);
}

void QuantileSample::put(parallel::MergeState& state) const {
  parallel::put(state, seen_);
  const std::vector<Entry> entries = kept();
  parallel::put(state, entries.size());
  for (const Entry& entry : entries) {
    state.push_back(std::bit_cast<std::int64_t>(entry.key));
    parallel::put(state, entry.value);
  }
}

void QuantileSample::merge(parallel::StateReader& state) {
  seen_ += state.size();
  for (std::size_t left = state.size(); left > 0; --left) {
    const auto key = std::bit_cast<std::uint64_t>(state.next());
    keep({key, state.number()});
  }
}

}  // namespace knotwork::features
