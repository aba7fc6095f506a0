// SPDX-License-Identifier: MIT
// A TableReader reads some rows and columns of a RowSource as tables. May be used by several
// threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parallel/rank_merge.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/monitor.hpp>
#include <knotwork/row_source.hpp>

namespace knotwork::table {

// Names and labels without rows.
Table empty_table(const Schema& schema);

// A pointer that does not own: the caller keeps the table or source alive during the work.
template <class Owned>
std::shared_ptr<const Owned> lent(const Owned& owned) {
  return {std::shared_ptr<const Owned>(), &owned};
}

// SHA-256 of cells, which read(first_row, cells) reads in windows. The monitor may be null.
using ReadCells = std::function<void(std::size_t first_row, std::span<const std::span<double>>)>;
std::string cells_sha256(std::size_t columns, std::size_t rows, const ReadCells& read,
                         const Monitor* monitor = nullptr);

class TableReader {
 public:
  // All columns of a source. Throws bad_data unless its schema fits together.
  explicit TableReader(std::shared_ptr<const RowSource> source);
  // Keeps a reference to the table, which must have been checked.
  explicit TableReader(const Table& table);

  const RowSource& source() const { return *source_; }
  // Names and labels without rows.
  const Table& description() const { return description_; }
  std::size_t rows() const { return source_->rows(); }
  // Indices of the columns in the source.
  const std::vector<std::size_t>& columns() const { return columns_; }
  bool is_in_memory() const;
  // The same rows with fewer columns; the other columns are not read.
  TableReader with_columns(std::span<const std::size_t> columns) const;
  // for_each() reports each window to the monitor (null: none) and can be stopped by it.
  TableReader watched(std::shared_ptr<Monitor> monitor, Phase phase) const;
  const Monitor* monitor() const { return monitor_.get(); }
  // Rows in a window of moderate size, large enough that the overhead for each window is small.
  std::size_t window_rows() const;
  // A hash of the cells of the columns. The monitor can stop the hashing.
  std::string fingerprint() const { return source_->fingerprint(columns_, monitor_.get()); }
  // A table of some rows, in any order.
  Table read_rows(const std::vector<std::size_t>& rows) const;

  // Calls see(window, first_row) for consecutive windows of rows first .. last-1. Throws an Error
  // of kind `stopped` if the monitor requests a stop.
  template <class See>
  void for_each(std::size_t first, std::size_t last, const See& see) const {
    parallel::WatchedWork work(monitor_.get(), phase_, static_cast<double>(last - first));
    Table window = description_;
    while (first < last) {
      const std::size_t rows = std::min(window_rows(), last - first);
      read(first, rows, window);
      see(static_cast<const Table&>(window), first);
      first += rows;
      work.advance(static_cast<double>(rows));
    }
  }
  // Like for_each(), for the rows of this process, if several processes share the rows (null:
  // single process).
  template <class See>
  void for_each_own(Ranks* ranks, parallel::OwnRows own, const See& see) const {
    together(ranks, [&] { for_each(own.first, own.last, see); });
  }
  // Does work that processes share; if one of them is stopped, all of them throw this error.
  template <class Work>
  static void together(Ranks* ranks, const Work& work) {
    if (!ranks) return work();
    bool is_stopped = false;
    try {
      work();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::stopped) throw;
      is_stopped = true;
    }
    end_together(*ranks, is_stopped);
  }

 private:
  TableReader(std::shared_ptr<const RowSource> source, std::vector<std::size_t> columns,
              Table description)
      : source_(std::move(source)),
        columns_(std::move(columns)),
        description_(std::move(description)) {}
  void read(std::size_t first, std::size_t rows, Table& window) const;
  static void end_together(Ranks& ranks, bool is_stopped);

  std::shared_ptr<const RowSource> source_;
  std::vector<std::size_t> columns_;
  Table description_;
  std::shared_ptr<Monitor> monitor_;
  Phase phase_ = Phase::reading;
};

// Like own_rows(), but in whole windows, the same as in a single process. No process has more
// windows than the first one.
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
