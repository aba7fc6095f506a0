// SPDX-License-Identifier: MIT
// What a cell of a CSV text says: a number, nothing, a word, or a number that cannot be used.
#pragma once

#include <string>
#include <vector>

#include <knotwork/table.hpp>

#include "data/csv_cursor.hpp"

namespace knotwork::csv {

enum class Meaning { number, missing, not_finite, out_of_range, separated_number, word };

// 12,5 (or, with a decimal comma, 1.234,5) is no word: a column of them is not text but numbers in
// the wrong form.
inline bool is_numeric(Meaning meaning) {
  return meaning != Meaning::missing && meaning != Meaning::word;
}

class Meanings {
 public:
  explicit Meanings(CellFormat format);

  bool is_missing(const Cell& cell) const;
  // `value` is set for `number` only.
  Meaning of(const Cell& cell, double& value) const;
  Meaning of(const Cell& cell) const {
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
