// SPDX-License-Identifier: MIT
// Between control points and what the kernels look up.
#pragma once

#include <span>

#include <knotwork/spline.hpp>

namespace knotwork {

// Span coefficients (c3, c2, c1, c0) = B [q_i .. q_{i+3}]; 4 (Q - 3) of them.
template <class T>
void span_coefficients(const Matrix4& basis, std::span<const T> q, T* coefficients) {
  for (std::size_t i = 0; i + 3 < q.size(); ++i) {
    for (std::size_t p = 0; p < 4; ++p) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += basis[p][k] * static_cast<double>(q[i + k]);
      coefficients[4 * i + p] = static_cast<T>(sum);
    }
  }
}

// Adds moments times B to the gradient of the control points.
template <class T>
void spline_collect(const Matrix4& basis, const T* moments, std::span<T> gradient) {
  for (std::size_t i = 0; i + 3 < gradient.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      T sum = 0;
      for (std::size_t p = 0; p < 4; ++p) sum += static_cast<T>(basis[p][k]) * moments[4 * i + p];
      gradient[i + k] += sum;
    }
  }
}

}  // namespace knotwork
