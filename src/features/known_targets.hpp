// SPDX-License-Identifier: MIT
// Rows whose target is missing cannot be learned from or scored; these functions find the others.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "features/split/row_set.hpp"
#include "table/table_reader.hpp"

#include <knotwork/columns.hpp>
#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork::features {

// The rows of a table, or of a window of it, that have a value in all of these columns.
std::vector<std::size_t> rows_with_values(const Table& table, std::span<const std::size_t> columns);
// The rows of a whole table that have a value in all columns of the reader.
RowSet rows_with_values(const table::TableReader& columns);

// The rows that have a value in every target. Throws bad_data when a target is not in the table.
std::vector<std::size_t> rows_with_targets(const Table& table,
                                           std::span<const TargetColumn> targets);

// Like true_values() for all rows, but NaN where the cell is missing.
std::vector<double> values_where_known(const Table& table, const TargetColumn& target);

// Throws bad_data: no row of the table has a value in every target.
[[noreturn]] void refuse_without_targets(const Table& table,
                                         std::span<const TargetColumn> targets);

// "12 of 100 rows have no value in the target column 'price'"; the caller adds what was done.
std::string rows_without_target(std::size_t count, std::size_t rows,
                                std::span<const std::string> targets);

}  // namespace knotwork::features
