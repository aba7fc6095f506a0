// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <knotwork/error.hpp>

#include "table/csv/cells/column_decision.hpp"
#include "table/csv/cells/formatted_cells.hpp"

namespace knotwork::csv {

// What a person would want to know about how the column is read. `cells` is null unless the column
// is formatted.
std::optional<Remark> remark_on(const std::string& column, const ColumnDecision& decision,
                                const ColumnTally& tally, std::size_t rows,
                                const FormattedCells* cells);

}  // namespace knotwork::csv
