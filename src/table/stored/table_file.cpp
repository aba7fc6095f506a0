// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <unordered_map>

#include "base/fail.hpp"
#include "files/safetensors_header.hpp"
#include "table/csv/cell_value.hpp"
#include "table/stored/stored_table.hpp"
#include "table/stored/table_file_record.hpp"

namespace knotwork::table {
namespace {

// Columns are copied between file and memory without conversion.
static_assert(std::endian::native == std::endian::little);

constexpr files::FileRole kTableFile{ErrorKind::bad_data, "table file"};
constexpr std::size_t kPieceBytes = std::size_t{1} << 18;  // stays in the cache

template <class Item>
std::span<std::uint8_t> bytes_of(std::span<Item> items) {
  return {reinterpret_cast<std::uint8_t*>(items.data()), items.size_bytes()};
}

}  // namespace

TableFile::TableFile(const std::filesystem::path& path) : file_(path) {
  description_.source = path.string();
  read_header();
}

void TableFile::read_header() {
  const std::string& source = description_.source;
  std::vector<std::uint8_t> start(std::min<std::uint64_t>(files::kHeaderLengthBytes, file_.size()));
  file_.read(0, start);
  start.resize(files::header_extent(start, file_.size(), source, kTableFile));
  file_.read(0, start);
  const files::SafetensorsHeader header =
      files::read_safetensors_header(start, file_.size(), source, kTableFile);
  const TableRecord record = parse_table_record(header.record, source);
  rows_ = record.rows;
  description_.cells = record.cells;
  const bool has_texts = std::any_of(record.columns.begin(), record.columns.end(),
                                     [](const auto& column) { return !column.categories.empty(); });
  const bool has_dates = std::any_of(record.columns.begin(), record.columns.end(),
                                     [](const auto& column) { return column.is_date; });
  for (const TableRecord::Column& column : record.columns) {
    description_.names.push_back(column.name);
    if (has_dates) description_.dates.push_back(column.is_date);
    if (has_texts) description_.labels.push_back(column.categories);
  }
  place_columns(header, record);
}

void TableFile::place_columns(const files::SafetensorsHeader& header, const TableRecord& record) {
  const auto refuse = [&](const std::string& what) {
    fail(ErrorKind::bad_data, in_file(description_.source), "is not a complete table file: {}.",
         what);
  };
  std::unordered_map<std::string_view, const files::TensorPlace*> places;
  for (const files::TensorPlace& tensor : header.tensors) places.emplace(tensor.name, &tensor);
  for (const TableRecord::Column& column : record.columns) {
    const auto found = places.find(column.name);
    const std::string name = csv::shown(column.name);
    if (found == places.end()) {
      refuse(fmt::format("column '{}' has no tensor, or appears twice", name));
    }
    const files::TensorPlace& place = *found->second;
    if (place.shape != std::vector<std::size_t>{record.rows}) {
      refuse(fmt::format("column '{}' does not have {} rows", name, record.rows));
    }
    constexpr std::pair<std::string_view, Type> kTypes[] = {{"F64", Type::f64},
                                                            {"F32", Type::f32},
                                                            {"U32", Type::u32},
                                                            {"U16", Type::u16},
                                                            {"U8", Type::u8}};
    const auto* const type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                          [&](const auto& t) { return t.first == place.type; });
    const bool is_number = type->second == Type::f64 || type->second == Type::f32;
    if (is_number != column.categories.empty()) {
      refuse(fmt::format("column '{}' has a tensor of another type than its record says", name));
    }
    columns_.push_back({header.data_begin + place.begin, type->second, column.sha256});
    places.erase(found);
  }
  if (!places.empty()) {
    refuse(
        fmt::format("its record does not mention tensor '{}'", csv::shown(places.begin()->first)));
  }
}

bool TableFile::is_float(std::size_t column) const {
  return columns_[column].type == Type::f32;
}

template <class Item, class Number>
void TableFile::decode(std::size_t column, std::size_t row, std::span<const Item> items,
                       Number* cells) const {
  if constexpr (std::is_floating_point_v<Item>) {
    std::transform(items.begin(), items.end(), cells,
                   [](Item item) { return static_cast<Number>(item); });
    check_finite<Item>(column, row, items);
  } else {
    const std::size_t texts = description_.labels[column].size();
    bool known = true;
    for (std::size_t k = 0; k < items.size(); ++k) {
      known &= items[k] <= texts;
      cells[k] = items[k] == texts ? std::numeric_limits<Number>::quiet_NaN()
                                   : static_cast<Number>(items[k]);
    }
    if (known) return;
    const auto wrong =
        std::find_if(items.begin(), items.end(), [&](Item item) { return item > texts; });
    fail(ErrorKind::bad_data,
         description_.place(row + static_cast<std::size_t>(wrong - items.begin()), column),
         "the file is damaged: the code of the cell is not one of the column's {} texts.", texts);
  }
}

template <class Item, class Number>
void TableFile::read_items(std::size_t column, std::size_t first_row, std::span<Number> cells,
                           Sha256* hash) const {
  std::uint64_t offset = columns_[column].offset + std::uint64_t{first_row} * sizeof(Item);
  const std::size_t most = kPieceBytes / sizeof(Item);
  std::vector<Item> piece;
  if constexpr (!std::is_same_v<Item, Number>) piece.resize(std::min(most, cells.size()));
  while (!cells.empty()) {
    const std::span<Number> now = cells.first(std::min(most, cells.size()));
    std::span<Item> items;
    if constexpr (std::is_same_v<Item, Number>) {
      items = now;
    } else {
      items = std::span(piece).first(now.size());
    }
    file_.read(offset, bytes_of(items));
    if (hash) hash->update(bytes_of(items));
    if constexpr (std::is_same_v<Item, Number>) {
      check_finite<Item>(column, first_row, std::span<const Item>(items));
    } else {
      decode<Item>(column, first_row, std::span<const Item>(items), now.data());
    }
    offset += items.size_bytes();
    first_row += now.size();
    cells = cells.subspan(now.size());
  }
}

template <class Number>
void TableFile::read_cells(std::size_t column, std::size_t first_row, std::span<Number> cells,
                           Sha256* hash) const {
  switch (columns_[column].type) {
    case Type::f64:
      return read_items<double>(column, first_row, cells, hash);
    case Type::f32:
      return read_items<float>(column, first_row, cells, hash);
    case Type::u32:
      return read_items<std::uint32_t>(column, first_row, cells, hash);
    case Type::u16:
      return read_items<std::uint16_t>(column, first_row, cells, hash);
    case Type::u8:
      return read_items<std::uint8_t>(column, first_row, cells, hash);
  }
}

void TableFile::read(std::size_t column, std::size_t first_row, std::span<double> cells) const {
  read_cells(column, first_row, cells, nullptr);
}

void TableFile::read(std::size_t column, std::size_t first_row, std::span<float> cells) const {
  read_cells(column, first_row, cells, nullptr);
}

void TableFile::compare_hash(std::size_t column, Sha256& hash) const {
  if (hash.hex_digest() == columns_[column].sha256) return;
  fail(ErrorKind::bad_data, in_file(description_.source),
       "has been changed or damaged: column '{}' does not match its sha256.",
       csv::shown(description_.names[column]));
}

void TableFile::read_whole(std::span<const std::size_t> columns,
                           std::vector<std::vector<double>>& cells,
                           parallel::WatchedWork& work) const {
  cells.resize(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    Sha256 hash;
    cells[k].resize(rows_);
    read_cells(columns[k], 0, std::span(cells[k]), &hash);
    compare_hash(columns[k], hash);
    work.advance();
  }
}

std::string TableFile::sha256(std::span<const std::size_t> columns) const {
  Sha256 sha;
  for (const std::size_t column : columns) {
    const std::string& own = columns_[column].sha256;
    sha.update({reinterpret_cast<const std::uint8_t*>(own.data()), own.size()});
  }
  return sha.hex_digest();
}

void TableFile::check_column(std::size_t column) const {
  Sha256 hash;
  std::vector<double> piece(kPieceBytes / sizeof(double));
  for (std::size_t row = 0; row < rows_; row += piece.size()) {
    read_cells(column, row, std::span(piece).first(std::min(piece.size(), rows_ - row)), &hash);
  }
  compare_hash(column, hash);
}

}  // namespace knotwork::table
