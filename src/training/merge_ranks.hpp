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
  // One after the other: what all of them have gathered may be more than one has memory for.
  for (std::size_t rank = 0; rank < ranks->size(); ++rank) {
    const bool is_own = rank == ranks->rank();
    Ranks::Bytes bytes(is_own ? own.size() * sizeof(std::int64_t) : 0);
    if (!bytes.empty()) std::memcpy(bytes.data(), own.data(), bytes.size());
    bytes = ranks->combine(std::move(bytes), [](Ranks::Bytes& left, Ranks::Bytes&& right) {
      if (left.empty()) left = std::move(right);
    });
    if (is_own) continue;
    PlainState theirs(bytes.size() / sizeof(std::int64_t));
    if (!theirs.empty()) std::memcpy(theirs.data(), bytes.data(), bytes.size());
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

// The same in whole windows, those that one process alone would read. No process has more of them
// than the first.
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
