// SPDX-License-Identifier: MIT
// How processes that each look at some rows come to know of all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/plain_state.hpp"
#include "data/table_windows.hpp"

#include <knotwork/ranks.hpp>

namespace knotwork {

// Merges what all processes have gathered: an object with state() and merge(state). `ranks` are
// null for a process alone.
template <class Gathered>
void merge_over(Ranks* ranks, Gathered& gathered) {
  if (!ranks) return;
  const PlainState own = gathered.state();
  Ranks::Bytes bytes(own.size() * sizeof(std::int64_t));
  if (!own.empty()) std::memcpy(bytes.data(), own.data(), bytes.size());
  const std::vector<Ranks::Bytes> all = ranks->gather(std::move(bytes));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (rank == ranks->rank()) continue;
    PlainState theirs(all[rank].size() / sizeof(std::int64_t));
    if (!theirs.empty()) std::memcpy(theirs.data(), all[rank].data(), all[rank].size());
    gathered.merge(theirs);
  }
}

// The rows of a table that this process looks at where every row is looked at once.
struct RowsOfTable {
  std::size_t first, last;
};
inline RowsOfTable own_rows(std::size_t rows, const Ranks* ranks) {
  if (!ranks) return {0, rows};
  return {rows * ranks->rank() / ranks->size(), rows * (ranks->rank() + 1) / ranks->size()};
}

// The same in whole windows, those that one process alone would read, so that what is said of a bad
// cell does not depend on the number of processes. No process has more of them than the first.
inline RowsOfTable own_windows(const TableWindows& table, const Ranks* ranks) {
  const std::size_t rows = table.rows(), window = table.window_rows();
  if (!ranks) return {0, rows};
  const std::size_t windows = (rows + window - 1) / window;
  const auto begin_of = [&](std::size_t rank) {
    return std::min(rows, (windows * rank + ranks->size() - 1) / ranks->size() * window);
  };
  return {begin_of(ranks->rank()), begin_of(ranks->rank() + 1)};
}

}  // namespace knotwork
