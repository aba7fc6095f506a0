// SPDX-License-Identifier: MIT
// What training makes of a table, before a number of it is computed with: which columns are for
// what, how they become inputs, which rows are trained on. Looks at the rows in windows; processes
// that train together each look at some of them and agree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "features/split/row_set.hpp"
#include "features/split/split_rows.hpp"
#include "table/table_reader.hpp"

#include <knotwork/ranks.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

struct TablePlan {
  std::vector<std::string> targets, classes;  // classes: none if numbers are predicted
  std::vector<InputColumn> encoding;
  features::RowSet train, test;
  std::string rows_sha256;  // of the training rows and their targets; empty: not those of `start`
  std::vector<std::string> remarks;
  std::size_t missing_cells = 0;  // in all rows and columns
};

// `start` is the model to start from, or null; `ranks` are null for a process alone. Throws
// bad_option and bad_data.
TablePlan plan_table(const table::TableReader& table, const TableTask& task, std::uint64_t seed,
                     const Model* start, Ranks* ranks);

// The cells of one column, in windows.
features::ColumnWindows column_windows(const table::TableReader& table, const std::string& column);

}  // namespace knotwork::training
