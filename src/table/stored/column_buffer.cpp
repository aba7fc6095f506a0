// SPDX-License-Identifier: MIT
#include "table/stored/column_buffer.hpp"

#include <algorithm>
#include <utility>

namespace knotwork::table {

ColumnBuffer::ColumnBuffer(std::filesystem::path beside, std::size_t columns)
    : beside_(std::move(beside)),
      bytes_(std::min(kMostBytes, columns * kColumnBytes)),
      recent_(columns) {}

void ColumnBuffer::append(std::span<const std::vector<double>> columns) {
  const std::size_t rows = columns.front().size();
  rows_ += rows;
  const auto is_much = [&](std::size_t count) {
    return recent_.size() * count * sizeof(double) > bytes_;
  };
  if (is_much(rows) && recent_.front().empty()) return spill(columns);
  // Columns that grow by doubling would copy their cells and touch twice as many pages.
  const std::size_t most = bytes_ / (recent_.size() * sizeof(double)) + rows + 1;
  const bool first = rows_ == rows;
  for (std::size_t c = 0; c < recent_.size(); ++c) {
    if (!first && recent_[c].capacity() < most) recent_[c].reserve(most);
    recent_[c].insert(recent_[c].end(), columns[c].begin(), columns[c].end());
  }
  if (!is_much(recent_.front().size())) return;
  spill(recent_);
  for (std::vector<double>& column : recent_) column.clear();
}

void ColumnBuffer::spill(std::span<const std::vector<double>> columns) {
  if (!scratch_) scratch_.emplace(beside_);
  windows_.push_back({scratch_->size(), columns.front().size()});
  for (const std::vector<double>& column : columns) {
    const auto bytes = std::as_bytes(std::span<const double>(column));
    scratch_->append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
}

void ColumnBuffer::read(std::size_t column,
                        const std::function<void(std::span<const double>)>& take) const {
  std::vector<double> cells(kPieceRows);
  for (const Window& window : windows_) {
    const std::uint64_t begin = window.offset + column * window.rows * sizeof(double);
    for (std::size_t row = 0; row < window.rows; row += kPieceRows) {
      const auto piece = std::span(cells).first(std::min(kPieceRows, window.rows - row));
      scratch_->read(begin + row * sizeof(double),
                     {reinterpret_cast<std::uint8_t*>(piece.data()), piece.size_bytes()});
      take(piece);
    }
  }
  const std::span<const double> recent(recent_[column]);
  for (std::size_t row = 0; row < recent.size(); row += kPieceRows) {
    take(recent.subspan(row, std::min(kPieceRows, recent.size() - row)));
  }
}

}  // namespace knotwork::table
