// SPDX-License-Identifier: MIT
// Tests how lines are divided into cells, and which lines are skipped.
#include "table/text/dialect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;
using Columns = std::vector<std::vector<double>>;

std::string dialect_refusal(const std::string& text, const CsvOptions& options = {}) {
  try {
    parse_csv(text, "t.csv", options);
  } catch (const Error& error) {
    return error.what();
  }
  return "it was read";
}

const CsvOptions kHash{.comment = "#"};

TEST(RunsOfSpaces, AreOneDelimiter) {
  const CsvOptions spaces{.delimiter = kRunsOfSpaces};
  const Table table = parse_csv("  a   b\tc \n 1  2 3\n4\t\t5  6  \n", "t", spaces);
  EXPECT_EQ(table.names, (Names{"a", "b", "c"}));
  EXPECT_EQ(table.columns, (Columns{{1, 4}, {2, 5}, {3, 6}}));
  const Table texts = parse_csv("a b\n\"x y\"   1\n \"z\"  2 \n", "t", spaces);
  EXPECT_EQ(texts.labels[0], (Names{"x y", "z"}));
  EXPECT_EQ(texts.columns[1], (std::vector<double>{1, 2}));
  EXPECT_THAT(dialect_refusal("a b c\n1 2 \n", spaces), HasSubstr("the row has 2 cells"));
  EXPECT_THAT(dialect_refusal("a b\n1 2 3\n", spaces), HasSubstr("the row has 3 cells"));
  EXPECT_THAT(dialect_refusal("a b\n\"1\"2 3\n", spaces),
              HasSubstr("text follows the closing quote"));
}

TEST(RunsOfSpaces, AreGuessed) {
  EXPECT_EQ(parse_csv("a  b\n1  2\n10 20\n", "t").names, (Names{"a", "b"}));
  EXPECT_EQ(parse_csv(" 1   2.5\n 10  20\n", "t").columns, (Columns{{1, 10}, {2.5, 20}}));
  // Tabs among the spaces, as in old collections of data.
  const Table cars = parse_csv(
      "18.0   8   307.0\t\"chevrolet malibu\"\n"
      "15.0   8   350.0\t\"buick skylark\"\n",
      "t");
  EXPECT_EQ(cars.columns.size(), 4u);
  EXPECT_EQ(cars.labels[3], (Names{"buick skylark", "chevrolet malibu"}));
  // Runs of tabs.
  EXPECT_EQ(parse_csv("1\t2\t3\n4\t\t5\t6\n", "t").columns, (Columns{{1, 4}, {2, 5}, {3, 6}}));
}

TEST(RunsOfSpaces, AreNotGuessedInTexts) {
  EXPECT_EQ(parse_csv("first name\nJohn Smith\nMary Jones\n", "t").names, (Names{"first name"}));
  EXPECT_EQ(parse_csv("a b\n1 2 3\n4\n", "t").names, (Names{"a b"}));
  EXPECT_EQ(parse_csv("a b,c\n1 2,3\n", "t").names, (Names{"a b", "c"}));
  EXPECT_EQ(parse_csv("New York\t5\nLos Angeles\t6\n", "t").columns.size(), 2u);
  EXPECT_EQ(parse_csv("a\tb\n1\t\n\t2\n", "t").columns.size(), 2u);
}

TEST(Comments, AreSkippedAndLinesStayRight) {
  const Table table =
      parse_csv("# made by hand, \"2020\n\n#\na,b\n# one\n1,2\n  # two, \"\n3,4\n#\n", "t", kHash);
  EXPECT_EQ(table.names, (Names{"a", "b"}));
  EXPECT_EQ(table.columns, (Columns{{1, 3}, {2, 4}}));
  EXPECT_EQ(table.where(1, 0), "t, line 8, column 1 ('a')");
  EXPECT_THAT(dialect_refusal("# c\na,b\n# c\n1,2,3\n", kHash), HasSubstr("line 4"));
  EXPECT_THAT(dialect_refusal("# c\n# d\n", kHash), HasSubstr("is empty"));
  // Only lines that begin with the sign are comments.
  EXPECT_EQ(parse_csv("a,b\n1,#2\n1,x\n", "t", kHash).labels[1], (Names{"#2", "x"}));
  const CsvOptions slashes{.comment = "//"};
  EXPECT_EQ(parse_csv("a\n/1\n//2\n/3\n", "t", slashes).rows(), 2u);
}

TEST(Comments, TextsAreReadInTheSecondPassToo) {
  const Table table = parse_csv("a,b\n#\nx,1\n\n#,\"\ny,2\n", "t", kHash);
  EXPECT_EQ(table.labels[0], (Names{"x", "y"}));
  EXPECT_EQ(table.columns[0], (std::vector<double>{0, 1}));
}

TEST(Comments, TheErrorOfALineThatMayBeOneSaysSo) {
  EXPECT_THAT(dialect_refusal("# by hand\na,b\n1,2\n"),
              HasSubstr("if line 1 is a comment, set the option comment to #"));
  EXPECT_THAT(dialect_refusal("a,b\n1,2\n% by hand\n"),
              HasSubstr("if the line is a comment, set the option comment to %"));
}

TEST(Comments, ASignThatCannotBeginALineIsRefused) {
  for (const char* sign : {" #", "\"", ",#", "#\n"}) {
    EXPECT_THAT(dialect_refusal("a,b\n1,2\n", {.delimiter = ',', .comment = sign}),
                HasSubstr("A line cannot begin with the comment sign"));
  }
}

TEST(BlankLines, AreSkippedWithARemark) {
  const Table table = parse_csv("a,b\n\n1,2\n\n \n3,4\n\n\n", "t");
  EXPECT_EQ(table.columns, (Columns{{1, 3}, {2, 4}}));
  EXPECT_EQ(table.where(1, 0), "t, line 6, column 1 ('a')");
  EXPECT_THAT(table.remarks,
              ElementsAre("3 lines are blank, the first is line 2; blank lines are skipped."));
  EXPECT_THAT(parse_csv("\n\na,b\n1,2\n\n\n", "t").remarks, IsEmpty());
}

TEST(BlankLines, AreMissingCellsInATableOfOneColumn) {
  const Table table = parse_csv("a\n1\n\n3\n\n\n", "t");
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_TRUE(std::isnan(table.columns[0][1]));
  EXPECT_THAT(table.remarks, ElementsAre("Line 3 is blank; in a table of one column a blank line "
                                         "is a missing cell."));
  const Table texts = parse_csv("a\nx\n\ny\n#\n\n#\n\n", "t", kHash);
  ASSERT_EQ(texts.rows(), 3u);
  EXPECT_TRUE(std::isnan(texts.columns[0][1]));
  EXPECT_EQ(texts.columns[0][2], 1);
}

TEST(Sample, HasWholeLinesOnly) {
  using csv::sample_of;
  EXPECT_EQ(sample_of("a\nb"), "a\nb");
  std::string lines;
  for (std::size_t k = 0; k < csv::kSampleLines; ++k) lines += "x\r\n";
  EXPECT_EQ(sample_of(lines + "y\n"), lines);
  const std::string line(csv::kSampleBytes - 4, 'x');
  EXPECT_EQ(sample_of(line + "\n123456"), line + "\n");
  EXPECT_EQ(sample_of(line + line).size(), csv::kSampleBytes);
}

TEST(NoRows, AreATableIfTheyMayBe) {
  EXPECT_THAT(dialect_refusal("a,b\n"), HasSubstr("has a header in line 1 but no rows"));
  const Table table = parse_csv("a,b\n", "t", {.may_have_no_rows = true});
  EXPECT_EQ(table.names, (Names{"a", "b"}));
  EXPECT_EQ(table.rows(), 0u);
}

}  // namespace
}  // namespace knotwork
