// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "base/fail.hpp"
#include "table/stored/npy_header.hpp"
#include "table/stored/stored_table.hpp"

namespace knotwork::table {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kNpyPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kFirstBytes = 12;  // magic, version and length

}  // namespace

NpyFile::NpyFile(const std::filesystem::path& path) : file_(path) {
  std::string& source = description_.source = path.string();
  std::vector<std::uint8_t> start(std::min<std::uint64_t>(kFirstBytes, file_.size()));
  file_.read(0, start);
  start.resize(npy_extent(start, file_.size(), source));
  file_.read(0, start);
  const NpyHeader header = read_npy_header(start, file_.size(), source);
  rows_ = header.shape[0];
  data_begin_ = header.data_begin;
  type_ = header.type;
  const std::size_t columns = header.shape.size() == 2 ? header.shape[1] : 1;
  // A single column has the same bytes in both orders, and this one is faster.
  fortran_order_ = header.fortran_order || columns == 1;
  for (std::size_t c = 0; c < columns; ++c) {
    description_.names.push_back(fmt::format("x{}", c + 1));
  }
}

// In C order, reads whole rows and picks the requested columns.
template <class Item, class Number>
void NpyFile::read_items(std::span<const std::size_t> columns, std::size_t first_row,
                         std::size_t rows, std::span<Number* const> cells) const {
  const std::size_t width = fortran_order_ ? 1 : description_.names.size();
  const std::size_t most = std::max<std::size_t>(1, kNpyPieceBytes / sizeof(Item) / width);
  std::vector<Item> items(std::min(most, rows) * width);
  const auto read_at = [&](std::uint64_t item, std::size_t count) {
    file_.read(data_begin_ + item * sizeof(Item),
               {reinterpret_cast<std::uint8_t*>(items.data()), count * sizeof(Item)});
  };
  for (std::size_t done = 0; done < rows; done += most) {
    const std::size_t now = std::min(most, rows - done);
    const std::size_t row = first_row + done;
    if (!fortran_order_) read_at(std::uint64_t{row} * width, now * width);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (fortran_order_) read_at(std::uint64_t{columns[k]} * rows_ + row, now);
      const Item* const from = items.data() + (fortran_order_ ? 0 : columns[k]);
      Number* const to = cells[k] + done;
      for (std::size_t r = 0; r < now; ++r) to[r] = static_cast<Number>(from[r * width]);
      if constexpr (std::is_floating_point_v<Item>) {
        check_finite<Number>(columns[k], row, {to, now});
      } else if constexpr (sizeof(Item) == 8) {
        for (std::size_t r = 0; r < now; ++r) check_exact(from[r * width], columns[k], row + r);
      }
    }
  }
}

// A rounded number could be another one, as that of another customer.
template <class Item>
void NpyFile::check_exact(Item item, std::size_t column, std::size_t row) const {
  constexpr Item kMost = Item{1} << 53;
  const bool is_exact = item <= kMost && (std::is_unsigned_v<Item> || item >= Item{0} - kMost);
  if (is_exact) return;
  fail(ErrorKind::bad_data, description_.place(row, column),
       Hint{.purpose = "if the column is not needed",
            .settings = {{"drop", description_.names[column]}}},
       "{} cannot be stored exactly as a number of 64 bits; integers may go up to 2^53.", item);
}

template <class Number>
void NpyFile::read_cells(std::span<const std::size_t> columns, std::size_t first_row,
                         std::size_t rows, std::span<Number* const> cells) const {
  const auto as = [&](auto item) { read_items<decltype(item)>(columns, first_row, rows, cells); };
  switch (type_) {
    case NpyType::f64:
      return as(double{});
    case NpyType::f32:
      return as(float{});
    case NpyType::i64:
      return as(std::int64_t{});
    case NpyType::i32:
      return as(std::int32_t{});
    case NpyType::i16:
      return as(std::int16_t{});
    case NpyType::i8:
      return as(std::int8_t{});
    case NpyType::u64:
      return as(std::uint64_t{});
    case NpyType::u32:
      return as(std::uint32_t{});
    case NpyType::u16:
      return as(std::uint16_t{});
    case NpyType::u8:
    case NpyType::boolean:
      return as(std::uint8_t{});
  }
}

void NpyFile::read(std::size_t column, std::size_t first_row, std::span<double> cells) const {
  double* const place = cells.data();
  read_cells<double>({&column, 1}, first_row, cells.size(), {&place, 1});
}

void NpyFile::read(std::size_t column, std::size_t first_row, std::span<float> cells) const {
  float* const place = cells.data();
  read_cells<float>({&column, 1}, first_row, cells.size(), {&place, 1});
}

void NpyFile::read(std::span<const std::size_t> columns, std::size_t first_row,
                   std::span<const std::span<double>> cells) const {
  std::vector<double*> places;
  for (const std::span<double> column : cells) places.push_back(column.data());
  if (!cells.empty()) read_cells<double>(columns, first_row, cells.front().size(), places);
}

// In C order all columns are read at once.
void NpyFile::read_whole(std::span<const std::size_t> columns,
                         std::vector<std::vector<double>>& cells,
                         parallel::WatchedWork& work) const {
  read(columns, 0, room_for(columns.size(), rows(), cells));
  work.advance(static_cast<double>(columns.size()));
}

}  // namespace knotwork::table
