// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork::csv {

// The short way through a row, as far as its cells are unquoted numbers with a decimal point, and
// none that may mean a missing cell.
class NumberCells {
 public:
  // `places` says for every column of the file where in a row's memory its cells go. Keeps what
  // both look at.
  NumberCells(std::span<const std::size_t> places, const CellReader& meanings)
      : places_(places), meanings_(meanings) {}

  // Takes cells from `column` on. Returns the column of the first that is something else, or that
  // is not followed by what should follow it, with the cursor before it; or how many columns there
  // are, with the cursor at the line's end.
  std::size_t take(CellScanner& cursor, std::size_t column, double* row) const;

 private:
  std::span<const std::size_t> places_;
  const CellReader& meanings_;
};

}  // namespace knotwork::csv
