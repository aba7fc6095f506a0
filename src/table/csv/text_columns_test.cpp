// SPDX-License-Identifier: MIT
// Tests text columns, missing cells, and the options for the kinds of columns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using Names = std::vector<std::string>;
using Cells = std::vector<double>;
using namespace std::string_literals;
using testing::StartsWith;

MATCHER_P(SameCells, expected, "") {
  const std::vector<double> cells = expected;
  return testing::ExplainMatchResult(testing::Pointwise(testing::NanSensitiveDoubleEq(), cells),
                                     arg, result_listener);
}

const double kMissing = std::nan("");

std::string error_of(ErrorKind kind, auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

std::string column_of(int words, int numbers, int missing) {
  std::string text = "x,y\n";
  for (int i = 0; i < words; ++i) text += "w,1\n";
  for (int i = 0; i < numbers; ++i) text += "1,1\n";
  for (int i = 0; i < missing; ++i) text += ",1\n";
  return text;
}

TEST(CsvColumns, TextsAreNumberedInTheOrderOfTheirBytes) {
  const Table table = parse_csv("a,b,c\nred,1,x\nBlue,2,x\n,3,\nred,4,\xC3\xA4\n", "t");
  EXPECT_EQ(table.labels, (std::vector<Names>{{"Blue", "red"}, {}, {"x", "\xC3\xA4"}}));
  EXPECT_THAT(table.columns[0], SameCells(Cells{1, 0, kMissing, 1}));
  EXPECT_EQ(table.columns[1], (Cells{1, 2, 3, 4}));
  EXPECT_THAT(table.columns[2], SameCells(Cells{0, 0, kMissing, 1}));
  EXPECT_TRUE(table.is_text(0));
  EXPECT_FALSE(table.is_text(1));
}

TEST(CsvColumns, NumbersAloneHaveNoLabels) {
  EXPECT_TRUE(parse_csv("a,b\n1,NA\n", "t").labels.empty());
}

TEST(CsvColumns, TextsAreKeptAsTheyStand) {
  const Table table =
      parse_csv("a\n1\n1.0\n01\nx\n\" x\"\n x \n\"say \"\"x\"\"\"\n5\"\n\"1,5\"\n", "t");
  EXPECT_EQ(table.labels[0], (Names{" x", "01", "1", "1,5", "1.0", "5\"", "say \"x\"", "x"}));
  EXPECT_EQ(table.columns[0], (Cells{2, 4, 1, 7, 0, 7, 6, 5, 3}));
}

TEST(CsvColumns, ATenthOfWordsMakesText) {
  EXPECT_TRUE(parse_csv(column_of(1, 9, 50), "t").is_text(0));
  EXPECT_TRUE(parse_csv(column_of(2, 18, 0), "t").is_text(0));
}

TEST(CsvColumns, FewDifferentCellsThatAreNotAllNumbersMakeText) {
  const Table table = parse_csv(column_of(1, 40, 0), "t");
  EXPECT_EQ(table.labels[0], (Names{"1", "w"}));
  EXPECT_THAT(table.remarks,
              testing::ElementsAre("Column 'x' is read as text, because 'w' is not a number; to read "
                                   "it as numbers, with this text as missing, set the option "
                                   "missing to w."));
  EXPECT_TRUE(parse_csv("d\n0\n1\n2\n3+\n0\n1\n2\n3+\n1\n", "t").is_text(0));
}

TEST(CsvColumns, OnlyWordsMakeText) {
  // In a column that is text because of its words, infinite numbers and decimal commas are texts.
  const Table table = parse_csv("a;b\nx;1\ninf;1\n1,5;1\n1e999;1\n", "t");
  EXPECT_EQ(table.labels[0], (Names{"1,5", "1e999", "inf", "x"}));
  for (const std::string text : {"a;b\ninf;1\n", "a;b\n1e999;1\n"}) {
    EXPECT_THAT(error_of(ErrorKind::bad_data, [&] { parse_csv(text, "t"); }),
                StartsWith("t, line 2, column 1 ('a'): "));
  }
}

TEST(CsvColumns, MissingCellsInAllTheirForms) {
  const Table table = parse_csv(
      "a,b\n1,2\n,2\nNA,2\nn/a,2\nnAn,2\nNULL,2\nNone,2\n?,2\n\"\",2\n\" NA \",2\n 3 ,2\n", "t");
  ASSERT_EQ(table.rows(), 11u);
  EXPECT_EQ(table.columns[0].front(), 1);
  EXPECT_EQ(table.columns[0].back(), 3);
  for (std::size_t r = 1; r < 10; ++r) EXPECT_TRUE(std::isnan(table.columns[0][r])) << r;
}

TEST(CsvColumns, AColumnWithoutValuesIsOfNumbers) {
  const Table table = parse_csv("a,b,c\n1,,\n2,NA,NA\n", "t", {.categorical = {"c"}});
  EXPECT_THAT(table.columns[1], SameCells(Cells{kMissing, kMissing}));
  EXPECT_FALSE(table.is_text(1));
  EXPECT_FALSE(table.is_text(2));
  EXPECT_NO_THROW(table.check());
}

TEST(CsvColumns, FurtherTextsMeanMissingExactly) {
  const CsvOptions options{.cells = {.missing = {"-999", "unknown", "say \"x\"", " y "}}};
  const Table table = parse_csv(
      "a,b,c\n-999,unknown,x\n-999.0,1,\"say \"\"x\"\"\"\n\"-999\",2,\" y \"\n1,3,\"-999\"\n", "t",
      options);
  EXPECT_THAT(table.columns[0], SameCells(Cells{kMissing, -999, kMissing, 1}));
  EXPECT_THAT(table.columns[1], SameCells(Cells{kMissing, 1, 2, 3}));
  EXPECT_THAT(table.columns[2], SameCells(Cells{0, kMissing, kMissing, kMissing}));
  EXPECT_TRUE(parse_csv("a,b\nUnknown,1\n", "t", options).is_text(0));
}

TEST(CsvColumns, CategoricalColumnsTakeNumbersAsText) {
  const Table table = parse_csv("a,b\n1,1\n1.0,2\nNA,3\n", "t", {.categorical = {"a"}});
  EXPECT_EQ(table.labels[0], (Names{"1", "1.0"}));
  EXPECT_THAT(table.columns[0], SameCells(Cells{0, 1, kMissing}));
  EXPECT_TRUE(parse_csv(column_of(1, 100, 0), "t", {.categorical = {"x"}}).is_text(0));
}

TEST(CsvColumns, NumericColumnsRefuseWords) {
  EXPECT_EQ(
      error_of(ErrorKind::bad_data,
               [] { parse_csv("a,b\n1,2\nx y,3\n", "t", {.numeric = {"a"}}); }),
      "t, line 3, column 1 ('a'): 'x y' is not a number, but the column was declared numeric, or "
      "the model reads it as numbers; correct it, or set the option missing to x y.");
  EXPECT_EQ(error_of(ErrorKind::bad_data,
                     [] { parse_csv("a,b\n1,2\n2020-01-31,3\n", "t", {.numeric = {"a"}}); }),
            "t, line 3, column 1 ('a'): '2020-01-31' is not a number, but the column was declared "
            "numeric, or the model reads it as numbers; set the option date to a.");
  // Numbers with signs are numbers, if all have the same.
  EXPECT_EQ(parse_csv("a;b\n1,5;2\n", "t", {.numeric = {"a"}}).columns[0], (Cells{1.5}));
  EXPECT_THAT(error_of(ErrorKind::bad_data,
                       [] { parse_csv("a;b\n$1;2\n3 kg;2\n$2;2\n", "t", {.numeric = {"a"}}); }),
              StartsWith("t, line 3, column 1 ('a'): '3 kg' is not a number, but the column was"));
}

TEST(CsvColumns, RefusesContradictionsAndUnknownNames) {
  const std::string text = "height,width\n1,2\n";
  EXPECT_EQ(error_of(ErrorKind::bad_option,
                     [&] {
                       parse_csv(text, "t",
                                 {.categorical = {"width"},
                                  .numeric = {"height", "width"},
                                  .only = Names{"height"}});
                     }),
            "Column 'width' of t is declared both categorical and numeric; choose one of them.");
  const std::string closest = "t has no column called 'heigth'; did you mean 'height'?";
  for (const CsvOptions& options :
       {CsvOptions{.categorical = {"heigth"}}, CsvOptions{.numeric = {"heigth"}},
        CsvOptions{.only = Names{"heigth"}}}) {
    EXPECT_EQ(error_of(ErrorKind::bad_data, [&] { parse_csv(text, "t", options); }), closest);
  }
}

TEST(CsvOnly, ReadsTheNamedColumnsInTheirOrder) {
  const Table table = parse_csv("a,b,c\n1,x,3\n4,y,6\n", "t", {.only = Names{"c", "a"}});
  EXPECT_EQ(table.names, (Names{"c", "a"}));
  EXPECT_EQ(table.columns, (std::vector<Cells>{{3, 6}, {1, 4}}));
  EXPECT_TRUE(table.labels.empty());
  EXPECT_EQ(table.where(1, 0), "t, line 3, column 3 ('c')");
  EXPECT_EQ(parse_csv("1,2\n", "t", {.only = Names{"c2"}}).columns, (std::vector<Cells>{{2}}));
}

TEST(CsvOnly, TextColumnsKeepTheirPlaces) {
  const Table table = parse_csv("a,b,c,d\nq,x,3,u\nr,y,6,v\n", "t", {.only = Names{"d", "c", "b"}});
  EXPECT_EQ(table.labels, (std::vector<Names>{{"u", "v"}, {}, {"x", "y"}}));
  EXPECT_EQ(table.columns, (std::vector<Cells>{{0, 1}, {3, 6}, {0, 1}}));
}

TEST(CsvOnly, TheRestMayHoldAnything) {
  std::string text = "bad\xFF,twice,twice,a\n";
  for (int r = 0; r < 20; ++r) text += "inf,1e999,5,7\n";
  text += "\xFF,w\0,\"1,\n5\",8\n"s;
  const Table table = parse_csv(text, "t", {.only = Names{"a"}});
  EXPECT_EQ(table.columns[0].back(), 8);
  EXPECT_THAT(error_of(ErrorKind::bad_data,
                       [&] {
                         parse_csv(text, "t", {.only = Names{"a", "twice"}});
                       }),
              StartsWith("t, line 1, column 3 ('twice'): column 2 has the same name"));
}

TEST(CsvOnly, RefusesRaggedRowsAndOpenQuotesAllTheSame) {
  EXPECT_THAT(
      error_of(ErrorKind::bad_data, [] { parse_csv("a,b\n1,2\n3\n", "t", {.only = Names{"a"}}); }),
      StartsWith("t, line 3, column 2 ('b'): the row has 1 cell"));
  EXPECT_THAT(error_of(ErrorKind::bad_data,
                       [] { parse_csv("a,b\n1,\"2\n3\n", "t", {.only = Names{"a"}}); }),
              StartsWith("t, line 2, column 2 ('b'): the quote that opens"));
}

TEST(CsvOnly, RefusesNothingAndTwice) {
  EXPECT_THAT(
      error_of(ErrorKind::bad_option, [] { parse_csv("a,b\n1,2\n", "t", {.only = Names{}}); }),
      StartsWith("The list of columns to read from t is empty; name at least one"));
  EXPECT_EQ(error_of(ErrorKind::bad_option,
                     [] {
                       parse_csv("a,b\n1,2\n", "t", {.only = Names{"a", "a"}});
                     }),
            "Column 'a' of t is requested twice; name it once.");
}

}  // namespace
}  // namespace knotwork
