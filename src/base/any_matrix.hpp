// SPDX-License-Identifier: MIT
// These functions give the shape and elements of a matrix of either precision.
#pragma once

#include <cstddef>
#include <variant>

#include <knotwork/matrix_view.hpp>

namespace knotwork {

inline std::size_t rows_of(const AnyMatrixView& view) {
  return std::visit([](const auto& typed) { return typed.rows; }, view);
}
inline std::size_t columns_of(const AnyMatrixView& view) {
  return std::visit([](const auto& typed) { return typed.columns; }, view);
}
inline double element(const AnyMatrixView& view, std::size_t row, std::size_t column) {
  return std::visit([&](const auto& typed) { return static_cast<double>(typed(row, column)); },
                    view);
}

}  // namespace knotwork
