// SPDX-License-Identifier: MIT
// The second pass over a CSV text: the texts of its text columns.
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
#include "table/csv/header.hpp"

namespace knotwork::csv {

// The different texts of one column, numbered as they come.
class Dictionary {
 public:
  // The number of a text, if it came before.
  std::optional<std::size_t> find(std::string_view text) const;
  std::size_t add(std::string_view text);

  struct Sorted {
    std::vector<std::string> labels;  // by their bytes
    std::vector<double> ranks;        // for every number its place among them
  };
  Sorted sort() const;

 private:
  std::deque<std::string> texts_;  // stay where they are: numbers_ looks at them
  std::unordered_map<std::string_view, std::size_t> numbers_;
};

// Over rows that are known to be whole, in one text or in several one after the other.
class TextColumnReader {
 public:
  // For the columns of the table that `is_text` names. Keeps references to the first two.
  TextColumnReader(const CsvHeader& layout, const CellReader& meanings,
                   const std::vector<bool>& is_text);

  // Fills the text columns of `rows` rows with the numbers of their texts. The cursor stands at the
  // first of them and is returned behind the last.
  CellScanner take_rows(CellScanner cursor, std::size_t rows, Table& table);
  // For every column of the table; those that are not text have none.
  std::vector<Dictionary::Sorted> finish() const;

 private:
  void take_row(CellScanner& cursor, std::size_t row, Table& table);
  double number_of(const Cell& cell, std::size_t column);

  const CsvHeader& layout_;
  const CellReader& meanings_;
  std::vector<std::size_t> slots_;  // for every column of the file, if it is text
  std::vector<Dictionary> dictionaries_;
  std::string buffer_;
};

// Fills the columns of `table` that `is_text` names, and their labels. The cursor stands at the
// first row; all rows are known to be whole.
void read_labels(CellScanner cursor, const CsvHeader& layout, const CellReader& meanings,
                 const std::vector<bool>& is_text, Table& table);

}  // namespace knotwork::csv
