// SPDX-License-Identifier: MIT
// Columns of a table that must hold a number in every row: targets and weights.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/fail.hpp"

#include <knotwork/table.hpp>

namespace knotwork {

// Throws bad_data naming the first cell that is missing.
inline const std::vector<double>& complete_numbers(const Table& table, const std::string& name) {
  const std::size_t c = table.index_of(name);
  if (table.is_text(c)) {
    fail(ErrorKind::bad_data, "{}: column '{}' holds text such as '{}', but it must hold numbers.",
         table.source, name, table.labels[c].front());
  }
  const std::vector<double>& column = table.columns[c];
  for (std::size_t r = 0; r < column.size(); ++r) {
    if (std::isnan(column[r])) {
      fail(ErrorKind::bad_data,
           "{}: the cell is missing, but every row must have a number there; fill it in or remove "
           "the row.",
           table.where(r, c));
    }
  }
  return column;
}

}  // namespace knotwork
