// SPDX-License-Identifier: MIT
#include "data/column_spill.hpp"

#include <algorithm>
#include <utility>

namespace knotwork {

ColumnSpill::ColumnSpill(std::filesystem::path beside, std::size_t columns, std::size_t bytes)
    : beside_(std::move(beside)), bytes_(bytes), recent_(columns) {}

void ColumnSpill::append(std::span<const std::vector<double>> columns) {
  for (std::size_t c = 0; c < recent_.size(); ++c) {
    recent_[c].insert(recent_[c].end(), columns[c].begin(), columns[c].end());
  }
  rows_ += columns.front().size();
  if (recent_.size() * recent_.front().size() * sizeof(double) > bytes_) spill();
}

void ColumnSpill::spill() {
  if (!scratch_) scratch_.emplace(beside_);
  windows_.push_back({scratch_->size(), recent_.front().size()});
  for (std::vector<double>& column : recent_) {
    const auto bytes = std::as_bytes(std::span<const double>(column));
    scratch_->append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    column.clear();
  }
}

void ColumnSpill::read(std::size_t column,
                       const std::function<void(std::span<const double>)>& take) const {
  std::vector<double> cells;
  for (const Window& window : windows_) {
    cells.resize(window.rows);
    const std::size_t bytes = window.rows * sizeof(double);
    scratch_->read(window.offset + column * bytes,
                   {reinterpret_cast<std::uint8_t*>(cells.data()), bytes});
    take(cells);
  }
  if (!recent_[column].empty()) take(recent_[column]);
}

}  // namespace knotwork
