// SPDX-License-Identifier: MIT
// The first pass over the rows of a CSV text: numbers, and a tally of everything else.
#pragma once

#include <knotwork/table.hpp>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/column_types.hpp"
#include "table/csv/header.hpp"

namespace knotwork::csv {

// Appends all rows from the cursor on to the columns of `table`, NaN for what is not a number.
// Returns the cursor behind them.
CellScanner read_rows(CellScanner cursor, const CsvHeader& layout, const CellReader& meanings,
                      ColumnTypes& tally, Table& table);

}  // namespace knotwork::csv
