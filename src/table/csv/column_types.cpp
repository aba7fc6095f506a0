// SPDX-License-Identifier: MIT
#include "table/csv/column_types.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "table/csv/cells/column_remarks.hpp"
#include "table/csv/second_pass.hpp"

namespace knotwork::csv {

bool needs_second_pass(const ColumnReadings& readings) {
  return std::any_of(readings.begin(), readings.end(),
                     [](const ColumnReading& reading) { return needs_second_pass(reading); });
}

void refuse_number(const CsvHeader& layout, std::size_t column, char decimal,
                   const ColumnTally::Unusable& cell) {
  const std::string text = shown(cell.text);
  const OptionSetting missing = {"missing", cell.text};
  if (cell.kind == CellKind::not_finite) {
    layout.refuse(cell.line, column, Hint{.action = "correct it", .settings = {missing}},
                  "'{}' is not a finite number.", text);
  }
  if (cell.kind == CellKind::out_of_range) {
    layout.refuse(cell.line, column,
                  "{} is too large for double precision; numbers may go up to 1.79e308.", text);
  }
  if (cell.kind == CellKind::separated_number) {
    const bool point = decimal == ',';
    layout.refuse(cell.line, column,
                  Hint{.action = point ? "write numbers with a decimal comma, as the options or the "
                                         "model require, and without digit groups"
                                       : "remove the comma if it groups digits",
                       .settings = {{"decimal", point ? "point" : "comma"}}},
                  "'{}' contains a {}.", text, point ? "point" : "comma");
  }
  Hint hint{.action = "correct it", .settings = {missing}};
  if (take_date(cell.text)) hint = {.settings = {{"date", layout.names[column]}}};
  layout.refuse(cell.line, column, std::move(hint),
                "'{}' is not a number, but the column was declared numeric, or the model reads it "
                "as numbers.",
                text);
}

ColumnTypes::ColumnTypes(const CsvHeader& layout, const CellReader& meanings)
    : layout_(layout), meanings_(meanings), tallies_(layout.slots.size()) {}

double ColumnTypes::count(const Cell& cell, std::size_t column) {
  layout_.refuse_nul(cell, column);
  double value = std::numeric_limits<double>::quiet_NaN();
  const CellKind kind = meanings_.of(cell, value);
  if (kind == CellKind::number) return value;
  ColumnTally& tally = tallies_[column];
  if (kind == CellKind::missing) {
    ++tally.missing;
    return value;
  }
  const ColumnWish& wish = layout_.wishes[column];
  if (wish.format || wish.kind == ColumnWish::Kind::text) {
    ++tally.others;
    return value;
  }
  const std::string_view text = trimmed(cell.content(buffer_));
  const bool may_be_number = tally.see(kind, text, cell.line);
  if (wish.kind == ColumnWish::Kind::numbers && (wish.is_plain || !may_be_number)) {
    refuse_number(layout_, column, meanings_.decimal(), {kind, std::string(text), cell.line});
  }
  return value;
}

void ColumnTypes::count_numbers(const Table& rows, bool are_all) {
  for (std::size_t slot = 0; slot < rows.columns.size(); ++slot) {
    ColumnTally& tally = tallies_[layout_.chosen[slot]];
    if (!are_all || tally.others > 0) tally.see_numbers(rows.columns[slot]);
  }
}

std::vector<ColumnDecision> ColumnTypes::decisions(std::size_t rows) const {
  TableHabits habits{.decimal_comma = meanings_.decimal() == ','};
  const auto decide_all = [&] {
    std::vector<ColumnDecision> all;
    for (const std::size_t column : layout_.chosen) {
      all.push_back(csv::decide(tallies_[column], rows, layout_.wishes[column], habits));
      if (auto& format = all.back().reading.format) format->column = layout_.names[column];
    }
    return all;
  };
  std::vector<ColumnDecision> all = decide_all();
  // A column that does not show its order follows the other columns of dates if they agree.
  bool agree = true, is_doubtful = false;
  for (std::size_t slot = 0; slot < all.size(); ++slot) {
    const ColumnDecision& decision = all[slot];
    is_doubtful = is_doubtful || decision.reason == ColumnDecision::Reason::doubtful_dates;
    const DateCounts& dates = tallies_[layout_.chosen[slot]].dates;
    if (decision.reason != ColumnDecision::Reason::dates || dates.open == 0) continue;
    const DateOrder order = *decision.reading.format->date;
    if (order != DateOrder::day_first && order != DateOrder::month_first) continue;
    agree = agree && habits.order.value_or(order) == order;
    habits.order = order;
  }
  return is_doubtful && agree && habits.order ? decide_all() : all;
}

ColumnReadings ColumnTypes::readings_so_far(std::size_t rows) const {
  ColumnReadings readings;
  for (ColumnDecision& decision : decisions(rows)) readings.push_back(std::move(decision.reading));
  return readings;
}

ColumnReadings ColumnTypes::decide(std::size_t rows) {
  check_dates(rows);
  decisions_ = decisions(rows);
  check_numbers(decisions_);
  ColumnReadings readings;
  for (const ColumnDecision& decision : decisions_) readings.push_back(decision.reading);
  return readings;
}

// A column is declared as dates without an order, and no cell is a date.
void ColumnTypes::check_dates(std::size_t rows) const {
  for (const std::size_t column : layout_.chosen) {
    const ColumnTally& tally = tallies_[column];
    const DateCounts& dates = tally.dates;
    const ColumnWish& wish = layout_.wishes[column];
    if (wish.kind != ColumnWish::Kind::dates || wish.format || rows == tally.missing ||
        dates.year_first + dates.day_first + dates.month_first + dates.time > 0) {
      continue;
    }
    const std::string& name = layout_.names[column];
    if (tally.others > 0) {
      fail(ErrorKind::bad_data, layout_.place(0, column),
           "the column was declared as dates, but none of its cells is one, such as '{}'.",
           shown(tally.texts.values().front()));
    }
    fail(ErrorKind::bad_data, layout_.place(0, column),
         Hint{.purpose = "if they count seconds or milliseconds since 1970, or are dates like "
                         "20200131",
              .settings = {{"date", name + "=unix"},
                           {"date", name + "=unix-ms"},
                           {"date", name + "=ymd"}}},
         "the column was declared as dates, but its cells are plain numbers.");
  }
}

// Infinite numbers, and numbers that are too large, are never taken as missing cells.
void ColumnTypes::check_numbers(const std::vector<ColumnDecision>& decisions) const {
  const ColumnTally::Unusable* first = nullptr;
  std::size_t column = 0;
  for (std::size_t slot = 0; slot < decisions.size(); ++slot) {
    const ColumnReading& reading = decisions[slot].reading;
    const auto& cell = tallies_[layout_.chosen[slot]].first_unusable;
    if (!cell || reading.kind == ColumnReading::Kind::text || reading.is_date()) continue;
    const bool is_before =
        first == nullptr || cell->line < first->line ||
        (cell->line == first->line && layout_.chosen[slot] < column);
    if (!is_before) continue;
    first = &*cell;
    column = layout_.chosen[slot];
  }
  if (first != nullptr) refuse_number(layout_, column, meanings_.decimal(), *first);
}

void ColumnTypes::describe(Table& table, std::size_t rows, const SecondPass* pass) const {
  table.cells.columns.clear();
  table.dates.clear();
  for (std::size_t slot = 0; slot < decisions_.size(); ++slot) {
    const ColumnDecision& decision = decisions_[slot];
    if (decision.reading.format) table.cells.columns.push_back(*decision.reading.format);
    if (decision.reading.is_date()) {
      table.dates.resize(decisions_.size());
      table.dates[slot] = true;
    }
    const std::size_t column = layout_.chosen[slot];
    const bool is_formatted = decision.reading.kind == ColumnReading::Kind::formatted;
    std::optional<Remark> remark =
        remark_on(layout_.names[column], decision, tallies_[column], rows,
                  is_formatted && pass ? pass->formatted(slot) : nullptr);
    if (remark) table.remarks.push_back(std::move(*remark));
  }
}

}  // namespace knotwork::csv
