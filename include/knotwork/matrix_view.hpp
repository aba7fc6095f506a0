// SPDX-License-Identifier: MIT
// A MatrixView is a matrix in memory that the caller owns.
//
// Element (r, c) is data[r * row_stride + c * column_stride]. Rows are samples, columns are
// features or targets. The view owns nothing and copies nothing; the memory must outlive it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <variant>

#include <knotwork/error.hpp>

namespace knotwork {

template <class T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t row_stride = 0;
  std::size_t column_stride = 0;

  T& operator()(std::size_t row, std::size_t column) const {
    return data[row * row_stride + column * column_stride];
  }
  // True if the samples of one column are adjacent in memory, as the block walk needs them.
  bool columns_contiguous() const { return row_stride == 1 || rows <= 1; }
  T* column(std::size_t c) const { return data + c * column_stride; }

  // Every view of mutable elements converts to a view of constant elements.
  operator MatrixView<const T>() const  // NOLINT(google-explicit-constructor)
    requires(!std::is_const_v<T>)
  {
    return {data, rows, columns, row_stride, column_stride};
  }
};

// A matrix of either precision.
using AnyMatrixView = std::variant<MatrixView<const float>, MatrixView<const double>>;

namespace detail {
inline void check_view_size(std::size_t size, std::size_t rows, std::size_t columns) {
  // Not size != rows * columns, which may overflow.
  if (columns == 0 ? size != 0 : size % columns != 0 || size / columns != rows) {
    throw Error(ErrorKind::bad_data,
                "A matrix of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                    " columns needs " + std::to_string(rows) + " x " + std::to_string(columns) +
                    " numbers, but the given memory holds " + std::to_string(size) + ".");
  }
}
}  // namespace detail

// Row after row, as C and NumPy lay a matrix out.
template <class T>
MatrixView<T> row_major(std::span<T> values, std::size_t rows, std::size_t columns) {
  detail::check_view_size(values.size(), rows, columns);
  return {values.data(), rows, columns, columns, 1};
}

// Column after column, as Fortran, Eigen and data frames do.
template <class T>
MatrixView<T> column_major(std::span<T> values, std::size_t rows, std::size_t columns) {
  detail::check_view_size(values.size(), rows, columns);
  return {values.data(), rows, columns, 1, rows};
}

}  // namespace knotwork
