// SPDX-License-Identifier: MIT
// The table that a command trains on, as its options ask for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/options/table_request.hpp"

#include <knotwork/stored_table.hpp>
#include <knotwork/training.hpp>

namespace knotwork::cli {

// A table to train on: in memory, or in a file that it stays in.
struct TrainingTable {
  Table table;                        // without rows if it stays in its file
  std::optional<StoredTable> stored;  // that file
  CsvOptions columns;                 // of it
  std::size_t rows() const { return stored ? stored->rows() : table.rows(); }
};
// For commands that several processes work on: throws bad_option unless all can read the tables.
void check_all_can_read(const std::string& data, const TableOptions& options);
// `seed` is that of a built-in set. Columns that are dropped or not needed are not read, so they
// may hold anything.
TrainingTable open_table(const std::string& data, const TableOptions& options, std::uint64_t seed);
// The same in memory, wherever it is.
Table load_table(const std::string& data, const TableOptions& options, std::uint64_t seed);
// The table of --test-data, read as `table` was: the same columns, numbers and texts. Null without.
std::shared_ptr<const Table> load_test_table(const TableOptions& options, const Table& table);
TableTask make_task(const TableOptions& options, const Table& table,
                    std::shared_ptr<const Table> test = nullptr);

}  // namespace knotwork::cli
