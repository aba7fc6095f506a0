// SPDX-License-Identifier: MIT
// Columns that grow row by row and are read one after the other, in memory as long as they are
// small and in a scratch file beyond that.
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
  // The scratch file stands in the folder of `beside`. Some megabytes and what is appended at once
  // are kept in memory.
  ColumnBuffer(std::filesystem::path beside, std::size_t columns);

  std::size_t rows() const { return rows_; }
  // Equally many cells for every column.
  void append(std::span<const std::vector<double>> columns);
  // All cells of a column in their order, in pieces.
  void read(std::size_t column, const std::function<void(std::span<const double>)>& take) const;

 private:
  // In memory: of each column so much that finding it again takes the disk little of the time that
  // reading it does, and not more than stays in a cache if the columns are few.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 25;
  static constexpr std::size_t kColumnBytes = std::size_t{1} << 18;
  // What is read at once, so that whoever takes it finds it in a cache.
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
