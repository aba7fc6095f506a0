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

bool is_comma_number(std::string_view text) {
  if (text.find(',') == std::string_view::npos) return false;
  std::string without_commas(text);
  std::erase(without_commas, ',');
  double ignored = 0;
  return parse_number(without_commas, ignored) == NumberText::number;
}

}  // namespace

Meanings::Meanings(std::vector<std::string> missing) : missing_(std::move(missing)) {
  for (const std::string& text : missing_) {
    double value = 0;
    if (parse_number(trimmed(text), value) == NumberText::number) {
      missing_numbers_.push_back(value);
    }
  }
}

bool Meanings::is_missing(const Cell& cell) const {
  const std::string_view text = trimmed(cell.text);
  if (is_missing_marker(text)) return true;
  if (missing_.empty()) return false;
  std::string buffer;
  const std::string_view content = cell.content(buffer);
  return std::any_of(missing_.begin(), missing_.end(), [&](const std::string& missing) {
    return content == missing || trimmed(content) == missing;
  });
}

Meaning Meanings::of(const Cell& cell, double& value) const {
  if (is_missing(cell)) return Meaning::missing;
  const std::string_view text = trimmed(cell.text);
  switch (parse_number(text, value)) {
    case NumberText::number:
      return Meaning::number;
    case NumberText::not_finite:
      return Meaning::not_finite;
    case NumberText::out_of_range:
      return Meaning::out_of_range;
    case NumberText::word:
      break;
  }
  return is_comma_number(text) ? Meaning::comma_number : Meaning::word;
}

}  // namespace knotwork::csv
