// SPDX-License-Identifier: MIT
// Every refusal is one sentence that names the file, the line and the column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>

#include "table/csv/header.hpp"

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
    EXPECT_EQ(error.file(), "dir/t.csv");
    if (GetParam().where.find("column") != std::string::npos) {
      EXPECT_EQ(to_text(error.where()) + ": ", GetParam().where);
      EXPECT_GT(error.line(), 0u);
      EXPECT_GT(error.column(), 0u);
    }
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
        Refusal{"infinite", "a,b\n1,2\n-inf,4\n", "dir/t.csv, line 3, column 1 ('a'): ",
                "'-inf' is not a finite number; correct it, or set the option missing to -inf."},
        Refusal{"plus_infinity", "a\n+Infinity\n",
                "dir/t.csv, line 2, column 1 ('a'): ", "'+Infinity' is not a finite number"},
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
                "dir/t.csv, line 1, column 3 ('a'): ", "column 1 has the same name"},
        Refusal{"duplicate_of_a_numbered_name", "c2,\n1,2\n",
                "dir/t.csv, line 1, column 2 ('c2'): ", "column 1 has the same name"},
        Refusal{"name_not_utf8",
                "a,gr\xF6\xDF"
                "e\n1,2\n",
                "dir/t.csv, line 1, column 2 ('gr\\xf6\\xdfe'): ", "the name is not UTF-8"},
        Refusal{"nul_in_a_number", "a,b\n1,2\0\n"s,
                "dir/t.csv, line 2, column 2 ('b'): ", "NUL byte; save the table as UTF-8"},
        Refusal{"nul_in_a_name", "a,b\0\n1,2\n"s, "dir/t.csv, line 1, column 2: ", "NUL byte"},
        Refusal{"nul_in_a_text", "a,b\nx\0y,2\n"s,
                "dir/t.csv, line 2, column 1 ('a'): ", "NUL byte"},
        Refusal{"text_not_utf8", "a,b\nx,2\ngr\xF6\xDF,2\n", "dir/t.csv, line 3, column 1 ('a'): ",
                "'gr\\xf6\\xdf' is not UTF-8; save the table as UTF-8 text."},
        Refusal{"utf16", "\xFF\xFE\x61\0,\0b\0\n\0\x31\0,\0\x32\0\n\0"s,
                "dir/t.csv is not a text table", "it looks like UTF-16; save the table as UTF-8"},
        Refusal{"utf16_other_way_round", "\xFE\xFF\0\x61\0\n\0\x31"s,
                "dir/t.csv is not a text table", "it looks like UTF-16; save the table as UTF-8"},
        Refusal{"model_file", "\x0A\0\0\0\0\0\0\0{\"a\":1   }"s, "dir/t.csv is not a text table",
                "it looks like a model file; name a CSV file in its place."},
        Refusal{"spreadsheet", "PK\x03\x04\x14\0"s, "dir/t.csv is not a text table",
                "it looks like a zip archive; unpack it, and give the table in it as CSV."},
        Refusal{"xz",
                "\xFD"
                "7zXZ\0\0"s,
                "dir/t.csv is not a text table", "an xz file; unpack it"},
        Refusal{"binary", "IMAG" + std::string(9, '\x15') + std::string(70, 'x'),
                "dir/t.csv is not a text table",
                "it looks like a binary file; save the table as CSV in UTF-8."},
        Refusal{"empty", "", "dir/t.csv is empty", "at least one row"},
        Refusal{"only_blank_lines", "\xEF\xBB\xBF\n \r\n", "dir/t.csv is empty",
                "at least one row"},
        Refusal{"header_only", "\na,b\n\n", "dir/t.csv has a header in line 2", "at least one row"},
        Refusal{"the_first_of_several_cells", "a,b\n1,2\n1,inf\n3,4\n-inf,1\n",
                "dir/t.csv, line 3, column 2 ('b'): ", "'inf' is not a finite number"},
        Refusal{"the_first_line_and_not_the_first_column", "a,b\n1,inf\ninf,2\n",
                "dir/t.csv, line 2, column 2 ('b'): ", "'inf' is not a finite number"},
        Refusal{"line_after_newlines_in_names", "\"a\r\nb\nc\rd\",e\n1,2\n3,inf\n",
                "dir/t.csv, line 6, column 2 ('e'): ", "'inf' is not a finite number"},
        Refusal{"line_of_a_name_below_the_first_line", "\"a\nb\",c,c\n1,2,3\n",
                "dir/t.csv, line 2, column 3 ('c'): ", "column 2 has the same name"},
        Refusal{"line_after_newlines_in_texts", "a,b\n\"x\ny\",2\n\"\n\",3\nx,4,5\n",
                "dir/t.csv, line 6, column 3: ", "the row has 3 cells"},
        Refusal{"line_with_crlf", "a,b\r\n1,2\r\ninf,1\r\n",
                "dir/t.csv, line 3, column 1 ('a'): ", "'inf' is not a finite number"}),
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

TEST(CsvRefusals, ATableOfTooManyColumns) {
  const std::string most(csv::kMaxColumns - 1, ',');
  EXPECT_EQ(parse_csv("a" + most + "\n1" + most + "\n", "t").columns.size(), csv::kMaxColumns);
  for (const std::string& text :
       {"a" + most + ",\n1" + most + ",\n", std::string(3'000'000, ',')}) {
    try {
      parse_csv(text, "t.csv");
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(),
                   "t.csv, line 1, column 1000001: the line has more cells, but a table can have "
                   "at most 1000000 columns.");
    }
  }
}

TEST(CsvFile, RefusesWhatCannotBeRead) {
  expect_bad_file(std::filesystem::path(testing::TempDir()) / "no_such_table.csv");
  expect_bad_file(std::filesystem::temp_directory_path());
}

}  // namespace
}  // namespace knotwork
