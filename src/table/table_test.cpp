// SPDX-License-Identifier: MIT
#include <knotwork/table.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <knotwork/error.hpp>

#include "table/csv/cell_value.hpp"

namespace knotwork::table {
namespace {

using Names = std::vector<std::string>;

const double kMissing = std::nan("");

std::string error_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    return error.what();
  }
  return "no error";
}

TEST(Table, FindsColumnsByName) {
  const Table table{"t.csv", {"width", "height"}, {{1}, {2}}};
  EXPECT_EQ(table.index_of("height"), 1u);
  EXPECT_EQ(error_of([&] { table.index_of("heigth"); }),
            "t.csv has no column called 'heigth'; did you mean 'height'?");
  EXPECT_EQ(error_of([&] { table.index_of("zzz"); }),
            "t.csv has no column called 'zzz'; its columns are width, height.");
}

TEST(Table, TellsWhereACellIs) {
  Table table{"t", {"a", "two\nlines"}, {{1, 2}, {3, 4}}};
  EXPECT_EQ(table.where(1, 1), "t, row 1, column 2 ('two\\nlines')");
  table.first_row = 40;
  EXPECT_EQ(table.where(1, 0), "t, row 41, column 1 ('a')");
  table.row_numbers = {6, 12};
  EXPECT_EQ(table.where(1, 0), "t, row 12, column 1 ('a')");
  table.first_line = 2;
  EXPECT_EQ(table.where(1, 0), "t, line 3, column 1 ('a')");
  table.lines = {2, 9};
  table.positions = {7, 5};
  EXPECT_EQ(table.where(1, 0), "t, line 9, column 7 ('a')");
}

TEST(Table, ChecksItsShape) {
  const std::string shape =
      "The table 't' cannot be used: it needs one name for each of its 2 "
      "columns, all of the same number of rows.";
  EXPECT_EQ(error_of([] { Table{"t", {"a"}, {{1}, {2}}}.check(); }), shape);
  EXPECT_EQ(error_of([] { Table{"t", {"a", "b"}, {{1, 2}, {2}}}.check(); }), shape);
  EXPECT_EQ(error_of([] { to_csv({"t", {"a", "b"}, {{1, 2}, {2}}}); }), shape);
}

TEST(Table, ChecksItsLabels) {
  const auto check = [](std::vector<double> cells, Names labels) {
    return error_of([&] { Table{"t", {"n", "x"}, {cells, cells}, {{}, labels}}.check(); });
  };
  const std::string wrong =
      "The table 't' cannot be used: the labels of its text column 'x' must "
      "be different and sorted, and each cell the index of one or NaN.";
  EXPECT_EQ(check({0, 1, kMissing}, {"a", "b"}), "no error");
  EXPECT_EQ(check({5, -1, 0.5}, {}), "no error");
  EXPECT_EQ(check({0, 2}, {"a", "b"}), wrong);
  EXPECT_EQ(check({-1}, {"a", "b"}), wrong);
  EXPECT_EQ(check({0.5}, {"a", "b"}), wrong);
  EXPECT_EQ(check({0, 1}, {"b", "a"}), wrong);
  EXPECT_EQ(check({0, 1}, {"a", "a"}), wrong);
  EXPECT_EQ(error_of([] {
              Table{"t", {"n", "x"}, {{0}, {0}}, {{"a"}}}.check();
            }),
            "The table 't' cannot be used: it has labels for 1 columns, but needs labels for all 2 "
            "columns or for none.");
}

TEST(Table, ChecksWhereRowsAndColumnsStand) {
  Table table{"t", {"a"}, {{1, 2}}};
  table.lines = {4};
  const std::string wrong =
      "The table 't' cannot be used: it needs one line and one number for each row and one "
      "position "
      "for each column, or none.";
  EXPECT_EQ(error_of([&] { table.check(); }), wrong);
  table.lines = {4, 5};
  table.row_numbers = {4};
  EXPECT_EQ(error_of([&] { table.check(); }), wrong);
  table.row_numbers = {4, 5};
  table.positions = {1, 2};
  EXPECT_EQ(error_of([&] { table.check(); }), wrong);
  table.positions = {3};
  EXPECT_EQ(error_of([&] { table.check(); }), "no error");
}

TEST(Table, WritesShortestDigitsAndQuotes) {
  const Table table{"t", {"a", "b,c", "say \"x\""}, {{0.1, 1e300}, {100000, -0.0}, {1, 2.5}}};
  EXPECT_EQ(to_csv(table), "a,\"b,c\",\"say \"\"x\"\"\"\n0.1,100000,1\n1e+300,-0,2.5\n");
}

TEST(Table, WritesTextsAndMissingCells) {
  const Table table{
      "t", {"a", "b"}, {{1, kMissing, 3}, {1, 0, kMissing}}, {{}, {" 01", "x,y\n\"z\""}}};
  EXPECT_EQ(to_csv(table), "a,b\n1,\"x,y\n\"\"z\"\"\"\n,\" 01\"\n3,\n");
}

TEST(Table, WritesNoBlankLines) {
  EXPECT_EQ(to_csv({"t", {"a"}, {{1, kMissing}}}), "a\n1\n\"\"\n");
}

const std::string kAwkward = "ab1,;\t\"\r\n .|:?-e";

std::vector<double> random_numbers(std::size_t rows) {
  const auto bits =
      *rc::gen::container<std::vector<std::uint64_t>>(rows, rc::gen::arbitrary<std::uint64_t>());
  std::vector<double> cells;
  for (const std::uint64_t b : bits) {
    // RapidCheck's integers are small for small sizes; the product reaches all exponents.
    const double value = std::bit_cast<double>(b * 0x9E3779B97F4A7C15u);
    cells.push_back(b % 5 == 4 || !std::isfinite(value) ? kMissing : value);
  }
  return cells;
}

// Adds text columns in which every label occurs, as in a file.
void add_random_texts(std::size_t rows, Table& table) {
  const auto texts = *rc::gen::container<Names>(
      rows, rc::gen::container<std::string>(rc::gen::elementOf(kAwkward)));
  const auto is_missing = [](std::string text) {
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    text.erase(text.find_last_not_of(' ') + 1);
    return text.empty() || csv::is_missing_word(text);
  };
  std::set<std::string> different;
  for (const std::string& text : texts) {
    if (!is_missing(text)) different.insert(text);
  }
  table.columns.emplace_back();
  for (const std::string& text : texts) {
    const auto found = different.find(text);
    table.columns.back().push_back(
        found == different.end() ? kMissing
                                 : static_cast<double>(std::distance(different.begin(), found)));
  }
  table.labels.resize(table.columns.size());
  table.labels.back().assign(different.begin(), different.end());
}

bool same_cells(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

RC_GTEST_PROP(TableProperty, WritingAndReadingGivesTheSameTable, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 6);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 12);
  Table table;
  table.source = "random";
  CsvOptions options{.header = true};
  for (std::size_t c = 0; c < width; ++c) {
    // The suffix keeps the names apart.
    const auto name = *rc::gen::container<std::string>(rc::gen::elementOf(kAwkward));
    table.names.push_back(name + std::to_string(c));
    if (*rc::gen::arbitrary<bool>()) {
      add_random_texts(rows, table);
      // Texts may look like numbers.
      options.categorical.push_back(table.names.back());
    } else {
      table.columns.push_back(random_numbers(rows));
    }
  }
  table.labels.resize(width);
  const Table back = parse_csv(to_csv(table), "random", options);
  RC_ASSERT(back.names == table.names);
  RC_ASSERT(back.rows() == rows);
  for (std::size_t c = 0; c < width; ++c) {
    RC_ASSERT(same_cells(back.columns[c], table.columns[c]));
    RC_ASSERT(back.is_text(c) == table.is_text(c));
    if (back.is_text(c)) RC_ASSERT(back.labels[c] == table.labels[c]);
  }
  RC_ASSERT(to_csv(back) == to_csv(table));
}

TEST(Table, AWideTableDoesNotBuryTheMessage) {
  Table table;
  table.source = "wide.csv";
  for (int c = 0; c < 50; ++c) {
    table.names.push_back("column" + std::to_string(c));
    table.columns.push_back({1});
  }
  try {
    table.index_of("qqq");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("column18, column19 and 30 more."));
  }
}

}  // namespace
}  // namespace knotwork::table
