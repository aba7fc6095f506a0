// SPDX-License-Identifier: MIT
// Every refusal is one sentence that names the file, the line and the column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

struct Refusal {
  std::string label;
  std::string text;
  std::string where;
  std::string what;
};
void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.label;
}

class CsvRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(CsvRefusal, NamesThePlaceAndTheReason) {
  try {
    parse_csv(GetParam().text, "dir/t.csv");
    FAIL() << "accepted";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_THAT(message, testing::StartsWith(GetParam().where));
    EXPECT_THAT(message, HasSubstr(GetParam().what));
    EXPECT_THAT(message, testing::EndsWith("."));
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CsvRefusal,
    testing::Values(
        Refusal{"short_row", "a,b,c\n1,2,3\n4,5\n", "dir/t.csv, line 3, column 3 ('c'): ",
                "the row has 2 cells, but it must have 3 like line 1"},
        Refusal{"long_row", "a,b\n1,2\n3,4,x,6\n", "dir/t.csv, line 3, column 3: ",
                "the row has 4 cells, but it must have 2 like line 1"},
        Refusal{"short_row_without_header", "\n1,2\n3\n", "dir/t.csv, line 3, column 2 ('c2'): ",
                "the row has 1 cell, but it must have 2 like line 2"},
        Refusal{"word", "a,b\n1,2\n3,abc\n", "dir/t.csv, line 3, column 2 ('b'): ",
                "'abc' is not a number; every cell must hold one"},
        Refusal{"number_with_tail", "a,b\n1,2\n3,4x\n",
                "dir/t.csv, line 3, column 2 ('b'): ", "'4x' is not a number"},
        Refusal{"two_numbers", "a,b\n1,2\n3 4,5\n",
                "dir/t.csv, line 3, column 1 ('a'): ", "'3 4' is not a number"},
        Refusal{"two_signs", "a\n+-1\n", "dir/t.csv, line 2, column 1 ('a'): ", "'+-1' is not"},
        Refusal{"hexadecimal", "a\n0x10\n", "dir/t.csv, line 2, column 1 ('a'): ", "'0x10' is not"},
        Refusal{"missing_marker", "a,b\n1,NA\n",
                "dir/t.csv, line 2, column 2 ('b'): ", "'NA' stands for a missing value"},
        Refusal{"decimal_comma", "a;b\n1;2,5\n", "dir/t.csv, line 2, column 2 ('b'): ",
                "'2,5' has a comma in it; write numbers with a decimal point"},
        Refusal{"empty_cell", "a,b\n1,\n",
                "dir/t.csv, line 2, column 2 ('b'): ", "the cell is empty"},
        Refusal{"empty_quoted_cell", "a,b\n\"\",1\n",
                "dir/t.csv, line 2, column 1 ('a'): ", "the cell is empty"},
        Refusal{"only_delimiters", ",\n,\n",
                "dir/t.csv, line 1, column 1 ('c1'): ", "the cell is empty"},
        Refusal{"infinite", "a,b\n1,2\n-inf,4\n",
                "dir/t.csv, line 3, column 1 ('a'): ", "'-inf' is not a finite number"},
        Refusal{"plus_infinity", "a\n+Infinity\n",
                "dir/t.csv, line 2, column 1 ('a'): ", "'+Infinity' is not a finite number"},
        Refusal{"nan", "a,b\n1,NaN\n",
                "dir/t.csv, line 2, column 2 ('b'): ", "'NaN' is not a finite number"},
        Refusal{"too_large", "a,b\n1,-1e999\n", "dir/t.csv, line 2, column 2 ('b'): ",
                "-1e999 is too large for double precision; numbers may go up to 1.79e308"},
        Refusal{"unterminated_quote", "a,b\n1,2\n3,\"4\n5,6\n",
                "dir/t.csv, line 3, column 2 ('b'): ",
                "the quote that opens this cell is never closed"},
        Refusal{"unterminated_name", "a,\"b\n1,2\n",
                "dir/t.csv, line 1, column 2: ", "the quote that opens this cell is never closed"},
        Refusal{"text_after_quote", "a,b\n\"1\"x,2\n",
                "dir/t.csv, line 2, column 1 ('a'): ", "text follows the closing quote"},
        Refusal{"duplicate_name", "a,b,a\n1,2,3\n",
                "dir/t.csv, line 1, column 3 ('a'): ", "column 1 has this name already"},
        Refusal{"duplicate_of_a_numbered_name", "c2,\n1,2\n",
                "dir/t.csv, line 1, column 2 ('c2'): ", "column 1 has this name already"},
        Refusal{"name_not_utf8",
                "a,gr\xF6\xDF"
                "e\n1,2\n",
                "dir/t.csv, line 1, column 2 ('gr\\xf6\\xdfe'): ", "the name is not UTF-8"},
        Refusal{"nul_in_a_number", "a,b\n1,2\0\n"s,
                "dir/t.csv, line 2, column 2 ('b'): ", "NUL byte; save the table as UTF-8"},
        Refusal{"nul_in_a_name", "a,b\0\n1,2\n"s, "dir/t.csv, line 1, column 2: ", "NUL byte"},
        Refusal{"utf16", "\xFF\xFE\x61\0,\0b\0\n\0\x31\0,\0\x32\0\n\0"s,
                "dir/t.csv, line 1, column 1: ", "NUL byte"},
        Refusal{"blank_line_inside", "a,b\n1,2\n\n3,4\n",
                "dir/t.csv, line 3, column 1 ('a'): ", "the line is blank"},
        Refusal{"empty", "", "dir/t.csv is empty", "at least one row"},
        Refusal{"only_blank_lines", "\xEF\xBB\xBF\n \r\n", "dir/t.csv is empty",
                "at least one row"},
        Refusal{"header_only", "\na,b\n\n", "dir/t.csv has a header in line 2", "at least one row"},
        Refusal{"line_after_newlines_in_names", "\"a\r\nb\nc\rd\",e\n1,2\n3,x\n",
                "dir/t.csv, line 6, column 2 ('e'): ", "'x' is not a number"},
        Refusal{"line_of_a_name_below_the_first_line", "\"a\nb\",c,c\n1,2,3\n",
                "dir/t.csv, line 2, column 3 ('c'): ", "column 2 has this name already"},
        Refusal{"line_with_crlf", "a\r\n1\r\nx\r\n",
                "dir/t.csv, line 3, column 1 ('a'): ", "'x' is not a number"}),
    [](const auto& refusal) { return refusal.param.label; });

void expect_bad_file(const std::filesystem::path& path) {
  try {
    read_csv(path);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_file);
    EXPECT_THAT(error.what(), testing::StartsWith(path.string()));
  }
}

TEST(CsvFile, RefusesWhatCannotBeRead) {
  expect_bad_file(std::filesystem::path(testing::TempDir()) / "no_such_table.csv");
  expect_bad_file(std::filesystem::temp_directory_path());
}

}  // namespace
}  // namespace knotwork
