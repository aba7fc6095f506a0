// SPDX-License-Identifier: MIT
#include "table/csv/text_start.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/fail.hpp"
#include "files/safetensors_header.hpp"
#include "table/csv/cell_value.hpp"
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
    Foreign{"PK\x03\x04"sv, "a spreadsheet or a zip archive; export the table as CSV"sv},
    Foreign{"\xFF\xFE"sv, "UTF-16; save the table as UTF-8 text"sv},
    Foreign{"\xFE\xFF"sv, "UTF-16; save the table as UTF-8 text"sv},
    Foreign{"\xFD"
            "7zXZ\0"sv,
            "an xz file; unpack it, or pack it with gzip"sv},
    Foreign{table::kNpyMagic, "an array of NumPy; name the .npy file itself, not a pipe"sv},
};

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
  if (foreign != kForeign.end()) {
    fail(ErrorKind::bad_data, in_file(source), "is not a text table; it looks like {}.",
         foreign->advice);
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

namespace {

char checked_delimiter(const CsvOptions& options, std::string_view text) {
  const char delimiter = options.delimiter;
  if (delimiter == 0) return guess_delimiter(text, options.cells.decimal_comma);
  constexpr std::string_view kAllowed = ",;\t |:";
  if (kAllowed.find(delimiter) == std::string_view::npos) {
    fail(ErrorKind::bad_option,
         "The delimiter '{}' cannot separate cells; use a comma, a semicolon, a tab, a space, "
         "'|' or ':'.",
         shown({&delimiter, 1}));
  }
  return delimiter;
}

}  // namespace

std::string_view text_of(std::string_view bytes, const std::string& source) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  refuse_unless_text(bytes, source);
  return bytes;
}

CellScanner start_of(std::string_view text, const std::string& source, const CsvOptions& options) {
  CellScanner cursor(text, checked_delimiter(options, text));
  cursor.skip_blank_lines();
  if (cursor.at_end()) {
    fail(ErrorKind::bad_data, in_file(source), "is empty, but a table needs at least one row.");
  }
  return cursor;
}

}  // namespace knotwork::csv
