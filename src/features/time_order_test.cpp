// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "features/target_values.hpp"
#include "parallel/test_ranks.hpp"

#include <knotwork/training.hpp>

namespace knotwork::features {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// A sale a day; `sold` and `built` are dates.
Table sales() {
  Table table{.source = "t.csv", .names = {"built", "sold", "x", "y"}, .columns = {}};
  table.columns.assign(4, std::vector<double>(100));
  table.dates = {true, true, false, false};
  for (std::size_t r = 0; r < 100; ++r) {
    const auto k = static_cast<double>(r);
    table.columns[0][r] = 86400.0 * static_cast<double>(r * 37 % 100);
    table.columns[1][r] = 86400 * k;
    table.columns[2][r] = std::sin(k);
    table.columns[3][r] = std::cos(k);
  }
  return table;
}

TableTask drawn() {
  TableTask task;
  task.test_fraction = 0.3;
  return task;
}

const char* const kSorted = "The rows are in the order of their dates in column 'sold'";
const char* const kUnsorted = "holds dates, but the test rows are drawn from all times";

TEST(TimeOrder, GetsAHintIfTestRowsAreDrawn) {
  const PreparedData prepared(sales(), drawn(), 0);
  EXPECT_THAT(prepared.remarks(), Contains(HasSubstr(kSorted)));
  EXPECT_THAT(prepared.remarks(), Not(Contains(HasSubstr(kUnsorted))));
  EXPECT_EQ(prepared.remarks().back().hint().settings,
            (std::vector<OptionSetting>{{"test-last", "true"}}));
  Table unsorted = sales();
  std::reverse(unsorted.columns[1].begin(), unsorted.columns[1].end());
  EXPECT_THAT(PreparedData(unsorted, drawn(), 0).remarks(),
              Contains(HasSubstr("Column 'built' holds dates")));
  // A few rows out of order do not matter, nor do missing dates.
  Table nearly = sales();
  std::swap(nearly.columns[1][10], nearly.columns[1][12]);
  nearly.columns[1][50] = NAN;
  EXPECT_THAT(PreparedData(nearly, drawn(), 0).remarks(), Contains(HasSubstr(kSorted)));
  parallel::run_ranks(2, [&](Ranks& ranks) {
    EXPECT_EQ(PreparedData(sales(), drawn(), 0, nullptr, &ranks).remarks(), prepared.remarks());
  });
}

TEST(TimeOrder, GetsNoHintIfTheTestPartWasChosen) {
  const auto remarks = [](const TableTask& task, Table table = sales()) {
    return PreparedData(std::move(table), task, 0).remarks();
  };
  TableTask last = drawn(), groups = drawn(), listed, second, drop = drawn();
  last.test_last = true;
  groups.group_column = "x";
  listed.test_rows = {1, 2, 3};
  second.test_data = std::make_shared<const Table>(sales());
  drop.drop = {"built", "sold"};
  for (const TableTask& task : {last, groups, listed, second, drop, TableTask()}) {
    EXPECT_THAT(remarks(task), Not(Contains(HasSubstr("test rows"))));
  }
  Table numbers = sales();
  numbers.dates.clear();
  EXPECT_THAT(remarks(drawn(), numbers), Not(Contains(HasSubstr("test rows"))));
}

TEST(SchemaRemarks, ComeFirst) {
  Table table = sales();
  table.remarks = {"The first line was read as a header."};
  const PreparedData prepared(table, drawn(), 0);
  EXPECT_EQ(prepared.remarks().front(), "The first line was read as a header.");
  EXPECT_EQ(std::count(prepared.remarks().begin(), prepared.remarks().end(),
                       "The first line was read as a header."),
            1);
}

}  // namespace
}  // namespace knotwork::features
