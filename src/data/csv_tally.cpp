// SPDX-License-Identifier: MIT
#include "data/csv_tally.hpp"

#include <limits>
#include <string>

#include "data/csv_disguise.hpp"
#include "data/csv_text.hpp"

namespace knotwork::csv {

Tally::Tally(const Layout& layout, const Meanings& meanings)
    : layout_(layout), meanings_(meanings), columns_(layout.slots.size()) {}

double Tally::count(const Cell& cell, std::size_t column) {
  layout_.refuse_nul(cell, column);
  double value = std::numeric_limits<double>::quiet_NaN();
  const Meaning meaning = meanings_.of(cell, value);
  if (meaning == Meaning::number) return value;
  Column& tally = columns_[column];
  if (meaning == Meaning::missing) {
    ++tally.missing;
    return value;
  }
  const auto intruder = [&] { return Intruder{meaning, std::string(cell.text), cell.line}; };
  if (layout_.declared[column] == Layout::Declared::numbers) refuse(intruder(), column);
  if (meaning == Meaning::word) ++tally.words;
  if (!tally.first) tally.first = intruder();
  return value;
}

bool Tally::is_text(std::size_t column, std::size_t rows) const {
  if (layout_.declared[column] == Layout::Declared::text) return true;
  const Column& tally = columns_[column];
  return tally.words > 0 && tally.words >= (rows - tally.missing + 9) / 10;
}

std::vector<bool> Tally::text_so_far(std::size_t rows) const {
  std::vector<bool> text(layout_.chosen.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (layout_.slots[c] != Layout::kUnread) text[layout_.slots[c]] = is_text(c, rows);
  }
  return text;
}

std::vector<bool> Tally::find_text_columns(std::size_t rows) const {
  std::vector<bool> text(layout_.chosen.size());
  const Intruder* first = nullptr;
  std::size_t column = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (layout_.slots[c] == Layout::kUnread) continue;
    text[layout_.slots[c]] = is_text(c, rows);
    const auto& candidate = columns_[c].first;
    if (!candidate || is_text(c, rows)) continue;
    if (first == nullptr || candidate->line < first->line) {
      first = &*candidate;
      column = c;
    }
  }
  if (first != nullptr) refuse(*first, column);
  return text;
}

void Tally::refuse(const Intruder& intruder, std::size_t column) const {
  const std::string text = shown(intruder.text);
  const std::string missing = shown_option("--missing", intruder.text);
  const std::string categorical = shown_option("--categorical", layout_.names[column]);
  const bool declared = layout_.declared[column] == Layout::Declared::numbers;
  switch (intruder.meaning) {
    case Meaning::not_finite:
      layout_.refuse(intruder.line, column, "'{}' is not a finite number; correct it, or use {}.",
                     text, missing);
    case Meaning::out_of_range:
      layout_.refuse(intruder.line, column,
                     "{} is too large for double precision; numbers may go up to 1.79e308.", text);
    case Meaning::separated_number:
      layout_.refuse(intruder.line, column, "'{}' has a {} in it; {}{}.", text,
                     meanings_.decimal() == ',' ? "point" : "comma",
                     meanings_.decimal() == ','
                         ? "write numbers with a decimal comma, as was asked for or as the model "
                           "was trained, and without digit groups, or use --decimal point"
                         : "if that is a decimal comma, use --decimal comma; if it groups digits, "
                           "take it out",
                     declared ? "" : ", or use " + categorical);
    default:
      break;
  }
  if (const std::string_view why = disguise_of(intruder.text); !why.empty()) {
    layout_.refuse(intruder.line, column, "'{}' {}.", text, why);
  }
  if (declared) {
    layout_.refuse(intruder.line, column,
                   "'{}' is not a number, but the column was asked for, or is known to the model, "
                   "as numbers; correct it, or use {}.",
                   text, missing);
  }
  layout_.refuse(intruder.line, column,
                 "'{}' is not a number, but most cells of its column are; correct it, or use {} or "
                 "{}.",
                 text, missing, categorical);
}

}  // namespace knotwork::csv
