// SPDX-License-Identifier: MIT
#include "table/stored/stored_table.hpp"
#include "table/table_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/fail.hpp"
#include "files/input_file.hpp"
#include "files/safetensors_header.hpp"
#include "table/csv/cell_value.hpp"
#include "table/stored/npy_header.hpp"

namespace knotwork {

using namespace table;

template <class Number>
void StoredTable::Storage::check_finite(std::size_t column, std::size_t first_row,
                                        std::span<const Number> cells) const {
  // Without a branch, so that the loop is quick; where it is known that there is one, it is sought.
  bool infinite = false;
  for (const Number cell : cells) infinite |= std::isinf(cell);
  if (!infinite) return;
  const auto found =
      std::find_if(cells.begin(), cells.end(), [](Number cell) { return std::isinf(cell); });
  fail(ErrorKind::bad_data,
       "{}: the number is infinite; correct it, or make it NaN, which means a missing cell.",
       description_.where(first_row + static_cast<std::size_t>(found - cells.begin()), column));
}
template void StoredTable::Storage::check_finite(std::size_t, std::size_t,
                                                 std::span<const double>) const;
template void StoredTable::Storage::check_finite(std::size_t, std::size_t,
                                                 std::span<const float>) const;

void StoredTable::Storage::read(std::span<const std::size_t> columns, std::size_t first_row,
                                std::size_t rows, std::vector<std::vector<double>>& cells) const {
  cells.resize(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    cells[k].resize(rows);
    read(columns[k], first_row, std::span(cells[k]));
  }
}

void StoredTable::Storage::read_whole(std::span<const std::size_t> columns,
                                      std::vector<std::vector<double>>& cells) const {
  read(columns, 0, rows(), cells);
}

std::string StoredTable::Storage::sha256(std::span<const std::size_t> columns) const {
  constexpr std::size_t kWindowRows = 4096;  // part of what a checkpoint is told by
  Sha256 sha;
  std::vector<std::vector<double>> cells;
  for (std::size_t row = 0; row < rows(); row += kWindowRows) {
    read(columns, row, std::min(kWindowRows, rows() - row), cells);
    for (const std::vector<double>& column : cells) {
      sha.update(
          {reinterpret_cast<const std::uint8_t*>(column.data()), column.size() * sizeof(double)});
    }
  }
  return sha.hex_digest();
}

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
  fail(ErrorKind::bad_option, "{} has {} columns and {} rows, but others were asked for.",
       table.description().source, table.columns(), table.rows());
}

void check_declared(const Table& table, const std::vector<std::string>& names, bool text) {
  for (const std::string& name : names) {
    const std::size_t column = table.index_of(name);
    if (table.is_text(column) == text) continue;
    fail(ErrorKind::bad_data, "Column '{}' of {} has {}, but {} are asked for{}.", csv::shown(name),
         table.source, text ? "numbers" : "texts", text ? "texts" : "numbers",
         text ? fmt::format("; make the table with {}", csv::shown_option("--categorical", name))
              : std::string());
  }
}

// `is_chosen` becomes true for those of the file that are.
std::vector<std::size_t> chosen_columns(const Table& file, const CsvOptions& options,
                                        std::vector<bool>& is_chosen) {
  is_chosen.assign(file.names.size(), !options.only);
  std::vector<std::size_t> chosen;
  if (!options.only) {
    chosen.resize(file.names.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  if (options.only->empty()) {
    fail(ErrorKind::bad_option,
         "No column of {} is asked for; name at least one of them, or none to read all.",
         file.source);
  }
  for (const std::string& name : *options.only) {
    const std::size_t column = file.index_of(name);
    if (is_chosen[column]) {
      fail(ErrorKind::bad_option, "Column '{}' of {} is asked for twice; name it once.",
           csv::shown(name), file.source);
    }
    is_chosen[column] = true;
    chosen.push_back(column);
  }
  return chosen;
}

// The columns that the options ask for, without rows.
Table described(const Table& file, const CsvOptions& options, std::vector<std::size_t>& chosen) {
  check_declared(file, options.categorical, true);
  check_declared(file, options.numeric, false);
  std::vector<bool> is_chosen;
  chosen = chosen_columns(file, options, is_chosen);
  Table table{.source = file.source, .names = {}, .columns = {}, .cells = file.cells};
  for (const std::size_t column : chosen) {
    table.names.push_back(file.names[column]);
    if (!file.labels.empty()) table.labels.push_back(file.labels[column]);
    if (options.only) table.positions.push_back(column + 1);
  }
  for (std::size_t c = 0; c < file.names.size(); ++c) {
    if (!is_chosen[c]) table.unread.push_back(file.names[c]);
  }
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
                       std::size_t rows, std::vector<std::vector<double>>& cells) const {
  for (const std::size_t column : columns) check_place(*this, column, first_row, rows);
  storage_->read(columns, first_row, rows, cells);
}

std::string StoredTable::cells_sha256(std::span<const std::size_t> columns) const {
  for (const std::size_t column : columns) check_place(*this, column, 0, 0);
  return storage_->sha256(columns);
}

bool StoredTable::knows_its_sha256() const {
  return storage_->knows_its_sha256();
}

void StoredTable::check_column(std::size_t column) const {
  check_place(*this, column, 0, 0);
  storage_->check_column(column);
}

Table StoredTable::describe(const CsvOptions& options, std::vector<std::size_t>& columns) const {
  return described(description(), options, columns);
}

Table StoredTable::load(const CsvOptions& options) const {
  std::vector<std::size_t> chosen;
  Table table = described(description(), options, chosen);
  storage_->read_whole(chosen, table.columns);
  return table;
}

void StoredTable::for_each_window(const CsvOptions& options,
                                  const std::function<void(const Table& window)>& take) const {
  const TableReader windows(*this, options);
  windows.for_each(0, rows(), [&](const Table& window, std::size_t) { take(window); });
}

void StoredTable::check_columns() const {
  for (std::size_t c = 0; c < columns(); ++c) storage_->check_column(c);
}

}  // namespace knotwork
