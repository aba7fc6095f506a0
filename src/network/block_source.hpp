// SPDX-License-Identifier: MIT
// These functions load rows of a table into a block.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/aligned.hpp"
#include "kernels/product.hpp"

#include <knotwork/matrix_view.hpp>

namespace knotwork {

// Copies n rows, row_of(0) .. row_of(n-1), into neuron-major storage and pads with the last one.
template <class T, class RowOf>
void gather(MatrixView<const T> view, std::size_t n, const RowOf& row_of, Block<T> to) {
  for (std::size_t c = 0; c < view.columns; ++c) {
    T* out = to.row(c);
    const T* column = view.column(c);
    for (std::size_t k = 0; k < n; ++k) out[k] = column[row_of(k) * view.row_stride];
    std::fill(out + n, out + padded(n), out[n - 1]);
  }
}

// Copies n adjacent rows, from `first` on. If the samples of a column are contiguous, the processor
// cannot predict where the next column begins, so the code prefetches it.
template <class T>
void copy_rows(MatrixView<const T> view, std::size_t first, std::size_t n, Block<T> to) {
  if (!view.columns_contiguous()) {
    return gather(
        view, n, [first](std::size_t k) { return first + k; }, to);
  }
  constexpr std::size_t kLine = 64 / sizeof(T);
  for (std::size_t c = 0; c < view.columns; ++c) {
    if (c + 1 < view.columns) {
      const T* const next = view.column(c + 1) + first;
      for (std::size_t k = 0; k < n; k += kLine) __builtin_prefetch(next + k);
    }
    T* const out = to.row(c);
    std::copy_n(view.column(c) + first, n, out);
    std::fill(out + n, out + padded(n), out[n - 1]);
  }
}

// Columns at distances of a multiple of a page share a few cache sets and evict each other.
template <class T>
bool columns_collide(MatrixView<const T> view) {
  constexpr std::size_t kPage = 4096, kFewColumns = 8;
  return view.columns > kFewColumns && view.column_stride * sizeof(T) % kPage == 0;
}

// Rows first .. first+n-1 as a block: the caller's memory where its layout allows (contiguous
// columns, no padding needed), otherwise a copy in `storage`.
template <class T>
Block<const T> block_at(MatrixView<const T> view, std::size_t first, std::size_t n,
                        Block<T> storage) {
  if (view.columns_contiguous() && n == padded(n) && !columns_collide(view)) {
    return {view.data + first, view.column_stride};
  }
  copy_rows(view, first, n, storage);
  return storage;
}

}  // namespace knotwork
