// SPDX-License-Identifier: MIT
#include "data/csv_meaning.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "data/csv_text.hpp"

namespace knotwork::csv {
namespace {

// Quotes keep the blanks of a text, but a number is a number with or without them.
std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// A number but for separators that are not the decimal one.
bool is_separated_number(std::string_view text, char decimal) {
  const char separator = decimal == ',' ? '.' : ',';
  if (text.find(separator) == std::string_view::npos) return false;
  std::string without(text);
  std::erase(without, separator);
  double ignored = 0;
  return parse_number(without, ignored, decimal) == NumberText::number;
}

}  // namespace

Meanings::Meanings(CellFormat format) : format_(std::move(format)) {
  for (const std::string& text : format_.missing) {
    double value = 0;
    if (parse_number(trimmed(text), value, decimal()) == NumberText::number) {
      missing_numbers_.push_back(value);
    }
  }
}

bool Meanings::may_be_missing(double value) const {
  return std::find(missing_numbers_.begin(), missing_numbers_.end(), value) !=
         missing_numbers_.end();
}

bool Meanings::is_missing(const Cell& cell) const {
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

Meaning Meanings::of(const Cell& cell, double& value) const {
  if (is_missing(cell)) return Meaning::missing;
  const std::string_view text = trimmed(cell.text);
  switch (parse_number(text, value, decimal())) {
    case NumberText::number:
      return Meaning::number;
    case NumberText::not_finite:
      return Meaning::not_finite;
    case NumberText::out_of_range:
      return Meaning::out_of_range;
    case NumberText::word:
      break;
  }
  return is_separated_number(text, decimal()) ? Meaning::separated_number : Meaning::word;
}

}  // namespace knotwork::csv
