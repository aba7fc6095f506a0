// SPDX-License-Identifier: MIT
// Columns of a table in windows of rows, whether it stays in its file or is in memory. May be used
// by several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parallel/rank_merge.hpp"

#include <knotwork/stored_table.hpp>

namespace knotwork::table {

class TableReader {
 public:
  // Of the options, the columns that they ask for and declare count.
  explicit TableReader(StoredTable table, const CsvOptions& options = {});
  // Refers to it.
  explicit TableReader(const Table& table);

  // Names and labels; rows only if it is in memory.
  const Table& description() const { return memory_ ? *memory_ : description_; }
  std::size_t rows() const { return memory_ ? memory_->rows() : stored_->rows(); }
  // The table if it is in memory, else null.
  const Table* memory() const { return memory_; }
  // The same rows of fewer columns, of which no others are read: at least these, as the columns of
  // a table in memory are there anyway.
  TableReader with_columns(std::span<const std::size_t> columns) const;
  // Of a window of moderate size: the work on it is more than what comes with it.
  std::size_t window_rows() const;

  // Not for tables in memory. Of all cells of its columns in the file; and whether those of one
  // match what the file says of them: throws bad_data where they do not.
  std::string cells_sha256() const { return stored_->cells_sha256(columns_); }
  bool knows_its_sha256() const { return stored_->knows_its_sha256(); }
  void check_column(std::size_t column) const { stored_->check_column(columns_[column]); }
  // `watch` gets the share of the rows that is done after every window of what for_each() is asked
  // for, in the thread that asks.
  void watch(std::function<void(double share)> watch) { watch_ = std::move(watch); }
  // Some rows, ascending or not, as a table of their own.
  Table read_rows(const std::vector<std::size_t>& rows) const;

  // Calls see(window, first_row) for windows of rows first .. last-1, one after the other; a table
  // in memory is a single one if all of it is asked for.
  template <class See>
  void for_each(std::size_t first, std::size_t last, const See& see) const {
    if (memory_ && first == 0 && last == rows()) return see(*memory_, std::size_t{0});
    Table window = without_rows();
    const std::size_t begin = first;
    while (first < last) {
      const std::size_t rows = std::min(window_rows(), last - first);
      read(first, rows, window);
      see(static_cast<const Table&>(window), first);
      first += rows;
      if (watch_) {
        watch_(static_cast<double>(first - begin) / static_cast<double>(last - begin));
      }
    }
  }

 private:
  Table without_rows() const;
  void read(std::size_t first, std::size_t rows, Table& window) const;

  const Table* memory_ = nullptr;
  std::optional<StoredTable> stored_;
  std::vector<std::size_t> columns_;  // of the file
  Table description_;
  std::function<void(double share)> watch_;
};

// own_rows() in whole windows, those that one process alone would read. No process has more of them
// than the first.
inline parallel::OwnRows own_windows(const TableReader& table, const Ranks* ranks) {
  const std::size_t rows = table.rows(), window = table.window_rows();
  if (!ranks) return {0, rows};
  const std::size_t windows = (rows + window - 1) / window;
  const auto begin_of = [&](std::size_t rank) {
    return std::min(rows, (windows * rank + ranks->size() - 1) / ranks->size() * window);
  };
  return {begin_of(ranks->rank()), begin_of(ranks->rank() + 1)};
}

}  // namespace knotwork::table
