// SPDX-License-Identifier: MIT
#include "table/table_reader.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "table/column_choice.hpp"

namespace knotwork::table {
Table empty_table(const Schema& schema) {
  return {.source = schema.source,
          .names = schema.names,
          .columns = {},
          .labels = schema.labels,
          .dates = schema.dates,
          .positions = schema.positions,
          .cells = schema.cells,
          .has_header = schema.has_header,
          .unread = schema.unread,
          .remarks = schema.remarks};
}

std::string cells_sha256(std::size_t columns, std::size_t rows, const ReadCells& read,
                         const Monitor* monitor) {
  constexpr std::size_t kWindowRows = 4096;  // the fingerprint in checkpoints depends on it
  Sha256 sha;
  std::vector<std::vector<double>> cells(columns);
  std::vector<std::span<double>> places(columns);
  for (std::size_t row = 0; row < rows; row += kWindowRows) {
    parallel::check_stop(monitor);
    for (std::size_t k = 0; k < columns; ++k) {
      cells[k].resize(std::min(kWindowRows, rows - row));
      places[k] = cells[k];
    }
    read(row, places);
    for (const std::span<const double> column : places) {
      sha.update({reinterpret_cast<const std::uint8_t*>(column.data()), column.size_bytes()});
    }
  }
  return sha.hex_digest();
}

namespace {

// Any program may have made the source.
std::shared_ptr<const RowSource> checked(std::shared_ptr<const RowSource> source) {
  if (!source) fail(ErrorKind::bad_option, "There is no source to take rows from.");
  Table table = empty_table(source->schema());
  table.columns.resize(table.names.size());
  table.check();
  return source;
}

}  // namespace

TableReader::TableReader(std::shared_ptr<const RowSource> source)
    : source_(checked(std::move(source))),
      columns_(source_->schema().columns()),
      description_(empty_table(source_->schema())) {
  std::iota(columns_.begin(), columns_.end(), std::size_t{0});
}

TableReader::TableReader(const Table& table) : TableReader(rows_of(lent(table))) {}

bool TableReader::is_in_memory() const {
  return std::all_of(columns_.begin(), columns_.end(),
                     [&](std::size_t column) { return source_->in_memory(column).has_value(); });
}

TableReader TableReader::with_columns(std::span<const std::size_t> columns) const {
  ColumnChoice choice{{columns.begin(), columns.end()},
                      std::vector<bool>(description_.names.size())};
  for (const std::size_t column : columns) choice.is_chosen[column] = true;
  TableReader fewer(source_, {}, empty_table(schema_of_chosen(schema_of(description_), choice)));
  for (const std::size_t column : columns) fewer.columns_.push_back(columns_[column]);
  fewer.description_.unread = description_.unread;
  fewer.monitor_ = monitor_;
  fewer.phase_ = phase_;
  return fewer;
}

TableReader TableReader::watched(std::shared_ptr<Monitor> monitor, Phase phase) const {
  TableReader watched = *this;
  watched.monitor_ = std::move(monitor);
  watched.phase_ = phase;
  return watched;
}

std::size_t TableReader::window_rows() const {
  constexpr std::size_t kCells = std::size_t{1} << 19, kFewestRows = 4096;
  return std::max(kFewestRows, kCells / std::max<std::size_t>(1, columns_.size()));
}

void TableReader::read(std::size_t first, std::size_t rows, Table& window) const {
  window.columns.resize(columns_.size());
  std::vector<std::span<double>> cells;
  for (std::vector<double>& column : window.columns) {
    column.resize(rows);
    cells.emplace_back(column);
  }
  source_->read(columns_, first, cells);
  // The source is only asked when the place of a row is needed.
  window.row_place = [this, first](std::size_t row) { return source_->place_of(first + row); };
}

Table TableReader::read_rows(const std::vector<std::size_t>& rows) const {
  Table some = description_;
  some.columns.assign(columns_.size(), std::vector<double>(rows.size()));
  std::vector<std::span<double>> cells(columns_.size());
  for (std::size_t k = 0; k < rows.size();) {
    // Consecutive rows are read at once.
    std::size_t count = 1;
    while (k + count < rows.size() && rows[k + count] == rows[k] + count) ++count;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cells[c] = std::span(some.columns[c]).subspan(k, count);
    }
    source_->read(columns_, rows[k], cells);
    k += count;
  }
  some.row_numbers = rows;
  some.row_place = [source = source_, rows](std::size_t row) {
    return source->place_of(rows[row]);
  };
  return some;
}

void TableReader::end_together(Ranks& ranks, bool is_stopped) {
  if (!ranks.any(is_stopped)) return;
  Monitor stopped;
  stopped.request_stop();
  parallel::check_stop(&stopped);
}

}  // namespace knotwork::table
