// SPDX-License-Identifier: MIT
// CellReader reads the value of a CSV cell: a number, a missing cell, a word, or an unusable
// number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <knotwork/table.hpp>

#include "base/quoting.hpp"
#include "table/csv/cell_scanner.hpp"

namespace knotwork::csv {

enum class NumberText { number, not_finite, out_of_range, word };

// Reads a whole cell without surrounding blanks; a leading '+' is accepted. `value` is set only for
// `number`. Magnitudes too small for a double round to zero.
NumberText parse_number(std::string_view cell, double& value, char decimal = '.');

// True for words such as "NA" and "?", which mean a missing value.
bool is_missing_word(std::string_view cell);

using knotwork::is_utf8;
using knotwork::shown;

// A hint for a table with one column whose name contains a possible delimiter: how to divide it.
Hint delimiter_hint(const std::vector<std::string>& names);

// The text without the blanks around it. Quotes preserve the blanks of a text, but a number is the
// same with or without them.
std::string_view trimmed(std::string_view text);

enum class CellKind { number, missing, not_finite, out_of_range, separated_number, word };

// True for numbers, even unusable ones: 12,5 (or, with a decimal comma, 1.234,5) is not a word. A
// column of such cells is not text, but numbers in the wrong form.
inline bool is_numeric(CellKind meaning) {
  return meaning != CellKind::missing && meaning != CellKind::word;
}

class CellReader {
 public:
  explicit CellReader(CellFormat format);

  bool is_missing(const Cell& cell) const;
  // `value` is set only for `number`.
  CellKind of(const Cell& cell, double& value) const;
  CellKind of(const Cell& cell) const {
    double ignored = 0;
    return of(cell, ignored);
  }
  // Whether the number may be a code for a missing cell, such as -999; the exact text decides.
  bool may_be_missing(double value) const;
  bool has_missing_numbers() const { return !missing_numbers_.empty(); }
  char decimal() const { return format_.decimal_comma ? ',' : '.'; }

 private:
  CellFormat format_;
  std::vector<double> missing_numbers_;
};

}  // namespace knotwork::csv
