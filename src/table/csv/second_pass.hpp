// SPDX-License-Identifier: MIT
// SecondPass reads a CSV text again, for the columns whose cells are not plain numbers: texts, and
// cells that have a format. Monitors may be null and can stop the pass.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <knotwork/table.hpp>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/cells/formatted_cells.hpp"
#include "table/csv/column_types.hpp"
#include "table/csv/header.hpp"

namespace knotwork::csv {

// The distinct texts of one column, numbered in order of appearance.
class Dictionary {
 public:
  // The number of a text, if the text occurred before.
  std::optional<std::size_t> find(std::string_view text) const;
  std::size_t add(std::string_view text);

  struct Sorted {
    std::vector<std::string> labels;  // sorted by bytes
    std::vector<double> ranks;        // for each number its index in labels
  };
  Sorted sort(const Monitor* monitor) const;

 private:
  std::deque<std::string> texts_;  // a deque, because numbers_ refers to the texts
  std::unordered_map<std::string_view, std::size_t> numbers_;
};

// Reads rows that the first pass has found complete, in one text or in several consecutive texts.
class SecondPass {
 public:
  // Reads the columns of the table that need it. Keeps references to the first two arguments.
  SecondPass(const CsvHeader& layout, const CellReader& meanings, const ColumnReadings& readings);

  // Fills the columns of `rows` rows, text columns with the numbers of their texts. The cursor must
  // be at the first row; returns the cursor after the last row.
  CellScanner take_rows(CellScanner cursor, std::size_t rows, Table& table, const Monitor* monitor);
  // One entry for each column of the table; empty if the column is not text.
  std::vector<Dictionary::Sorted> finish(const Monitor* monitor) const;
  // What was found in a formatted column of the table; null for other columns.
  const FormattedCells* formatted(std::size_t column) const {
    return formatted_[column] ? &*formatted_[column] : nullptr;
  }

 private:
  void take_row(CellScanner& cursor, std::size_t row, Table& table);
  double value_of(const Cell& cell, std::size_t column);
  double formatted_value(const Cell& cell, std::size_t column);

  const CsvHeader& layout_;
  const CellReader& meanings_;
  const ColumnReadings readings_;
  std::vector<std::size_t> slots_;  // for each column of the file, if it is read
  std::vector<Dictionary> dictionaries_;
  std::vector<std::optional<FormattedCells>> formatted_;
  std::string buffer_;
};

// Reads the columns that need it in all rows of `table`, and completes its labels.
void read_again(CellScanner cursor, SecondPass& pass, const ColumnReadings& readings, Table& table,
                const Monitor* monitor);

}  // namespace knotwork::csv
