// SPDX-License-Identifier: MIT
// The splits of split.hpp for tables whose rows are too many for lists: the same rows in the same
// parts, in a bit for each row. What is looked for are the keys at which the parts meet: the rows
// are counted by the first digits of their keys, and only those of one bin are sorted.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "data/row_set.hpp"

#include <knotwork/random.hpp>

namespace knotwork {

struct SplitSets {
  RowSet kept, held_out;
};

// Calls see(first_row, values) with all values of a column, in windows from its first row to its
// last, as often as it is called itself.
using SeeValues = std::function<void(std::size_t first_row, std::span<const double> values)>;
using ColumnWindows = std::function<void(const SeeValues& see)>;

SplitSets split_rows(const RowSet& rows, double fraction, std::uint64_t seed, Purpose purpose);
SplitSets split_last(const RowSet& rows, double fraction);
// Groups and classes must be known for every row; what is different of them is kept in memory.
SplitSets split_groups(const RowSet& rows, const ColumnWindows& groups, double fraction,
                       std::uint64_t seed, Purpose purpose);
SplitSets split_stratified(const RowSet& rows, const ColumnWindows& classes, double fraction,
                           std::uint64_t seed, Purpose purpose);

}  // namespace knotwork
