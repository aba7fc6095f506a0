// SPDX-License-Identifier: MIT
// read_rows() is the first pass over the rows of a CSV text: it reads numbers and counts all other
// cells.
#pragma once

#include <cstddef>
#include <functional>

#include <knotwork/table.hpp>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/column_types.hpp"
#include "table/csv/header.hpp"

namespace knotwork::csv {

// Appends all rows from the cursor on to the columns of `table`, with NaN for cells that are not
// numbers. Returns the cursor after the rows. The blank lines between them are added to `blank`.
// `done` is called many times a second with the number
// of further bytes that were read, and may throw.
CellScanner read_rows(CellScanner cursor, const CsvHeader& layout, const CellReader& meanings,
                      ColumnTypes& tally, Table& table, BlankLines& blank,
                      const std::function<void(std::size_t bytes)>& done);

}  // namespace knotwork::csv
