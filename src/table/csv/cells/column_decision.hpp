// SPDX-License-Identifier: MIT
// decide() says how a column is read, from what the options wish and from the counts of all cells.
#pragma once

#include <cstddef>
#include <optional>

#include <knotwork/table.hpp>

#include "table/csv/cells/column_tally.hpp"

namespace knotwork::csv {

// What the options say about a column.
struct ColumnWish {
  enum class Kind { nothing, text, numbers, dates };
  Kind kind = Kind::nothing;
  bool is_plain = false;  // numbers without signs
  bool no_dates = false;
  std::optional<ColumnFormat> format = {};
};

// How the cells of a column become numbers. Only plain numbers need no second look at the cells.
struct ColumnReading {
  enum class Kind { numbers, text, formatted };
  Kind kind = Kind::numbers;
  // Of a formatted column, and of a column of numbers in which words are missing cells.
  std::optional<ColumnFormat> format = {};
  bool is_strict = false;  // cells that do not fit the format are refused

  bool is_date() const { return format && format->date; }
  bool operator==(const ColumnReading&) const = default;
};

struct ColumnDecision {
  enum class Reason {
    usual,      // nothing to say
    said,       // the options or the model say it
    dates,
    doubtful_dates,   // the order of day and month is a guess
    styled,           // numbers with signs
    doubtful_groups,  // a sign between digits could be the decimal sign
    few_words,        // numbers, words are missing cells
    few_levels,       // text, because there are few different cells
    many_words,       // text, although at least half of the cells are numbers
    few_dates,        // text, although at least half of the cells are dates
  };
  ColumnReading reading = {};
  Reason reason = Reason::usual;
};

// What is known beside the column.
struct TableHabits {
  bool decimal_comma = false;
  std::optional<DateOrder> order = {};  // of day and month in other columns
};

// The columns that are not refused: dates(...) may be empty only if no cell is a date.
ColumnDecision decide(const ColumnTally& tally, std::size_t rows, const ColumnWish& wish,
                      const TableHabits& habits);

}  // namespace knotwork::csv
