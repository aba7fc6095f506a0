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

namespace knotwork {

class ColumnSpill {
 public:
  // The scratch file stands in the folder of `beside`. At most `bytes` and one window of cells are
  // kept in memory.
  ColumnSpill(std::filesystem::path beside, std::size_t columns, std::size_t bytes = kBytes);

  std::size_t rows() const { return rows_; }
  // Equally many cells for every column.
  void append(std::span<const std::vector<double>> columns);
  // All cells of a column in their order, in pieces.
  void read(std::size_t column, const std::function<void(std::span<const double>)>& take) const;

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 25;

  struct Window {
    std::uint64_t offset;  // of the first column; the others follow
    std::size_t rows;
  };
  void spill();

  std::filesystem::path beside_;
  std::size_t bytes_;
  std::vector<std::vector<double>> recent_;
  std::vector<Window> windows_;
  std::optional<ScratchFile> scratch_;
  std::size_t rows_ = 0;
};

}  // namespace knotwork
