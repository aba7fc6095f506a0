// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

#include "table/csv/cell_value.hpp"

namespace knotwork {
namespace {

using Names = std::vector<std::string>;
using Columns = std::vector<std::vector<double>>;

TEST(Csv, ReadsHeaderAndRows) {
  const Table table = parse_csv("a,b\n1,2\n3,4.5\n", "t.csv");
  EXPECT_EQ(table.source, "t.csv");
  EXPECT_EQ(table.names, (Names{"a", "b"}));
  EXPECT_EQ(table.columns, (Columns{{1, 3}, {2, 4.5}}));
  EXPECT_EQ(table.rows(), 2u);
}

TEST(Csv, IsWrittenWithoutItsNamesIfAsked) {
  const Table table = parse_csv("a,b\n1,x\n2,y\n", "t");
  EXPECT_EQ(to_csv(table), "a,b\n1,x\n2,y\n");
  EXPECT_EQ(to_csv(table, false), "1,x\n2,y\n");
  EXPECT_EQ(unpack_csv_text("a,b\n", "t"), "a,b\n");
}

TEST(Csv, NamesColumnsWhenTheFirstLineIsNumbersOnly) {
  const Table table = parse_csv("1,2e1\n3,4", "t.csv");
  EXPECT_EQ(table.names, (Names{"c1", "c2"}));
  EXPECT_EQ(table.columns, (Columns{{1, 3}, {20, 4}}));
}

TEST(Csv, QuotedNumbersAreNumbers) {
  EXPECT_EQ(parse_csv("\"1\",\" 2 \"\n", "t.csv").columns, (Columns{{1}, {2}}));
}

TEST(Csv, GuessesTheDelimiterOutsideQuotes) {
  EXPECT_EQ(parse_csv("a;b\n1;2\n", "t").names, (Names{"a", "b"}));
  EXPECT_EQ(parse_csv("a\tb\n1\t2\n", "t").names, (Names{"a", "b"}));
  EXPECT_EQ(parse_csv("\"a,x,y\";b\n1;2\n", "t").names, (Names{"a,x,y", "b"}));
  EXPECT_EQ(parse_csv("length, mm;width\n1;2\n", "t").names, (Names{"length, mm", "width"}));
  EXPECT_EQ(parse_csv("5\" pipe,b;c,d\n1,2,3\n", "t").names, (Names{"5\" pipe", "b;c", "d"}));
  EXPECT_EQ(parse_csv("1,2,x;y,4\n", "t").names, (Names{"c1", "c2", "c3", "c4"}));
  EXPECT_EQ(parse_csv("1,2,3,4\n", "t").names, (Names{"c1", "c2", "c3", "c4"}));
  EXPECT_EQ(parse_csv("\n\na;b\n1;2\n", "t").names, (Names{"a", "b"}));
  EXPECT_EQ(parse_csv("\"say \"\"a,b\"\"\";x\n1;2\n", "t").names, (Names{"say \"a,b\"", "x"}));
}

TEST(Csv, UsesTheDelimiterItIsTold) {
  EXPECT_EQ(parse_csv("a,x|b\n1|2\n", "t", {.delimiter = '|'}).names, (Names{"a,x", "b"}));
  EXPECT_EQ(parse_csv("1 2\n3 4\n", "t", {.delimiter = ' '}).columns, (Columns{{1, 3}, {2, 4}}));
  try {
    parse_csv("a,b\n1,2\n", "t", {.delimiter = '.'});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_THAT(error.what(), testing::HasSubstr("'.' cannot separate cells; use a comma"));
  }
}

TEST(Csv, AcceptsEveryLineEnd) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const Table table = parse_csv("a,b" + end + "1,2" + end + "3,4" + end, "t");
    EXPECT_EQ(table.names, (Names{"a", "b"}));
    EXPECT_EQ(table.columns, (Columns{{1, 3}, {2, 4}}));
  }
}

TEST(Csv, IgnoresByteOrderMarkAndBlankLinesAround) {
  const Table table = parse_csv("\xEF\xBB\xBF \n\na,b\n1,2\n\n \t \r\n  ", "t");
  EXPECT_EQ(table.names, (Names{"a", "b"}));
  EXPECT_EQ(table.columns, (Columns{{1}, {2}}));
}

TEST(Csv, QuotedNamesKeepWhatTheyHold) {
  const Table table =
      parse_csv("\"a \"\"b\"\"\", \"two\nlines\" ,\" c \", d ,\"x,y\"\n1,2,3,4,5\n", "t");
  EXPECT_EQ(table.names, (Names{"a \"b\"", "two\nlines", " c ", "d", "x,y"}));
}

TEST(Csv, EmptyNamesAreNumbered) {
  EXPECT_EQ(parse_csv(",a,\n1,2,3\n", "t").names, (Names{"c1", "a", "c3"}));
}

TEST(Csv, ReadsNumbersInEveryUsualForm) {
  const Table table =
      parse_csv("x\n +1\n1.\n.5 \n-2.5E-3\n1e+3\n\"7\"\n\" 8 \"\n-0\n1e-400\n4.9e-324\n", "t");
  EXPECT_EQ(table.columns[0], (std::vector<double>{1, 1, 0.5, -2.5e-3, 1000, 7, 8, 0, 0,
                                                   std::numeric_limits<double>::denorm_min()}));
  EXPECT_TRUE(std::signbit(table.columns[0][7]));
}

TEST(Csv, RoundsToTheNearestDouble) {
  EXPECT_EQ(parse_csv("0.1,9007199254740993,1.7976931348623157e308\n", "t").columns,
            (Columns{{0.1}, {9007199254740992.0}, {std::numeric_limits<double>::max()}}));
}

TEST(Csv, ReadsFiles) {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    ("knotwork_csv_test_" + std::to_string(::getpid()) + ".csv");
  std::string text = "a,b\n";
  for (int r = 0; r < 20000; ++r) text += std::to_string(r) + ",-1.5\n";
  std::ofstream(path, std::ios::binary) << text;
  const Table table = read_csv(path);
  std::filesystem::remove(path);
  EXPECT_EQ(table.source, path.string());
  ASSERT_EQ(table.rows(), 20000u);
  EXPECT_EQ(table.columns[0].back(), 19999);
  EXPECT_EQ(table.columns[1].back(), -1.5);
}

// A pipe has no size, and this text is longer than one read returns.
TEST(Csv, ReadsPipes) {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    ("knotwork_csv_test_" + std::to_string(::getpid()) + ".pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::jthread writer([&] {
    std::ofstream out(path, std::ios::binary);
    for (int r = 0; r < 50000; ++r) out << r << ",-1.5\n";
  });
  const Table table = read_csv(path);
  writer.join();
  std::filesystem::remove(path);
  ASSERT_EQ(table.rows(), 50000u);
  EXPECT_EQ(table.columns[0].back(), 49999);
}

TEST(CsvText, JudgesUtf8) {
  for (const std::string good : {"", "abc",
                                 "gr\xC3\xB6\xC3\x9F"
                                 "e",
                                 "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    EXPECT_TRUE(csv::is_utf8(good)) << good;
  }
  for (const std::string bad : {"\xF6", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                                "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80"}) {
    EXPECT_FALSE(csv::is_utf8(bad));
  }
}

TEST(CsvText, ShowsCellsShortAndPrintable) {
  EXPECT_EQ(csv::shown("a\tb\n\x01"), "a\\tb\\n\\x01");
  EXPECT_EQ(csv::shown("gr\xF6\xDF"), "gr\\xf6\\xdf");
  EXPECT_EQ(csv::shown("gr\xC3\xB6"), "gr\xC3\xB6");
  EXPECT_EQ(csv::shown(std::string(100, 'x')), std::string(40, 'x') + "...");
  EXPECT_EQ(csv::shown(std::string(100, 'x'), kShownWhole), std::string(100, 'x'));
}

TEST(CsvText, ShowsCharactersThatATerminalWouldObey) {
  EXPECT_EQ(csv::shown("\x1B[31m\x7F\x9B"), "\\x1b[31m\\x7f\\x9b");
  EXPECT_EQ(csv::shown("\u0085\u009B2J"), "\\u0085\\u009b2J");            // C1
  EXPECT_EQ(csv::shown("\u2028\u2029\u202A\u202E"), "\\u2028\\u2029\\u202a\\u202e");
  EXPECT_EQ(csv::shown("\u2066\u2069\u061C\u200E\u200F"),
            "\\u2066\\u2069\\u061c\\u200e\\u200f");
  // Their neighbors are ordinary characters.
  for (const char* text : {"\u00A0", "\u200D", "\u2027", "\u202F", "\u2065", "\u206A", "\u061B"}) {
    EXPECT_EQ(csv::shown(text), text);
  }
}

RC_GTEST_PROP(CsvProperty, AnyTextIsReadOrRefused, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("12a,,;\t\"\"\r\n\n -+.e\0\xC3", 20)));
  try {
    const Table table = parse_csv(text, "random");
    RC_ASSERT(table.rows() > 0u);
    table.check();
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::bad_data);
  }
}

}  // namespace
}  // namespace knotwork
