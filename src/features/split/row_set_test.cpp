// SPDX-License-Identifier: MIT
#include "features/split/row_set.hpp"

#include <gtest/gtest.h>

#include <knotwork/random.hpp>

namespace knotwork::features {
namespace {

std::vector<std::size_t> rows_of(const RowSet& set, std::size_t first, std::size_t last) {
  std::vector<std::size_t> rows;
  set.for_each(first, last, [&](std::size_t row) { rows.push_back(row); });
  return rows;
}

TEST(RowSet, IsTheListOfItsRows) {
  const Random random(1, Purpose::row_sample);
  for (const std::size_t table_rows : {0, 1, 63, 64, 65, 4095, 4096, 4097, 20000}) {
    for (const double share : {0.0, 0.01, 0.5, 1.0}) {
      std::vector<std::size_t> list;
      for (std::size_t row = 0; row < table_rows; ++row) {
        if (random.uniform(row) < share) list.push_back(row);
      }
      const RowSet set = RowSet::of(table_rows, list);
      ASSERT_EQ(set.size(), list.size());
      EXPECT_EQ(rows_of(set, 0, table_rows), list);
      EXPECT_EQ(RowSet(table_rows, [&](std::size_t r) { return random.uniform(r) < share; }), set);
      std::size_t before = 0;
      for (std::size_t row = 0; row < table_rows; ++row) {
        const bool in = before < list.size() && list[before] == row;
        ASSERT_EQ(set.contains(row), in);
        ASSERT_EQ(set.count_before(row), before);
        if (in) {
          ASSERT_EQ(set[before++], row);
        }
      }
      EXPECT_EQ(set.count_before(table_rows), list.size());
    }
  }
}

TEST(RowSet, IsSeenInAnyWindow) {
  const RowSet set(1000, [](std::size_t row) { return row % 3 == 1; });
  for (std::size_t first = 0; first <= 1000; first += 37) {
    for (std::size_t last = first; last <= 1000; last += 41) {
      std::vector<std::size_t> expected;
      for (std::size_t row = first; row < last; ++row) {
        if (row % 3 == 1) expected.push_back(row);
      }
      EXPECT_EQ(rows_of(set, first, last), expected) << first << " to " << last;
    }
  }
  EXPECT_EQ(RowSet::all(130).size(), 130u);
  EXPECT_EQ(rows_of(RowSet::all(130), 126, 130), (std::vector<std::size_t>{126, 127, 128, 129}));
}

}  // namespace
}  // namespace knotwork::features
