// SPDX-License-Identifier: MIT
// Tests that files of other formats are recognized, and that tables which begin alike are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using namespace std::string_literals;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string foreign_refusal(const std::string& bytes) {
  try {
    parse_csv(bytes, "t.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    return error.what();
  }
  return "it was read";
}

TEST(ForeignText, IsNamedWithWhatToDo) {
  const std::string zip = "PK\x03\x04" + std::string(26, '\0');
  const std::pair<std::string, const char*> files[] = {
      {"PAR1\x15\0\x15"s, "a Parquet file; write it as CSV, in Python with pandas read_parquet()"},
      {"ARROW1\0\0"s, "a Feather or Arrow file; write it as CSV"},
      {"FEA1\0\0"s, "a Feather file; write it as CSV"},
      {zip + "xl/workbook.xml", "an Excel workbook (.xlsx); save the sheet as CSV"},
      {zip + "[Content_Types].xml", "an Excel workbook"},
      {zip + "mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an OpenDocument"},
      {zip + "table.csv", "a zip archive; unpack it"},
      {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"s, "an old Excel workbook"},
      {"\n <!DOCTYPE HTML>\n<html>", "a page of HTML"},
      {"<table><tr><td>1</td></tr></table>", "a page of HTML"},
      {"<?xml version=\"1.0\"?>", "an XML document"},
      {"[\n  {\"a\": 1}]", "a JSON document; write one object on each line (JSON lines)"},
      {"[[1, 2], [3, 4]]", "a JSON document"},
      {"{\n \"a\": [1, 2]}", "a JSON document"},
      {"{\"a\": {\n\"0\": 1}}", "a JSON document"},
      {"@RELATION iris\n@ATTRIBUTE a NUMERIC\n", "an ARFF file"},
      {"SQLite format 3\0"s, "an SQLite database"},
      {"\x89HDF\r\n\x1A\n", "an HDF5 file"},
  };
  for (const auto& [bytes, what] : files) {
    EXPECT_THAT(foreign_refusal(bytes),
                AllOf(StartsWith("t.csv is not a text table; it looks like "), HasSubstr(what),
                      EndsWith(".")));
  }
}

TEST(ForeignText, TablesThatBeginAlikeAreRead) {
  for (const char* text : {"PAR1,PAR2\n1,2\n", "ORC\n1\n", "[a],b\n1,2\n", "{a},b\n1,2\n",
                           "BZh,b\n1,2\n", "<a>,b\n1,2\n"}) {
    EXPECT_EQ(foreign_refusal(text), "it was read") << text;
  }
}

}  // namespace
}  // namespace knotwork
