// SPDX-License-Identifier: MIT
#include "data/csv_start.hpp"

#include "base/fail.hpp"
#include "data/csv_text.hpp"

namespace knotwork::csv {
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
  refuse_foreign(bytes, source);
  return bytes;
}

Cursor start_of(std::string_view text, const std::string& source, const CsvOptions& options) {
  Cursor cursor(text, checked_delimiter(options, text));
  cursor.skip_blank_lines();
  if (cursor.at_end()) {
    fail(ErrorKind::bad_data, "{} is empty, but a table needs at least one row.", source);
  }
  return cursor;
}

}  // namespace knotwork::csv
