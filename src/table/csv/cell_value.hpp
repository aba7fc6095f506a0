// SPDX-License-Identifier: MIT
// What a cell of a CSV text says: a number, nothing, a word, or a number that cannot be used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <knotwork/table.hpp>

#include "base/quoting.hpp"
#include "table/csv/cell_scanner.hpp"

namespace knotwork::csv {

enum class NumberText { number, not_finite, out_of_range, word };

// Reads a whole cell without surrounding blanks; a leading '+' is accepted. `value` is set for
// `number` only. Magnitudes too small for a double round to zero, as nearest numbers do.
NumberText parse_number(std::string_view cell, double& value, char decimal = '.');

// "NA", "?" and the like: says that a value is missing, not what a column means.
bool is_missing_word(std::string_view cell);

using knotwork::is_utf8;
using knotwork::shown;

// "--missing abc": an option of the program as one would type it.
std::string shown_option(std::string_view option, std::string_view value);

// Where a table has one column whose name holds what may stand between cells: " (--delimiter ...)".
std::string delimiter_advice(const std::vector<std::string>& names);

enum class CellKind { number, missing, not_finite, out_of_range, separated_number, word };

// 12,5 (or, with a decimal comma, 1.234,5) is no word: a column of them is not text but numbers in
// the wrong form.
inline bool is_numeric(CellKind meaning) {
  return meaning != CellKind::missing && meaning != CellKind::word;
}

class CellReader {
 public:
  explicit CellReader(CellFormat format);

  bool is_missing(const Cell& cell) const;
  // `value` is set for `number` only.
  CellKind of(const Cell& cell, double& value) const;
  CellKind of(const Cell& cell) const {
    double ignored = 0;
    return of(cell, ignored);
  }
  // Numbers that may mean a missing cell, such as -999; it depends on the exact text.
  bool may_be_missing(double value) const;
  bool has_missing_numbers() const { return !missing_numbers_.empty(); }
  char decimal() const { return format_.decimal_comma ? ',' : '.'; }

 private:
  CellFormat format_;
  std::vector<double> missing_numbers_;
};

}  // namespace knotwork::csv
