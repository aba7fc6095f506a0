// SPDX-License-Identifier: MIT
// ColumnTypes records which cells of a CSV text are not numbers, and decides which columns are
// text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/header.hpp"

namespace knotwork::csv {

// Keeps references to both arguments.
class ColumnTypes {
 public:
  ColumnTypes(const CsvHeader& layout, const CellReader& meanings);

  // Counts a cell that is not a plain number, in a column of the file. Returns its value, or NaN if
  // it has none. Refuses words in columns that are declared numeric.
  double count(const Cell& cell, std::size_t column);

  // For each column of the table: whether it is text if no more rows follow.
  std::vector<bool> text_so_far(std::size_t rows) const;
  // For each column of the table: whether it is text, after the last row. Refuses the first cell
  // that does not fit its column.
  std::vector<bool> find_text_columns(std::size_t rows) const;

 private:
  // A cell that a numeric column cannot contain.
  struct MisfitCell {
    CellKind meaning;
    std::string text;  // a copy, because its window may be gone
    std::size_t line;
  };
  struct Column {
    std::size_t missing = 0;
    std::size_t words = 0;
    std::optional<MisfitCell> first = {};
  };

  bool is_text(std::size_t column, std::size_t rows) const;
  [[noreturn]] void refuse(const MisfitCell& intruder, std::size_t column) const;

  const CsvHeader& layout_;
  const CellReader& meanings_;
  std::vector<Column> columns_;  // for each column of the file
};

}  // namespace knotwork::csv
