// SPDX-License-Identifier: MIT
#include "features/split/split_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "parallel/test_monitors.hpp"

#include <knotwork/error.hpp>
#include <knotwork/split.hpp>

namespace knotwork::features {
namespace {

// The splits in the simplest way: all rows sorted by their keys.
using KeyedRows = std::vector<KeyedRow>;

KeyedRows by_key(const std::vector<std::size_t>& rows, std::uint64_t seed, Purpose purpose) {
  KeyedRows keyed;
  for (const std::size_t row : rows) keyed.push_back({Random(seed, purpose).bits(row), row});
  std::sort(keyed.begin(), keyed.end());
  return keyed;
}

SplitRows sorted_lists(const std::vector<std::size_t>& rows, const std::set<std::size_t>& held) {
  SplitRows split;
  for (const std::size_t row : rows)
    (held.contains(row) ? split.held_out : split.kept).push_back(row);
  return split;
}

SplitRows plain_split(const std::vector<std::size_t>& rows, double fraction, std::uint64_t seed,
                      Purpose purpose) {
  const KeyedRows keyed = by_key(rows, seed, purpose);
  std::set<std::size_t> held;
  for (std::size_t k = 0; k < rounded_share(rows.size(), fraction); ++k) held.insert(keyed[k].row);
  return sorted_lists(rows, held);
}

SplitRows plain_last(const std::vector<std::size_t>& rows, double fraction) {
  const auto count = static_cast<std::ptrdiff_t>(rounded_share(rows.size(), fraction));
  return sorted_lists(rows, {rows.end() - count, rows.end()});
}

// The rows of each value in the order of their keys, and their first row with its key.
struct Sharers {
  KeyedRow first;
  KeyedRows rows;
};
std::vector<Sharers> sharers_of(const std::vector<std::size_t>& rows,
                                const std::vector<double>& values, std::uint64_t seed,
                                Purpose purpose) {
  std::map<double, std::vector<std::size_t>> lists;
  for (const std::size_t row : rows) lists[values[row]].push_back(row);
  std::vector<Sharers> all;
  for (const auto& [value, list] : lists) {
    all.push_back({by_key({list.front()}, seed, purpose).front(), by_key(list, seed, purpose)});
  }
  return all;
}

SplitRows plain_groups(const std::vector<std::size_t>& rows, const std::vector<double>& values,
                       double fraction, std::uint64_t seed, Purpose purpose) {
  std::vector<Sharers> groups = sharers_of(rows, values, seed, purpose);
  std::sort(groups.begin(), groups.end(),
            [](const Sharers& a, const Sharers& b) { return a.first < b.first; });
  std::set<std::size_t> held;
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    if (held.size() >= rounded_share(rows.size(), fraction)) break;
    for (const KeyedRow& row : groups[g].rows) held.insert(row.row);
  }
  return sorted_lists(rows, held);
}

SplitRows plain_classes(const std::vector<std::size_t>& rows, const std::vector<double>& values,
                        double fraction, std::uint64_t seed, Purpose purpose) {
  const std::vector<Sharers> classes = sharers_of(rows, values, seed, purpose);
  std::vector<ClassOfRows> sizes;
  for (const Sharers& one : classes) sizes.push_back({one.rows.size(), one.first});
  const auto counts = quotas(sizes, rounded_share(rows.size(), fraction), fraction);
  std::set<std::size_t> held;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t k = 0; k < counts[c]; ++k) held.insert(classes[c].rows[k].row);
  }
  return sorted_lists(rows, held);
}

void expect_same(const SplitSets& sets, const SplitRows& lists) {
  EXPECT_EQ(list_of(sets.kept), lists.kept);
  EXPECT_EQ(list_of(sets.held_out), lists.held_out);
}

// In windows of an odd size.
ColumnWindows windows_over(const std::vector<double>& values) {
  return [&values](const SeeValues& see) {
    constexpr std::size_t kWindow = 37;
    for (std::size_t first = 0; first < values.size(); first += kWindow) {
      see(first, std::span(values).subspan(first, std::min(kWindow, values.size() - first)));
    }
  };
}

TEST(SplitMany, HoldsOutTheRowsWithTheSmallestKeys) {
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
                    plain_split(list, fraction, seed, kPurpose));
        expect_same(split_last(rows, fraction), plain_last(list, fraction));
        for (const std::vector<double>& column : {values, few}) {
          expect_same(split_stratified(rows, windows_over(column), fraction, seed, kPurpose),
                      plain_classes(list, column, fraction, seed, kPurpose));
          expect_same(split_groups(rows, windows_over(column), fraction, seed, kPurpose),
                      plain_groups(list, column, fraction, seed, kPurpose));
        }
      }
    }
  }
}

TEST(SplitMany, OfManyRowsIsStopped) {
  const RowSet rows = RowSet::all(2'000'000);
  parallel::expect_stops(10, [&](const std::shared_ptr<Monitor>& monitor) {
    split_rows(rows, 0.3, 0, Purpose::test_split, monitor.get());
  });
}

TEST(SplitMany, RefusesWhatCannotBeSplit) {
  const RowSet rows = RowSet::all(10);
  std::vector<double> values(10, 3.0);
  EXPECT_THROW(split_rows(rows, 1, 0, Purpose::test_split), Error);
  EXPECT_THROW(split_groups(rows, windows_over(values), 0.5, 0, Purpose::test_split), Error);
  values[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(split_stratified(rows, windows_over(values), 0.5, 0, Purpose::test_split), Error);
  EXPECT_THROW(split_groups(rows, windows_over(values), 0.5, 0, Purpose::test_split), Error);
}

}  // namespace
}  // namespace knotwork::features
