// SPDX-License-Identifier: MIT
// The second pass over a CSV text: the texts of its text columns.
#pragma once

#include <vector>

#include <knotwork/table.hpp>

#include "data/csv_cursor.hpp"
#include "data/csv_layout.hpp"
#include "data/csv_meaning.hpp"

namespace knotwork::csv {

// Fills the columns of `table` that `is_text` names, and their labels. The cursor stands at the
// first row; all rows are known to be whole.
void read_labels(Cursor cursor, const Layout& layout, const Meanings& meanings,
                 const std::vector<bool>& is_text, Table& table);

}  // namespace knotwork::csv
