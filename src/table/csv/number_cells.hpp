// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork::csv {

// NumberCells is the fast path through a row: it reads unquoted numbers with a decimal point that
// cannot mean a missing cell.
class NumberCells {
 public:
  // `places` gives for each column of the file where its cells go in a row's memory. Keeps
  // references to the data of both arguments.
  NumberCells(std::span<const std::size_t> places, const CellReader& meanings)
      : places_(places), meanings_(meanings) {}

  // Reads cells from `column` on. Returns the column of the first other cell, or of the first cell
  // without the expected delimiter, with the cursor before it; at the end of the line it returns
  // the number of columns, with the cursor at the line end.
  std::size_t take(CellScanner& cursor, std::size_t column, double* row) const;

 private:
  std::span<const std::size_t> places_;
  const CellReader& meanings_;
};

}  // namespace knotwork::csv
