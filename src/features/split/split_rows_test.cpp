// SPDX-License-Identifier: MIT
#include "features/split/split_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <knotwork/error.hpp>
#include <knotwork/split.hpp>

namespace knotwork::features {
namespace {

std::vector<std::size_t> list_of(const RowSet& set) {
  std::vector<std::size_t> rows;
  set.for_each(0, set.table_rows(), [&](std::size_t row) { rows.push_back(row); });
  return rows;
}

void expect_same(const SplitSets& sets, const SplitRows& lists) {
  EXPECT_EQ(list_of(sets.kept), lists.kept);
  EXPECT_EQ(list_of(sets.held_out), lists.held_out);
}

// In windows of an odd length.
ColumnWindows windows_of(const std::vector<double>& values) {
  return [&values](const SeeValues& see) {
    constexpr std::size_t kWindow = 37;
    for (std::size_t first = 0; first < values.size(); first += kWindow) {
      see(first, std::span(values).subspan(first, std::min(kWindow, values.size() - first)));
    }
  };
}

TEST(SplitMany, HoldsOutTheRowsThatListsDo) {
  constexpr Purpose kPurpose = Purpose::validation_split;
  for (const std::size_t table_rows : {2, 17, 100, 3001}) {
    const RowSet rows(table_rows, [](std::size_t row) { return row % 5 != 2 || row == 2; });
    const std::vector<std::size_t> list = list_of(rows);
    std::vector<double> values(table_rows), few(table_rows);
    for (std::size_t r = 0; r < table_rows; ++r) {
      values[r] = static_cast<double>(r * 7 % 11);
      few[r] = r % 4 == 1 ? 1 : 0;
    }
    for (const double fraction : {0.0, 0.1, 0.3, 0.9}) {
      for (const std::uint64_t seed : {0, 7}) {
        expect_same(split_rows(rows, fraction, seed, kPurpose),
                    knotwork::split_rows(list, fraction, seed, kPurpose));
        expect_same(split_last(rows, fraction), knotwork::split_last(list, fraction));
        for (const std::vector<double>& column : {values, few}) {
          expect_same(split_stratified(rows, windows_of(column), fraction, seed, kPurpose),
                      knotwork::split_stratified(list, column, fraction, seed, kPurpose));
          expect_same(split_groups(rows, windows_of(column), fraction, seed, kPurpose),
                      knotwork::split_groups(list, column, fraction, seed, kPurpose));
        }
      }
    }
  }
}

TEST(SplitMany, RefusesWhatListsRefuse) {
  const RowSet rows = RowSet::all(10);
  std::vector<double> values(10, 3.0);
  EXPECT_THROW(split_rows(rows, 1, 0, Purpose::test_split), Error);
  EXPECT_THROW(split_groups(rows, windows_of(values), 0.5, 0, Purpose::test_split), Error);
  values[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(split_stratified(rows, windows_of(values), 0.5, 0, Purpose::test_split), Error);
  EXPECT_THROW(split_groups(rows, windows_of(values), 0.5, 0, Purpose::test_split), Error);
}

}  // namespace
}  // namespace knotwork::features
