// SPDX-License-Identifier: MIT
#include "objective/lane_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <knotwork/random.hpp>

namespace knotwork {

void count_dealt(std::span<const std::size_t> sizes, std::size_t dealt,
                 std::span<std::size_t> given) {
  const std::size_t lanes = sizes.size();
  const std::size_t rows = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  // No lane is more than two rows behind its share; only the last few rows are dealt one by one.
  std::size_t left = dealt;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const double part =
        static_cast<double>(dealt) / static_cast<double>(rows) * static_cast<double>(sizes[lane]);
    given[lane] = part > 2 ? static_cast<std::size_t>(part) - 2 : 0;
    left -= given[lane];
  }
  for (; left > 0; --left) {
    std::size_t next = lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (given[lane] == sizes[lane]) continue;
      if (next == lanes ||
          (2 * given[lane] + 1) * sizes[next] < (2 * given[next] + 1) * sizes[lane]) {
        next = lane;
      }
    }
    ++given[next];
  }
}

LaneOrder::LaneOrder(std::size_t rows, std::size_t first, std::size_t last, std::uint64_t seed)
    : rows_(rows),
      first_(first),
      last_(last),
      chunk_rows_(rows > kManyRows ? kChunkRows : std::max<std::size_t>(1, last - first)),
      seed_(seed),
      chunks_((last - first + chunk_rows_ - 1) / chunk_rows_) {
  group_begins_.reserve(chunks_.size() / kGroupChunks + 2);
  order_.reserve(std::min(last - first, kGroupChunks * chunk_rows_));
  begin_epoch(0);
}

void LaneOrder::begin_epoch(std::uint64_t epoch) {
  epoch_ = epoch;
  order_.clear();
  shuffle_chunks();
  group_begins_.assign(1, 0);
  for (std::size_t k = 0; k < chunks_.size(); ++k) {
    if (k > 0 && k % kGroupChunks == 0) group_begins_.push_back(group_begins_.back());
    if (group_begins_.size() == 1) group_begins_.push_back(0);
    group_begins_.back() += chunk_size(chunks_[k]);
  }
}

// Only the last chunk of a set may be shorter.
std::size_t LaneOrder::chunk_size(std::size_t chunk) const {
  return std::min(chunk_rows_, last_ - first_ - chunk * chunk_rows_);
}

void LaneOrder::shuffle_chunks() {
  std::iota(chunks_.begin(), chunks_.end(), std::size_t{0});
  const Random random(seed_, Purpose::batch_chunks);
  const std::size_t base = first_ / chunk_rows_;
  for (std::size_t k = chunks_.size(); k > 1; --k) {
    std::swap(chunks_[k - 1], chunks_[random.below(k, epoch_ * rows_ + base + k - 1)]);
  }
}

void LaneOrder::shuffle_group(std::size_t group) {
  group_ = group;
  order_.clear();
  const std::size_t end = std::min((group + 1) * kGroupChunks, chunks_.size());
  for (std::size_t k = group * kGroupChunks; k < end; ++k) {
    const std::size_t begin = first_ + chunks_[k] * chunk_rows_;
    for (std::size_t r = 0; r < chunk_size(chunks_[k]); ++r) order_.push_back(begin + r);
  }
  const Random random(seed_, Purpose::batches);
  // The position in the order of all lanes gives each group its own random numbers.
  const std::uint64_t place = epoch_ * rows_ + first_ + group_begins_[group];
  for (std::size_t k = order_.size(); k > 1; --k) {
    std::swap(order_[k - 1], order_[random.below(k, place + k - 1)]);
  }
}

void LaneOrder::append(std::size_t first, std::size_t last, std::vector<std::size_t>& rows) {
  while (first < last) {
    const auto next = std::upper_bound(group_begins_.begin(), group_begins_.end(), first);
    const auto group = static_cast<std::size_t>(next - group_begins_.begin()) - 1;
    if (order_.empty() || group != group_) shuffle_group(group);
    const std::size_t end = std::min(last, *next), begin = group_begins_[group];
    rows.insert(rows.end(), order_.begin() + static_cast<std::ptrdiff_t>(first - begin),
                order_.begin() + static_cast<std::ptrdiff_t>(end - begin));
    first = end;
  }
}

}  // namespace knotwork
