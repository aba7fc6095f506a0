// SPDX-License-Identifier: MIT
// plan_table() plans a training before any of its arithmetic: what each column is used for, how
// columns become inputs, and which rows are training rows. It reads the rows in windows; processes
// that train together each read some of them and agree.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "features/encoding/target_means.hpp"
#include "features/split/row_set.hpp"
#include "features/split/split_rows.hpp"
#include "table/table_reader.hpp"

#include <knotwork/ranks.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

struct TablePlan {
  std::vector<std::string> targets, classes;  // no classes: numbers are predicted
  std::vector<InputColumn> encoding;
  // What training rows see of target means; null if there are none, or if they are from `start`.
  std::shared_ptr<const features::OutOfFold> out_of_fold;
  features::RowSet train, test;
  std::string rows_sha256;  // of training rows and targets; empty: `start` had others
  std::vector<Remark> remarks;
  std::size_t missing_cells = 0;   // in all rows and columns
  std::size_t without_target = 0;  // rows that are in no part because a target is missing
};

// `start` is the model to start from, or null; `ranks` is null for a single process. Throws
// bad_option and bad_data.
TablePlan plan_table(const table::TableReader& table, const TableTask& task, std::uint64_t seed,
                     const Model* start, Ranks* ranks);

// The cells of one column, in windows.
features::ColumnWindows column_windows(const table::TableReader& table, std::size_t column);

}  // namespace knotwork::training
