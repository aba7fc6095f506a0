// SPDX-License-Identifier: MIT
#include "training/samples.hpp"

namespace knotwork {

std::vector<double> column_values(const AnyMatrixView& view, std::size_t column,
                                  std::span<const std::size_t> rows) {
  std::vector<double> values(rows.size());
  std::visit(
      [&](const auto& typed) {
        for (std::size_t k = 0; k < rows.size(); ++k) {
          values[k] = static_cast<double>(typed(rows[k], column));
        }
      },
      view);
  return values;
}

}  // namespace knotwork
