// SPDX-License-Identifier: MIT
#include <knotwork/row_source.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "table/column_choice.hpp"
#include "table/table_reader.hpp"

namespace knotwork {
namespace {

class TableRows final : public RowSource {
 public:
  explicit TableRows(std::shared_ptr<const Table> table)
      : table_(std::move(table)), schema_(schema_of(*table_)) {}

  const Schema& schema() const override { return schema_; }
  std::size_t rows() const override { return table_->rows(); }
  void read(std::span<const std::size_t> columns, std::size_t first_row,
            std::span<const std::span<double>> cells) const override {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      std::copy_n(table_->columns[columns[k]].data() + first_row, cells[k].size(),
                  cells[k].begin());
    }
  }
  std::optional<ColumnView> in_memory(std::size_t column) const override {
    return StridedView<double>{table_->columns[column].data(), rows(), 1};
  }
  Where place_of(std::size_t row) const override { return table_->place_of(row); }

 private:
  std::shared_ptr<const Table> table_;
  Schema schema_;
};

}  // namespace

std::size_t Schema::index_of(std::string_view name) const {
  return table::index_of(source, names, name);
}

Schema schema_of(const Table& table) {
  return {.source = table.source,
          .names = table.names,
          .labels = table.labels,
          .positions = table.positions,
          .cells = table.cells,
          .unread = table.unread,
          .dates = table.dates,
          .remarks = table.remarks,
          .has_header = table.has_header};
}

RowSource::~RowSource() = default;

std::optional<ColumnView> RowSource::in_memory(std::size_t) const {
  return std::nullopt;
}

Where RowSource::place_of(std::size_t row) const {
  return {.file = schema().source, .row = row};
}

std::string RowSource::fingerprint(std::span<const std::size_t> columns, Monitor* monitor) const {
  return table::cells_sha256(
      columns.size(), rows(),
      [&](std::size_t first_row, std::span<const std::span<double>> cells) {
        read(columns, first_row, cells);
      },
      monitor);
}

bool RowSource::knows_fingerprint() const {
  return false;
}

std::shared_ptr<const RowSource> rows_of(std::shared_ptr<const Table> table) {
  table->check();
  return std::make_shared<TableRows>(std::move(table));
}

std::shared_ptr<const RowSource> rows_of(Table table) {
  return rows_of(std::make_shared<const Table>(std::move(table)));
}

}  // namespace knotwork
