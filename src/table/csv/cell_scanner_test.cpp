// SPDX-License-Identifier: MIT
// Tests how cells are written: decimal commas, words for missing cells, texts that look like
// numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

#include "table/csv/number_lookalike.hpp"

namespace knotwork {
namespace {

using testing::HasSubstr;
using Names = std::vector<std::string>;
using Columns = std::vector<std::vector<double>>;

constexpr auto kComma = [] { return CsvOptions{.cells = {.decimal_comma = true}}; };

std::string error_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CsvFormat, DecimalCommasAreReadWhenAskedFor) {
  const Table table = parse_csv("a;b\n1,5;2\n-,25;\"3,5e2\"\n", "t", kComma());
  EXPECT_EQ(table.columns, (Columns{{1.5, -0.25}, {2, 350}}));
  EXPECT_EQ(table.cells, kComma().cells);
  EXPECT_EQ(parse_csv("2,5\n3,5\n", "t", kComma()).columns, (Columns{{2.5, 3.5}}));
  EXPECT_EQ(parse_csv("\"2,5\",\"1,5\"\n", "t", kComma()).columns, (Columns{{2.5}, {1.5}}));
}

TEST(CsvFormat, WithADecimalCommaAPointGroupsDigits) {
  EXPECT_EQ(parse_csv("a;b\n1,5;2\n1.234,5;3\n", "t", kComma()).columns[0],
            (std::vector<double>{1.5, 1234.5}));
}

TEST(CsvFormat, MissingTextsWithADecimalCommaAreFoundByTheirText) {
  CsvOptions options = kComma();
  options.cells.missing = {"-9,5"};
  const Table table = parse_csv("a;b\n-9,5;2\n1,5;3\n", "t", options);
  EXPECT_TRUE(std::isnan(table.columns[0][0]));
  EXPECT_EQ(table.columns[0][1], 1.5);
}

TEST(CsvFormat, MissingWordsCanBeTextsLikeOthers) {
  const CsvOptions options{.cells = {.missing = {"-"}, .missing_words = false}};
  const Table table = parse_csv("a,b\nnone,1\nNA,2\n,3\n-,4\n", "t", options);
  EXPECT_EQ(table.labels[0], (Names{"NA", "none"}));
  EXPECT_TRUE(std::isnan(table.columns[0][2]));
  EXPECT_TRUE(std::isnan(table.columns[0][3]));
}

TEST(CsvFormat, BarsAreGuessed) {
  EXPECT_EQ(parse_csv("a|b\n1|2\n", "t").names, (Names{"a", "b"}));
  EXPECT_EQ(parse_csv("1,5|2\n", "t", kComma()).columns, (Columns{{1.5}, {2}}));
}

TEST(CsvFormat, NamesAreReadWithoutTheRows) {
  EXPECT_EQ(parse_csv_names("a,a,\xFF,\n\"never closed", "t", {.header = true}),
            (Names{"a", "a", "\xFF", "c4"}));
  EXPECT_EQ(parse_csv_names("1,2\n3,4\n", "t"), (Names{"c1", "c2"}));
}

TEST(CsvFormat, UnreadColumnsAreListed) {
  const Table table = parse_csv("a,b,c\n1,2,3\n", "t", {.only = Names{"c", "a"}});
  EXPECT_EQ(table.unread, (Names{"b"}));
}

TEST(CsvDisguise, SaysWhatKeepsATextFromBeingANumber) {
  for (const char* text : {"$12", "-$1,200.50", "12 €", "£3", "$ 5"}) {
    EXPECT_THAT(csv::why_not_a_number(text), HasSubstr("currency")) << text;
  }
  for (const char* text : {"12%", "3.5 %", "-1 %"}) {
    EXPECT_THAT(csv::why_not_a_number(text), HasSubstr("percent")) << text;
  }
  for (const char* text : {"1 234", "1'234'567", "1.234.567", "12 345,6", "1\u202F234"}) {
    EXPECT_THAT(csv::why_not_a_number(text), HasSubstr("groups")) << text;
  }
  for (const char* text : {"2024-01-31", "31.1.2024", "1/31/24", "2024-01-31T10:00"}) {
    EXPECT_THAT(csv::why_not_a_number(text), HasSubstr("date")) << text;
  }
  for (const char* text :
       {"", "red", "3 4", "1-2", "10.0.0.1", "$", "%", "A$5", "555-1234", "0.037", "-0.125"}) {
    EXPECT_EQ(csv::why_not_a_number(text), "") << text;
  }
}

}  // namespace
}  // namespace knotwork
