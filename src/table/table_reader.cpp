// SPDX-License-Identifier: MIT
#include "table/table_reader.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace knotwork::table {

TableReader::TableReader(StoredTable table, const CsvOptions& options)
    : stored_(std::move(table)), description_(stored_->describe(options, columns_)) {}

TableReader::TableReader(const Table& table) : memory_(&table) {}

TableReader TableReader::with_columns(std::span<const std::size_t> columns) const {
  TableReader fewer = *this;
  if (memory_) return fewer;
  Table& table = fewer.description_;
  fewer.columns_.clear();
  table.names.clear();
  table.labels.clear();
  table.positions.clear();
  for (const std::size_t c : columns) {
    fewer.columns_.push_back(columns_[c]);
    table.names.push_back(description_.names[c]);
    table.labels.push_back(description_.is_text(c) ? description_.labels[c]
                                                   : std::vector<std::string>());
    table.positions.push_back(description_.positions.empty() ? c + 1 : description_.positions[c]);
  }
  return fewer;
}

std::size_t TableReader::window_rows() const {
  constexpr std::size_t kCells = std::size_t{1} << 19, kFewestRows = 4096;
  return std::max(kFewestRows, kCells / std::max<std::size_t>(1, description().names.size()));
}

Table TableReader::without_rows() const {
  if (!memory_) return description_;
  Table table{.source = memory_->source, .names = memory_->names, .columns = {}};
  table.labels = memory_->labels;
  table.positions = memory_->positions;
  table.cells = memory_->cells;
  table.unread = memory_->unread;
  return table;
}

void TableReader::read(std::size_t first, std::size_t rows, Table& window) const {
  if (memory_) {
    window.columns.resize(memory_->columns.size());
    for (std::size_t c = 0; c < window.columns.size(); ++c) {
      const auto begin = memory_->columns[c].begin() + static_cast<std::ptrdiff_t>(first);
      window.columns[c].assign(begin, begin + static_cast<std::ptrdiff_t>(rows));
    }
  } else {
    stored_->read(columns_, first, rows, window.columns);
  }
  window.first_row = first;
}

Table TableReader::read_rows(const std::vector<std::size_t>& rows) const {
  Table some = without_rows();
  some.row_numbers = rows;
  some.columns.assign(some.names.size(), std::vector<double>(rows.size()));
  for (std::size_t c = 0; c < some.columns.size(); ++c) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (memory_) {
        some.columns[c][k] = memory_->columns[c][rows[k]];
      } else {
        stored_->read(columns_[c], rows[k], std::span(some.columns[c]).subspan(k, 1));
      }
    }
  }
  return some;
}

}  // namespace knotwork::table
