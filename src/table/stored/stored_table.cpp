// SPDX-License-Identifier: MIT
#include "table/stored/stored_table.hpp"
#include "table/column_choice.hpp"
#include "table/table_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/fail.hpp"
#include "files/input_file.hpp"
#include "files/safetensors_header.hpp"
#include "files/watched_calls.hpp"
#include "table/csv/cell_value.hpp"
#include "table/stored/npy_header.hpp"

namespace knotwork {

using namespace table;

template <class Number>
void StoredTable::Storage::check_finite(std::size_t column, std::size_t first_row,
                                        std::span<const Number> cells) const {
  // First without a branch, so that the loop is fast; then searches only if there is an infinite
  // cell.
  bool infinite = false;
  for (const Number cell : cells) infinite |= std::isinf(cell);
  if (!infinite) return;
  const auto found =
      std::find_if(cells.begin(), cells.end(), [](Number cell) { return std::isinf(cell); });
  fail(ErrorKind::bad_data,
       description_.place(first_row + static_cast<std::size_t>(found - cells.begin()), column),
       "the number is infinite; correct it, or make it NaN, which means a missing cell.");
}
template void StoredTable::Storage::check_finite(std::size_t, std::size_t,
                                                 std::span<const double>) const;
template void StoredTable::Storage::check_finite(std::size_t, std::size_t,
                                                 std::span<const float>) const;

void StoredTable::Storage::read(std::span<const std::size_t> columns, std::size_t first_row,
                                std::span<const std::span<double>> cells) const {
  for (std::size_t k = 0; k < columns.size(); ++k) read(columns[k], first_row, cells[k]);
}

std::vector<std::span<double>> table::room_for(std::size_t columns, std::size_t rows,
                                               std::vector<std::vector<double>>& cells) {
  cells.resize(columns);
  std::vector<std::span<double>> places;
  for (std::vector<double>& column : cells) {
    column.resize(rows);
    places.emplace_back(column);
  }
  return places;
}

std::string StoredTable::Storage::sha256(std::span<const std::size_t> columns) const {
  return table::cells_sha256(columns.size(), rows(),
                             [&](std::size_t first_row, std::span<const std::span<double>> cells) {
                               read(columns, first_row, cells);
                             });
}

namespace {

// Chosen columns of a table in a file.
class StoredRows final : public RowSource {
 public:
  StoredRows(StoredTable table, const CsvOptions& options)
      : table_(std::move(table)), schema_(schema_of(table_.describe(options, columns_))) {}

  const Schema& schema() const override { return schema_; }
  std::size_t rows() const override { return table_.rows(); }
  void read(std::span<const std::size_t> columns, std::size_t first_row,
            std::span<const std::span<double>> cells) const override {
    table_.read(in_file(columns), first_row, cells);
  }
  std::string fingerprint(std::span<const std::size_t> columns, Monitor* monitor) const override {
    return table_.cells_sha256(in_file(columns), monitor);
  }
  bool knows_fingerprint() const override { return table_.knows_its_sha256(); }

 private:
  std::vector<std::size_t> in_file(std::span<const std::size_t> columns) const {
    std::vector<std::size_t> places;
    for (const std::size_t column : columns) places.push_back(columns_[column]);
    return places;
  }

  StoredTable table_;
  std::vector<std::size_t> columns_;  // indices in the file
  Schema schema_;
};

}  // namespace

bool is_stored_table(std::string_view start) {
  return start.starts_with(kNpyMagic) || files::starts_like_safetensors(start);
}

bool is_stored_table_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  files::InputFile file(path);
  if (!file.is_open()) return false;
  std::array<char, 16> start;
  const auto got = file.read(start);
  return is_stored_table({got.data(), got.size()});
}

StoredTable::StoredTable(const std::filesystem::path& path) {
  std::array<std::uint8_t, kNpyMagic.size()> start{};
  {
    const files::PlacedFile file(path);
    file.read(0, std::span(start).first(std::min<std::uint64_t>(start.size(), file.size())));
  }
  const bool is_npy = std::equal(start.begin(), start.end(), kNpyMagic.begin(),
                                 [](std::uint8_t a, char b) { return static_cast<char>(a) == b; });
  if (is_npy) {
    storage_ = std::make_shared<NpyFile>(path);
  } else {
    storage_ = std::make_shared<TableFile>(path);
  }
}

const Table& StoredTable::description() const {
  return storage_->description();
}

std::size_t StoredTable::rows() const {
  return storage_->rows();
}

bool StoredTable::is_float(std::size_t column) const {
  return storage_->is_float(column);
}

namespace {

void check_place(const StoredTable& table, std::size_t column, std::size_t first_row,
                 std::size_t rows) {
  if (column < table.columns() && first_row <= table.rows() && rows <= table.rows() - first_row) {
    return;
  }
  fail(ErrorKind::bad_option, in_file(table.description().source),
       "has {} columns and {} rows, but columns or rows beyond these were requested.",
       table.columns(), table.rows());
}

void check_declared(const Table& table, const std::vector<std::string>& names, bool text) {
  for (const std::string& name : names) {
    const std::size_t column = table.index_of(name);
    if (table.is_text(column) == text) continue;
    Hint hint;
    if (text) {
      hint = {.purpose = "when the table is written", .settings = {{"categorical", name}}};
    }
    fail(ErrorKind::bad_data, table.place(column), std::move(hint),
         "the column contains {}, but {} are requested.", text ? "numbers" : "texts",
         text ? "texts" : "numbers");
  }
}

// A file holds what its columns are; only a text can be read as dates.
void check_dates(const Table& table, const std::vector<DateColumn>& dates) {
  for (const DateColumn& asked : dates) {
    const std::size_t column = table.index_of(asked.column);
    if (table.is_date(column)) continue;
    fail(ErrorKind::bad_data, table.place(column),
         Hint{.purpose = "when the table is written", .settings = {{"date", asked.column}}},
         "the column contains {}, but dates are requested.",
         table.is_text(column) ? "texts" : "numbers");
  }
}

// The requested columns, without rows.
Table described(const Table& file, const CsvOptions& options, std::vector<std::size_t>& chosen) {
  check_declared(file, options.categorical, true);
  check_declared(file, options.numeric, false);
  check_dates(file, options.dates);
  ColumnChoice choice = choose_columns(file.source, file.names, options.only);
  Table table = empty_table(schema_of_chosen(schema_of(file), choice));
  chosen = std::move(choice.chosen);
  return table;
}

}  // namespace

void StoredTable::read(std::size_t column, std::size_t first_row, std::span<double> cells) const {
  check_place(*this, column, first_row, cells.size());
  storage_->read(column, first_row, cells);
}

void StoredTable::read(std::size_t column, std::size_t first_row, std::span<float> cells) const {
  check_place(*this, column, first_row, cells.size());
  storage_->read(column, first_row, cells);
}

void StoredTable::read(std::span<const std::size_t> columns, std::size_t first_row,
                       std::span<const std::span<double>> cells) const {
  const std::size_t rows = cells.empty() ? 0 : cells.front().size();
  for (const std::size_t column : columns) check_place(*this, column, first_row, rows);
  for (const std::span<double> column : cells) {
    if (column.size() == rows && columns.size() == cells.size()) continue;
    fail(ErrorKind::bad_option,
         "{} columns of {} were requested, but the memory for their cells has another shape.",
         columns.size(), description().source);
  }
  storage_->read(columns, first_row, cells);
}

void StoredTable::read(std::span<const std::size_t> columns, std::size_t first_row,
                       std::size_t rows, std::vector<std::vector<double>>& cells) const {
  read(columns, first_row, room_for(columns.size(), rows, cells));
}

std::shared_ptr<const RowSource> rows_of(StoredTable table, const CsvOptions& columns) {
  return std::make_shared<StoredRows>(std::move(table), columns);
}

std::string StoredTable::cells_sha256(std::span<const std::size_t> columns,
                                      Monitor* monitor) const {
  for (const std::size_t column : columns) check_place(*this, column, 0, 0);
  const files::WatchedFiles watched(monitor);
  return storage_->sha256(columns);
}

bool StoredTable::knows_its_sha256() const {
  return storage_->knows_its_sha256();
}

void StoredTable::check_column(std::size_t column, Monitor* monitor) const {
  check_place(*this, column, 0, 0);
  const files::WatchedFiles watched(monitor);
  storage_->check_column(column);
}

Table StoredTable::describe(const CsvOptions& options, std::vector<std::size_t>& columns) const {
  return described(description(), options, columns);
}

Table StoredTable::load(const CsvOptions& options, Monitor* monitor) const {
  const files::WatchedFiles watched(monitor);
  std::vector<std::size_t> chosen;
  Table table = described(description(), options, chosen);
  parallel::WatchedWork work(monitor, Phase::reading, static_cast<double>(chosen.size()));
  storage_->read_whole(chosen, table.columns, work);
  return table;
}

void StoredTable::for_each_window(const CsvOptions& options,
                                  const std::function<void(const Table& window)>& take) const {
  const TableReader windows(rows_of(*this, options));
  windows.for_each(0, rows(), [&](const Table& window, std::size_t) { take(window); });
}

void StoredTable::check_columns(Monitor* monitor) const {
  const files::WatchedFiles watched(monitor);
  parallel::WatchedWork work(monitor, Phase::reading, static_cast<double>(columns()));
  for (std::size_t c = 0; c < columns(); ++c) {
    storage_->check_column(c);
    work.advance();
  }
}

}  // namespace knotwork
