// SPDX-License-Identifier: MIT
// Tests which first lines are headers, and the line of each row.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using Names = std::vector<std::string>;
using Lines = std::vector<std::size_t>;

bool has_header(const std::string& text, const CsvOptions& options = {}) {
  return parse_csv(text, "t", options).first_line != 1;
}

TEST(CsvHeader, OptionOverridesTheGuess) {
  const Table years = parse_csv("1990,2000\n1,2\n", "t.csv", {.header = true});
  EXPECT_EQ(years.names, (Names{"1990", "2000"}));
  EXPECT_EQ(years.rows(), 1u);
  const Table texts = parse_csv("a,b\n1,2\n", "t.csv", {.header = false});
  EXPECT_EQ(texts.names, (Names{"c1", "c2"}));
  EXPECT_EQ(texts.labels, (std::vector<Names>{{"1", "a"}, {"2", "b"}}));
}

TEST(CsvHeader, WordsWithoutNumbersAreNames) {
  EXPECT_TRUE(has_header("a,b\nx,y\n"));
  EXPECT_TRUE(has_header("a,b\n1,2\n"));
  // A column of row numbers often has no name, and "NA" as a name means sodium.
  EXPECT_TRUE(has_header(",city\n1,Oslo\n"));
  EXPECT_TRUE(has_header("Na,city\n1,Oslo\n"));
}

TEST(CsvHeader, AWordAboveANumberIsAName) {
  EXPECT_EQ(parse_csv("year,1990\n1,2\n", "t").names, (Names{"year", "1990"}));
  EXPECT_EQ(parse_csv("name,1990,x\nbob,2,\"3\"\n", "t").names, (Names{"name", "1990", "x"}));
  EXPECT_TRUE(has_header("a;1990\n\"1,5\";x\n", {.categorical = {"a"}}));
}

TEST(CsvHeader, AWordAboveAWordIsNot) {
  const Table table = parse_csv("bob,1990\nann,2\n", "t");
  EXPECT_EQ(table.names, (Names{"c1", "c2"}));
  EXPECT_EQ(table.labels[0], (Names{"ann", "bob"}));
  EXPECT_EQ(table.columns[1], (std::vector<double>{1990, 2}));
  EXPECT_FALSE(has_header("bob,1990\n"));
  EXPECT_FALSE(has_header("bob,1\n,2\n"));
}

TEST(CsvHeader, MissingValuesAreNotWords) {
  for (const std::string text :
       {"1,,3\n4,5,6\n", "1,NA,3\n4,5,6\n", "1,nan,3\n4,5,6\n", "NA,?\n4,5\n", ",\n4,5\n"}) {
    EXPECT_FALSE(has_header(text)) << text;
  }
  EXPECT_TRUE(has_header("1,none given\n4,5\n"));
  EXPECT_FALSE(has_header("1,none given\n4,5\n", {.cells = {.missing = {"none given"}}}));
}

TEST(CsvLines, AreCountedFromTheFirstRow) {
  EXPECT_EQ(parse_csv("1\n2\n", "t").first_line, 1u);
  const Table table = parse_csv("\n\na,b\r\n1,2\r\n3,4\r\n\r\n", "t");
  EXPECT_EQ(table.first_line, 4u);
  EXPECT_TRUE(table.lines.empty());
  EXPECT_EQ(table.where(1, 0), "t, line 5, column 1 ('a')");
}

TEST(CsvLines, AreListedWhenRowsSpanSeveral) {
  const Table table = parse_csv("a,\"b\nb\"\nx,1\n\"y\n\nz\",2\nx,3\nx,4\n", "t");
  EXPECT_EQ(table.first_line, 3u);
  EXPECT_EQ(table.lines, (Lines{3, 4, 7, 8}));
  EXPECT_EQ(table.where(2, 1), "t, line 7, column 2 ('b\\nb')");
  EXPECT_TRUE(parse_csv("a\nx\n\"y\nz\"\n", "t").lines.empty());
}

}  // namespace
}  // namespace knotwork
