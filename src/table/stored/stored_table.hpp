// SPDX-License-Identifier: MIT
// StoredTable::Storage is the interface of the files that a StoredTable reads.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <knotwork/stored_table.hpp>

#include "base/sha256.hpp"
#include "files/file_io.hpp"
#include "parallel/watched_work.hpp"
#include "table/stored/npy_header.hpp"

namespace knotwork::files {
struct SafetensorsHeader;
}  // namespace knotwork::files

namespace knotwork {

class StoredTable::Storage {
 public:
  virtual ~Storage() = default;

  const Table& description() const { return description_; }
  std::size_t rows() const { return rows_; }

  virtual bool is_float(std::size_t column) const = 0;
  // The caller checks that the column and the rows exist.
  virtual void read(std::size_t column, std::size_t first_row, std::span<double> cells) const = 0;
  virtual void read(std::size_t column, std::size_t first_row, std::span<float> cells) const = 0;
  virtual void read(std::span<const std::size_t> columns, std::size_t first_row,
                    std::span<const std::span<double>> cells) const;
  // Reads whole columns, and throws if they are damaged. `work` has one step for each column.
  virtual void read_whole(std::span<const std::size_t> columns,
                          std::vector<std::vector<double>>& cells,
                          parallel::WatchedWork& work) const = 0;
  virtual void check_column(std::size_t) const {}
  // By default the SHA-256 of the cells as doubles, read in windows.
  virtual std::string sha256(std::span<const std::size_t> columns) const;
  virtual bool knows_its_sha256() const { return false; }

 protected:
  // Throws bad_data when a cell is infinite.
  template <class Number>
  void check_finite(std::size_t column, std::size_t first_row, std::span<const Number> cells) const;

  Table description_;
  std::size_t rows_ = 0;
};

}  // namespace knotwork

namespace knotwork::table {

// Resizes `cells` to this many columns and rows, and returns a view of each column.
std::vector<std::span<double>> room_for(std::size_t columns, std::size_t rows,
                                        std::vector<std::vector<double>>& cells);

// A table file, as TableWriter writes it.
class TableFile : public StoredTable::Storage {
 public:
  explicit TableFile(const std::filesystem::path& path);
  bool is_float(std::size_t column) const override;
  void read(std::size_t column, std::size_t first_row, std::span<double> cells) const override;
  void read(std::size_t column, std::size_t first_row, std::span<float> cells) const override;
  void read_whole(std::span<const std::size_t> columns, std::vector<std::vector<double>>& cells,
                  parallel::WatchedWork& work) const override;
  void check_column(std::size_t column) const override;
  std::string sha256(std::span<const std::size_t> columns) const override;
  bool knows_its_sha256() const override { return true; }

 private:
  enum class Type { f64, f32, u32, u16, u8 };
  struct Column {
    std::uint64_t offset;  // in the file
    Type type;
    std::string sha256;
  };
  void read_header();
  void place_columns(const files::SafetensorsHeader& header, const struct TableRecord& record);
  template <class Item, class Number>
  void read_items(std::size_t column, std::size_t first_row, std::span<Number> cells,
                  Sha256* hash) const;
  template <class Number>
  void read_cells(std::size_t column, std::size_t first_row, std::span<Number> cells,
                  Sha256* hash) const;
  template <class Item, class Number>
  void decode(std::size_t column, std::size_t row, std::span<const Item> items,
              Number* cells) const;
  void compare_hash(std::size_t column, Sha256& hash) const;

  files::PlacedFile file_;
  std::vector<Column> columns_;
};

// NumPy's .npy.
class NpyFile : public StoredTable::Storage {
 public:
  explicit NpyFile(const std::filesystem::path& path);
  bool is_float(std::size_t) const override { return type_ == NpyType::f32; }
  void read(std::size_t column, std::size_t first_row, std::span<double> cells) const override;
  void read(std::size_t column, std::size_t first_row, std::span<float> cells) const override;
  void read(std::span<const std::size_t> columns, std::size_t first_row,
            std::span<const std::span<double>> cells) const override;
  void read_whole(std::span<const std::size_t> columns, std::vector<std::vector<double>>& cells,
                  parallel::WatchedWork& work) const override;

 private:
  template <class Item, class Number>
  void read_items(std::span<const std::size_t> columns, std::size_t first_row, std::size_t rows,
                  std::span<Number* const> cells) const;
  template <class Number>
  void read_cells(std::span<const std::size_t> columns, std::size_t first_row, std::size_t rows,
                  std::span<Number* const> cells) const;
  template <class Item>
  void check_exact(Item item, std::size_t column, std::size_t row) const;

  files::PlacedFile file_;
  std::size_t data_begin_ = 0;
  NpyType type_ = NpyType::f64;
  bool fortran_order_ = false;
};

}  // namespace knotwork::table
