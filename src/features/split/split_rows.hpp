// SPDX-License-Identifier: MIT
// These functions make the splits of split.hpp for tables with too many rows for lists: the same
// rows in the same parts, with one bit for each row. They find the key at the border between the
// parts: rows are counted by the first digits of their keys, and only the rows of one bin are
// sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "features/split/row_set.hpp"

#include <knotwork/monitor.hpp>
#include <knotwork/random.hpp>

namespace knotwork::features {

struct KeyedRow {
  std::uint64_t key;
  std::size_t row;
  // Row numbers break ties, so that the order is total and the same everywhere.
  auto operator<=>(const KeyedRow&) const = default;
};

// round(fraction * rows). Throws bad_option unless the fraction is at least 0 and below 1.
std::size_t rounded_share(std::size_t rows, double fraction);

// A class: the number of its rows, and its first row in the table.
struct ClassOfRows {
  std::size_t size;
  KeyedRow first;
};

// The number of rows of each class that are held out, by the largest remainder.
std::vector<std::size_t> quotas(std::span<const ClassOfRows> classes, std::size_t total,
                                double fraction);

// Throws bad_data unless some of this many groups can be held out.
void check_groups(std::size_t groups, std::size_t rows, double fraction);

struct SplitSets {
  RowSet kept, held_out;
};

// Calls see(first_row, values) with all values of a column, in windows from the first row to the
// last. May be called repeatedly, for several passes.
using SeeValues = std::function<void(std::size_t first_row, std::span<const double> values)>;
using ColumnWindows = std::function<void(const SeeValues& see)>;

// Asks the monitor, if it is not null, whether to stop.
SplitSets split_rows(const RowSet& rows, double fraction, std::uint64_t seed, Purpose purpose,
                     const Monitor* monitor = nullptr);
SplitSets split_last(const RowSet& rows, double fraction);
// Groups and classes must be known for every row; their distinct values are kept in memory.
SplitSets split_groups(const RowSet& rows, const ColumnWindows& groups, double fraction,
                       std::uint64_t seed, Purpose purpose);
SplitSets split_stratified(const RowSet& rows, const ColumnWindows& classes, double fraction,
                           std::uint64_t seed, Purpose purpose);

}  // namespace knotwork::features
