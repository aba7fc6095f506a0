// SPDX-License-Identifier: MIT
// ColumnTypes counts the cells of a CSV text that are not plain numbers, and decides after the last
// row how each column is read: as numbers, texts, dates, or numbers with signs.
#pragma once

#include <cstddef>
#include <vector>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/cells/column_decision.hpp"
#include "table/csv/cells/column_tally.hpp"
#include "table/csv/header.hpp"

namespace knotwork::csv {

class SecondPass;

// For each column of a table.
using ColumnReadings = std::vector<ColumnReading>;

inline bool needs_second_pass(const ColumnReading& reading) {
  return reading.kind != ColumnReading::Kind::numbers;
}
bool needs_second_pass(const ColumnReadings& readings);

// Refuses a cell that a column of numbers cannot have.
[[noreturn]] void refuse_number(const CsvHeader& layout, std::size_t column, char decimal,
                                const ColumnTally::Unusable& cell);

// Keeps references to both arguments.
class ColumnTypes {
 public:
  ColumnTypes(const CsvHeader& layout, const CellReader& meanings);

  // Counts a cell that is not a plain number, in a column of the file. Returns its value, or NaN if
  // it has none. Refuses what can be no number in columns that are declared numeric.
  double count(const Cell& cell, std::size_t column);
  // Counts the plain numbers among these rows, which count() has seen. If all rows of the table are
  // given at once, only the columns that need it are counted.
  void count_numbers(const Table& rows, bool are_all);

  // The decisions if no more rows follow.
  ColumnReadings readings_so_far(std::size_t rows) const;
  // The decisions after the last row. Refuses the first cell that does not fit its column.
  ColumnReadings decide(std::size_t rows);

  // Completes a table, or its description, by what decide() decided, and by remarks on it. The
  // second pass is null if none was needed.
  void describe(Table& table, std::size_t rows, const SecondPass* pass) const;

 private:
  std::vector<ColumnDecision> decisions(std::size_t rows) const;
  void check_dates(std::size_t rows) const;
  void check_numbers(const std::vector<ColumnDecision>& decisions) const;

  const CsvHeader& layout_;
  const CellReader& meanings_;
  std::vector<ColumnTally> tallies_;       // for each column of the file
  std::vector<ColumnDecision> decisions_;  // for each column of the table
  std::string buffer_;
};

}  // namespace knotwork::csv
