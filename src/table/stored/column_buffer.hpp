// SPDX-License-Identifier: MIT
// A ColumnBuffer has columns that grow row by row and are read one after the other. It keeps them
// in memory while they are small, and otherwise in a scratch file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "files/file_io.hpp"

namespace knotwork::table {

class ColumnBuffer {
 public:
  // The scratch file is in the folder of `beside`. A few megabytes and the cells of one append()
  // are kept in memory.
  ColumnBuffer(std::filesystem::path beside, std::size_t columns);

  std::size_t rows() const { return rows_; }
  // Appends the same number of cells to every column.
  void append(std::span<const std::vector<double>> columns);
  // Passes all cells of a column in order, in pieces.
  void read(std::size_t column, const std::function<void(std::span<const double>)>& take) const;

 private:
  // Size of the memory: large enough that seeking each column's part takes little time compared to
  // reading it, and small enough to fit into a cache if the columns are few.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 25;
  static constexpr std::size_t kColumnBytes = std::size_t{1} << 18;
  // Rows of one piece, small enough that the receiver finds it in a cache.
  static constexpr std::size_t kPieceRows = std::size_t{1} << 14;

  struct Window {
    std::uint64_t offset;  // of the first column; the others follow
    std::size_t rows;
  };
  void spill(std::span<const std::vector<double>> columns);

  std::filesystem::path beside_;
  std::size_t bytes_;
  std::vector<std::vector<double>> recent_;
  std::vector<Window> windows_;
  std::optional<files::ScratchFile> scratch_;
  std::size_t rows_ = 0;
};

}  // namespace knotwork::table
