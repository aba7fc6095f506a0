// SPDX-License-Identifier: MIT
#include "table/csv/column_types.hpp"

#include <limits>
#include <string>
#include <utility>

#include "table/csv/cell_value.hpp"
#include "table/csv/number_lookalike.hpp"

namespace knotwork::csv {

ColumnTypes::ColumnTypes(const CsvHeader& layout, const CellReader& meanings)
    : layout_(layout), meanings_(meanings), columns_(layout.slots.size()) {}

double ColumnTypes::count(const Cell& cell, std::size_t column) {
  layout_.refuse_nul(cell, column);
  double value = std::numeric_limits<double>::quiet_NaN();
  const CellKind meaning = meanings_.of(cell, value);
  if (meaning == CellKind::number) return value;
  Column& tally = columns_[column];
  if (meaning == CellKind::missing) {
    ++tally.missing;
    return value;
  }
  const auto intruder = [&] { return MisfitCell{meaning, std::string(cell.text), cell.line}; };
  if (layout_.declared[column] == CsvHeader::Declared::numbers) refuse(intruder(), column);
  if (meaning == CellKind::word) ++tally.words;
  if (!tally.first) tally.first = intruder();
  return value;
}

bool ColumnTypes::is_text(std::size_t column, std::size_t rows) const {
  if (layout_.declared[column] == CsvHeader::Declared::text) return true;
  const Column& tally = columns_[column];
  return tally.words > 0 && tally.words >= (rows - tally.missing + 9) / 10;
}

std::vector<bool> ColumnTypes::text_so_far(std::size_t rows) const {
  std::vector<bool> text(layout_.chosen.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (layout_.slots[c] != CsvHeader::kUnread) text[layout_.slots[c]] = is_text(c, rows);
  }
  return text;
}

std::vector<bool> ColumnTypes::find_text_columns(std::size_t rows) const {
  std::vector<bool> text(layout_.chosen.size());
  const MisfitCell* first = nullptr;
  std::size_t column = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (layout_.slots[c] == CsvHeader::kUnread) continue;
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

void ColumnTypes::refuse(const MisfitCell& intruder, std::size_t column) const {
  const std::string text = shown(intruder.text);
  const OptionSetting missing = {"missing", intruder.text};
  const OptionSetting categorical = {"categorical", layout_.names[column]};
  const bool declared = layout_.declared[column] == CsvHeader::Declared::numbers;
  switch (intruder.meaning) {
    case CellKind::not_finite:
      layout_.refuse(intruder.line, column, Hint{.action = "correct it", .settings = {missing}},
                     "'{}' is not a finite number.", text);
    case CellKind::out_of_range:
      layout_.refuse(intruder.line, column,
                     "{} is too large for double precision; numbers may go up to 1.79e308.", text);
    case CellKind::separated_number: {
      const bool comma = meanings_.decimal() == ',';
      Hint hint = {.action = comma ? "write numbers with a decimal comma, as the options or the "
                                     "model require, and without digit groups"
                                   : "remove the comma if it groups digits",
                   .settings = {{"decimal", comma ? "point" : "comma"}}};
      if (!declared) hint.settings.push_back(categorical);
      layout_.refuse(intruder.line, column, std::move(hint), "'{}' contains a {}.", text,
                     comma ? "point" : "comma");
    }
    default:
      break;
  }
  if (const std::string_view why = why_not_a_number(intruder.text); !why.empty()) {
    layout_.refuse(intruder.line, column, "'{}' {}.", text, why);
  }
  if (declared) {
    layout_.refuse(intruder.line, column, Hint{.action = "correct it", .settings = {missing}},
                   "'{}' is not a number, but the column was declared numeric, or the model reads "
                   "it as numbers.",
                   text);
  }
  layout_.refuse(intruder.line, column,
                 Hint{.action = "correct it", .settings = {missing, categorical}},
                 "'{}' is not a number, but most cells of its column are.", text);
}

}  // namespace knotwork::csv
