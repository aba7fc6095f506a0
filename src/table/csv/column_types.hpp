// SPDX-License-Identifier: MIT
// What stood in the columns of a CSV text besides numbers, and which columns are text therefore.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/header.hpp"

namespace knotwork::csv {

// Keeps references to both.
class ColumnTypes {
 public:
  ColumnTypes(const CsvHeader& layout, const CellReader& meanings);

  // Counts a cell that is not plainly a number, of a column of the file. Returns its value, or NaN
  // when it has none. Refuses words in columns that are declared numeric.
  double count(const Cell& cell, std::size_t column);

  // For every column of the table: which are text if nothing but these rows follows.
  std::vector<bool> text_so_far(std::size_t rows) const;
  // The same at the end. Refuses the first cell that does not fit its column.
  std::vector<bool> find_text_columns(std::size_t rows) const;

 private:
  // A cell that a column of numbers cannot have.
  struct MisfitCell {
    CellKind meaning;
    std::string text;  // a copy: the window that it stood in may be gone
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
  std::vector<Column> columns_;  // of the file
};

}  // namespace knotwork::csv
