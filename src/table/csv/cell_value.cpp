// SPDX-License-Identifier: MIT
#include "table/csv/cell_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

namespace knotwork::csv {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

NumberText parse_number(std::string_view cell, double& value, char decimal) {
  if (cell.starts_with('+')) {
    cell.remove_prefix(1);
    if (cell.starts_with('-') || cell.starts_with('+')) return NumberText::word;
  }
  const char* const end = cell.data() + cell.size();
  double read = 0;
  const auto result = fast_float::from_chars_advanced(
      cell.data(), end, read,
      fast_float::parse_options{fast_float::chars_format::general, decimal});
  const bool out_of_range = result.ec == std::errc::result_out_of_range;
  if ((result.ec != std::errc() && !out_of_range) || result.ptr != end) return NumberText::word;
  if (!std::isfinite(read)) {
    // Versions of fast_float differ: some report 1e999 as an error, others as infinity.
    const bool digits =
        std::any_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !std::isnan(read) ? NumberText::out_of_range : NumberText::not_finite;
  }
  value = read;
  return NumberText::number;
}

bool is_missing_word(std::string_view cell) {
  static constexpr std::array<std::string_view, 6> kMarkers{"na",   "n/a",  "nan",
                                                            "null", "none", "?"};
  constexpr std::size_t kLongest = 4;
  if (cell.size() > kLongest) return false;
  return std::any_of(kMarkers.begin(), kMarkers.end(), [&](std::string_view marker) {
    return std::equal(cell.begin(), cell.end(), marker.begin(), marker.end(),
                      [](char a, char b) { return lower(a) == b; });
  });
}

Hint delimiter_hint(const std::vector<std::string>& names) {
  if (names.size() != 1) return {};
  const std::size_t at = names.front().find_first_of(";\t|,: ");
  if (at == std::string::npos) return {};
  const char found = names.front()[at];
  const std::string sign = found == ' ' ? "space" : found == '\t' ? "tab" : std::string(1, found);
  return {.purpose = fmt::format("if '{}' is more than one column", shown(names.front())),
          .settings = {{"delimiter", sign}}};
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

namespace {

// True for a number written with separators other than the decimal sign.
bool is_separated_number(std::string_view text, char decimal) {
  const char separator = decimal == ',' ? '.' : ',';
  if (text.find(separator) == std::string_view::npos) return false;
  std::string without(text);
  std::erase(without, separator);
  double ignored = 0;
  return parse_number(without, ignored, decimal) == NumberText::number;
}

}  // namespace

CellReader::CellReader(CellFormat format) : format_(std::move(format)) {
  for (const std::string& text : format_.missing) {
    double value = 0;
    if (parse_number(trimmed(text), value, decimal()) == NumberText::number) {
      missing_numbers_.push_back(value);
    }
  }
}

bool CellReader::may_be_missing(double value) const {
  return std::find(missing_numbers_.begin(), missing_numbers_.end(), value) !=
         missing_numbers_.end();
}

bool CellReader::is_missing(const Cell& cell) const {
  const std::string_view text = trimmed(cell.text);
  if (text.empty() || (format_.missing_words && is_missing_word(text))) return true;
  const std::vector<std::string>& further = format_.missing;
  if (further.empty()) return false;
  std::string buffer;
  const std::string_view content = cell.content(buffer);
  return std::any_of(further.begin(), further.end(), [&](const std::string& missing) {
    return content == missing || trimmed(content) == missing;
  });
}

CellKind CellReader::of(const Cell& cell, double& value) const {
  if (is_missing(cell)) return CellKind::missing;
  const std::string_view text = trimmed(cell.text);
  switch (parse_number(text, value, decimal())) {
    case NumberText::number:
      return CellKind::number;
    case NumberText::not_finite:
      return CellKind::not_finite;
    case NumberText::out_of_range:
      return CellKind::out_of_range;
    case NumberText::word:
      break;
  }
  return is_separated_number(text, decimal()) ? CellKind::separated_number : CellKind::word;
}

}  // namespace knotwork::csv
