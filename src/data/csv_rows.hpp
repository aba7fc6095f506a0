// SPDX-License-Identifier: MIT
// The first pass over the rows of a CSV text: numbers, and a tally of everything else.
#pragma once

#include <knotwork/table.hpp>

#include "data/csv_cursor.hpp"
#include "data/csv_layout.hpp"
#include "data/csv_meaning.hpp"
#include "data/csv_tally.hpp"

namespace knotwork::csv {

// Appends all rows from the cursor on to the columns of `table`, NaN for what is not a number.
// Returns the cursor behind them.
Cursor read_rows(Cursor cursor, const Layout& layout, const Meanings& meanings, Tally& tally,
                 Table& table);

}  // namespace knotwork::csv
