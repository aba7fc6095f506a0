// SPDX-License-Identifier: MIT
// A RowSource is where the rows of a table come from: columns that can be read in windows of rows.
//
//   class Sensor : public RowSource {
//     const Schema& schema() const override { return schema_; }
//     std::size_t rows() const override { return 1'000'000; }
//     void read(std::span<const std::size_t> columns, std::size_t first_row,
//               std::span<const std::span<double>> cells) const override { ... }
//   };
//   const PreparedData data(std::make_shared<Sensor>(), {.targets = {"y"}}, /*seed=*/0);
//
// Training, evaluate() and the functions of predict.hpp take rows from any source; the kind of
// source changes no bit of a result. rows_of() makes a source from a Table or a StoredTable
// (stored_table.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// The description of a table without its rows. The fields mean the same as in Table.
struct KNOTWORK_API Schema {
  std::string source;              // for messages: the name of a file, for example
  std::vector<std::string> names;  // one for each column, all different
  std::vector<std::vector<std::string>> labels = {};  // of text columns; empty: all are numbers
  std::vector<std::size_t> positions = {};            // of the columns in a file
  CellFormat cells = {};
  std::vector<std::string> unread = {};
  std::vector<bool> dates = {};
  std::vector<Remark> remarks = {};
  std::optional<bool> has_header = {};

  std::size_t columns() const { return names.size(); }
  bool is_text(std::size_t column) const {
    return column < labels.size() && !labels[column].empty();
  }
  bool is_date(std::size_t column) const { return column < dates.size() && dates[column]; }
  // Throws bad_data with the closest name when no column has this name.
  std::size_t index_of(std::string_view name) const;
};
KNOTWORK_API Schema schema_of(const Table& table);

// Numbers in memory of the source, each `stride` numbers after the previous one.
template <class T>
struct StridedView {
  const T* data = nullptr;
  std::size_t size = 0;
  std::size_t stride = 1;

  T operator[](std::size_t k) const { return data[k * stride]; }
};
using ColumnView = std::variant<StridedView<float>, StridedView<double>>;

// After construction, all member functions may be called from several threads at once.
class KNOTWORK_API RowSource {
 public:
  RowSource() = default;
  virtual ~RowSource();
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  // Schema and rows stay the same as long as the source exists.
  virtual const Schema& schema() const = 0;
  virtual std::size_t rows() const = 0;
  // Fills cells[k] with the cells of columns[k] from `first_row` on. All cells[k] have the same
  // length, and the source has these rows. A cell is a number, or in a text column the index of its
  // text among the labels. A missing cell is NaN; no cell is infinite.
  virtual void read(std::span<const std::size_t> columns, std::size_t first_row,
                    std::span<const std::span<double>> cells) const = 0;

  // The column in memory, valid as long as the source exists; empty if the column is not in memory
  // as it is. Training does not copy such a column if it can use it in place.
  virtual std::optional<ColumnView> in_memory(std::size_t column) const;
  // The place of a row, for messages. By default its number, counted from 0.
  virtual Where place_of(std::size_t row) const;
  // A SHA-256 that differs if the cells of these columns differ, so that a checkpoint is resumed on
  // the same rows only. By default the SHA-256 of the cells. Asks the monitor, if it is not null,
  // whether to stop.
  virtual std::string fingerprint(std::span<const std::size_t> columns, Monitor* monitor) const;
  // Whether fingerprint() does not read the rows. Processes that train together then compare the
  // fingerprints.
  virtual bool knows_fingerprint() const;
};

// The rows of a table. Throws bad_data if Table::check() does.
KNOTWORK_API std::shared_ptr<const RowSource> rows_of(std::shared_ptr<const Table> table);
KNOTWORK_API std::shared_ptr<const RowSource> rows_of(Table table);

}  // namespace knotwork
