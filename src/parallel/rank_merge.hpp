// SPDX-License-Identifier: MIT
// These functions merge the statistics of every process, so that each process has the total.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "parallel/message.hpp"

#include <knotwork/ranks.hpp>

namespace knotwork::parallel {

// Merges the statistics of all processes: `gathered` has state() and merge(state). `ranks` is null
// for a single process.
template <class Gathered>
void merge_over(Ranks* ranks, Gathered& gathered) {
  if (!ranks) return;
  const MergeState own = gathered.state();
  // One after the other: all states together may not fit into memory.
  for (std::size_t rank = 0; rank < ranks->size(); ++rank) {
    const bool is_own = rank == ranks->rank();
    Ranks::Bytes bytes(is_own ? own.size() * sizeof(std::int64_t) : 0);
    if (!bytes.empty()) std::memcpy(bytes.data(), own.data(), bytes.size());
    bytes = ranks->combine(std::move(bytes), [](Ranks::Bytes& left, Ranks::Bytes&& right) {
      if (left.empty()) left = std::move(right);
    });
    if (is_own) continue;
    MergeState theirs(bytes.size() / sizeof(std::int64_t));
    if (!theirs.empty()) std::memcpy(theirs.data(), bytes.data(), bytes.size());
    gathered.merge(theirs);
  }
}

// The table rows that this process handles if every row is handled once.
struct OwnRows {
  std::size_t first, last;
};
inline OwnRows own_rows(std::size_t rows, const Ranks* ranks) {
  if (!ranks) return {0, rows};
  return {rows * ranks->rank() / ranks->size(), rows * (ranks->rank() + 1) / ranks->size()};
}

}  // namespace knotwork::parallel
