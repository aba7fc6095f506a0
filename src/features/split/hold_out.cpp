// SPDX-License-Identifier: MIT
#include "features/split/hold_out.hpp"

#include <vector>

namespace knotwork::features {
namespace {

// The windows of a column with other row numbers.
ColumnWindows renumbered(const ColumnWindows& column, std::span<const std::size_t> numbers) {
  if (!column) return {};
  return [&column, numbers](const SeeValues& see) {
    column([&](std::size_t first, std::span<const double> values) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        see(numbers[first + k], values.subspan(k, 1));
      }
    });
  };
}

SplitSets hold_out_by_numbers(const RowSet& rows, const RowTies& ties, double fraction,
                              std::uint64_t seed, Purpose purpose,
                              std::span<const std::size_t> numbers) {
  std::vector<std::size_t> list;
  rows.for_each(0, rows.table_rows(), [&](std::size_t row) { list.push_back(numbers[row]); });
  const SplitSets parts =
      hold_out(RowSet::of(numbers.back() + 1, list),
               {false, renumbered(ties.groups, numbers), renumbered(ties.classes, numbers),
                ties.monitor},
               fraction, seed, purpose);
  const auto part = [&](const RowSet& set) {
    return RowSet(rows.table_rows(), [&](std::size_t row) {
      return rows.contains(row) && set.contains(numbers[row]);
    });
  };
  return {part(parts.kept), part(parts.held_out)};
}

}  // namespace

SplitSets hold_out(const RowSet& rows, const RowTies& ties, double fraction, std::uint64_t seed,
                   Purpose purpose, std::span<const std::size_t> numbers) {
  const DividedBy by = divided_by(ties.in_time_order, static_cast<bool>(ties.groups),
                                  static_cast<bool>(ties.classes));
  if (by == DividedBy::time) return split_last(rows, fraction);
  if (!numbers.empty()) {
    return hold_out_by_numbers(rows, ties, fraction, seed, purpose, numbers);
  }
  if (by == DividedBy::groups) return split_groups(rows, ties.groups, fraction, seed, purpose);
  if (by == DividedBy::classes) {
    return split_stratified(rows, ties.classes, fraction, seed, purpose);
  }
  return split_rows(rows, fraction, seed, purpose, ties.monitor);
}

}  // namespace knotwork::features
