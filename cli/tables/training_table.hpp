// SPDX-License-Identifier: MIT
// The table that a command trains on, read according to its options.
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

// A table to train on, either in memory or in its file.
struct TrainingTable {
  Table table;                        // without rows if the table stays in its file
  std::optional<StoredTable> stored;  // the table in its file
  CsvOptions columns;                 // the columns to read from the file
  std::size_t rows() const { return stored ? stored->rows() : table.rows(); }
};
// For commands that share work between ranks: throws bad_option unless all ranks can read the
// tables.
void check_all_can_read(const std::string& data, const TableOptions& options);
// `seed` is for built-in sets. Dropped and unneeded columns are not read, so they may contain
// anything.
TrainingTable open_table(const std::string& data, const TableOptions& options, std::uint64_t seed);
// Like open_table(), but the table is always loaded into memory.
Table load_table(const std::string& data, const TableOptions& options, std::uint64_t seed);
// The table of --test-data, read like `table`: the same columns, numbers and texts. Null without
// --test-data.
std::shared_ptr<const Table> load_test_table(const TableOptions& options, const Table& table);
TableTask make_task(const TableOptions& options, const Table& table,
                    std::shared_ptr<const Table> test = nullptr);

}  // namespace knotwork::cli
