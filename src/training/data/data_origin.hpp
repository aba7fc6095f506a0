// SPDX-License-Identifier: MIT
// DataOrigin describes matrices that were made from rows of a table.
#pragma once

#include <cstddef>
#include <vector>

#include <knotwork/columns.hpp>
#include <knotwork/table.hpp>

namespace knotwork::training {

struct DataOrigin {
  std::vector<InputColumn> encoding;  // what the inputs are; instead of input_names
  CellFormat cells;                   // how the table was read
  // If the matrices have only some rows of the table: their row numbers there, ascending. The seed
  // draws the validation part by these numbers.
  std::vector<std::size_t> row_numbers;
};

}  // namespace knotwork::training
