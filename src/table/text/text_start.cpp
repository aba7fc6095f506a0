// SPDX-License-Identifier: MIT
#include "table/text/text_start.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/fail.hpp"
#include "files/safetensors_header.hpp"
#include "table/stored/npy_header.hpp"

namespace knotwork::csv {
namespace {

using namespace std::string_view_literals;

struct Foreign {
  std::string_view start;
  std::string_view advice;
};
// First bytes that no text table has.
constexpr std::array kForeign{
    Foreign{"\xFF\xFE"sv, "UTF-16; save the table as UTF-8 text"sv},
    Foreign{"\xFE\xFF"sv, "UTF-16; save the table as UTF-8 text"sv},
    Foreign{"PAR1\x15"sv,
            "a Parquet file; write it as CSV, in Python with pandas read_parquet() and to_csv()"sv},
    Foreign{"ARROW1\0"sv,
            "a Feather or Arrow file; write it as CSV, in Python with pandas read_feather() and "
            "to_csv()"sv},
    Foreign{"FEA1\0"sv,
            "a Feather file; write it as CSV, in Python with pandas read_feather() and to_csv()"sv},
    Foreign{"\xD0\xCF\x11\xE0"sv,
            "an old Excel workbook; save the sheet as CSV, or write it as CSV in Python with "
            "pandas read_excel() and to_csv()"sv},
    Foreign{"\x89HDF\r\n"sv,
            "an HDF5 file; write the table as CSV, in Python with pandas read_hdf() and "
            "to_csv()"sv},
    Foreign{"SQLite format 3"sv,
            "an SQLite database; write the table as CSV, as sqlite3 -csv -header does"sv},
    Foreign{"{\\rtf"sv, "a text with formatting; save the table as plain text"sv},
    Foreign{"%PDF-"sv, "a PDF; copy the table into a CSV file"sv},
    Foreign{"BZh91AY"sv, "a bzip2 file; unpack it, or pack it with gzip"sv},
    Foreign{"\xFD"
            "7zXZ\0"sv,
            "an xz file; unpack it, or pack it with gzip"sv},
    Foreign{"7z\xBC\xAF"sv, "a 7z archive; unpack it"sv},
    Foreign{"\x04\x22\x4D\x18"sv, "an lz4 file; unpack it, or pack it with gzip"sv},
    Foreign{"RDX3\n"sv, "an R workspace; write the table with write.csv()"sv},
    Foreign{"RDX2\n"sv, "an R workspace; write the table with write.csv()"sv},
    Foreign{table::kNpyMagic, "an array of NumPy; name the .npy file itself, not a pipe"sv},
};

constexpr std::string_view kZip = "PK\x03\x04"sv;

// A workbook of Excel is a zip archive whose first file has one of a few names.
std::string_view advice_on_zip(std::string_view bytes) {
  constexpr std::size_t kNameAt = 30;
  const std::string_view name = bytes.substr(std::min(kNameAt, bytes.size()));
  if (name.starts_with("xl/") || name.starts_with("[Content_Types].xml") ||
      name.starts_with("_rels/") || name.starts_with("docProps/")) {
    return "an Excel workbook (.xlsx); save the sheet as CSV, or write it as CSV in Python with "
           "pandas read_excel() and to_csv()";
  }
  if (name.starts_with("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")) {
    return "an OpenDocument spreadsheet (.ods); save the sheet as CSV";
  }
  return "a zip archive; unpack it, and give the table in it as CSV";
}

char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_with_any_case(std::string_view text, std::string_view start) {
  return text.size() >= start.size() &&
         std::equal(start.begin(), start.end(), text.begin(),
                    [](char a, char b) { return a == lower_case(b); });
}

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

// What a text is that is not a table, judged by its first words; empty if it may be a table. JSON
// lines are recognized before.
std::string_view advice_on_text(std::string_view text) {
  text = without_blanks(text);
  for (const std::string_view start : {"<!doctype html"sv, "<html"sv, "<table"sv, "<head"sv}) {
    if (starts_with_any_case(text, start)) {
      return "a page of HTML, perhaps shown in place of a file that needs a login; download the "
             "table itself, or write it as CSV in Python with pandas read_html() and to_csv()";
    }
  }
  if (starts_with_any_case(text, "<?xml")) {
    return "an XML document; write the table as CSV, in Python with pandas read_xml() and to_csv()";
  }
  if (starts_with_any_case(text, "@relation")) {
    return "an ARFF file of Weka; delete the lines up to @data, and write the names of the "
           "attributes into one line, divided by commas";
  }
  constexpr std::string_view kJson =
      "a JSON document; write one object on each line (JSON lines), in Python with pandas "
      "read_json() and to_json(orient='records', lines=True)";
  if (text.starts_with('[')) {
    const std::string_view inside = without_blanks(text.substr(1));
    if (inside.starts_with('{') || inside.starts_with('[')) return kJson;
  }
  if (text.starts_with('{')) {
    const std::string_view inside = without_blanks(text.substr(1));
    if (inside.starts_with('"') || inside.starts_with('}')) return kJson;
  }
  return "";
}

bool is_binary(std::string_view bytes) {
  constexpr std::size_t kFewest = 8;  // single stray bytes are refused where they occur
  const std::string_view sample = bytes.substr(0, kForeignBytes);
  const auto controls =
      static_cast<std::size_t>(std::count_if(sample.begin(), sample.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
      }));
  return controls >= kFewest && controls >= sample.size() / 10;
}

}  // namespace

void refuse_unless_text(std::string_view bytes, std::string_view source) {
  const auto foreign =
      std::find_if(kForeign.begin(), kForeign.end(),
                   [&](const Foreign& candidate) { return bytes.starts_with(candidate.start); });
  std::string_view advice = foreign == kForeign.end() ? advice_on_text(bytes) : foreign->advice;
  if (bytes.starts_with(kZip)) advice = advice_on_zip(bytes);
  if (!advice.empty()) {
    fail(ErrorKind::bad_data, in_file(source), "is not a text table; it looks like {}.", advice);
  }
  if (files::starts_like_table_file(bytes)) {
    fail(ErrorKind::bad_data, in_file(source),
         "is a table file, which cannot be read as text or from a pipe; name the file itself.");
  }
  if (files::starts_like_safetensors(bytes)) {
    fail(ErrorKind::bad_data, in_file(source),
         "is not a text table; it looks like a model file; name a CSV file in its place.");
  }
  if (is_binary(bytes)) {
    fail(ErrorKind::bad_data, in_file(source),
         "is not a text table; it looks like a binary file; save the table as CSV in UTF-8.");
  }
}

std::string_view text_of(std::string_view bytes, const std::string& source) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  refuse_unless_text(bytes, source);
  return bytes;
}

CellScanner start_of(std::string_view text, const std::string& source, const Dialect& dialect,
                     std::size_t line) {
  CellScanner cursor(text, dialect, line);
  cursor.skip_empty_lines();
  if (cursor.at_end()) {
    fail(ErrorKind::bad_data, in_file(source), "is empty, but a table needs at least one row.");
  }
  return cursor;
}

}  // namespace knotwork::csv
