// SPDX-License-Identifier: MIT
// hold_out() chooses the rows that are held out, for test parts, validation parts and folds alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "features/split/split_rows.hpp"

namespace knotwork::features {

// What decides which rows are held out: the first item of this list that the data has.
enum class DividedBy { time, groups, classes, chance };
constexpr DividedBy divided_by(bool in_time_order, bool has_groups, bool has_classes) {
  if (in_time_order) return DividedBy::time;
  if (has_groups) return DividedBy::groups;
  return has_classes ? DividedBy::classes : DividedBy::chance;
}

struct RowTies {
  bool in_time_order = false;
  ColumnWindows groups = {}, classes = {};  // empty: none
  const Monitor* monitor = nullptr;         // may stop the division
};

// Rows that were drawn from a larger table are divided by their row numbers there: `numbers`,
// ascending, one for each row of the table. Throws like the functions of split_rows.hpp.
SplitSets hold_out(const RowSet& rows, const RowTies& ties, double fraction, std::uint64_t seed,
                   Purpose purpose, std::span<const std::size_t> numbers = {});

}  // namespace knotwork::features
