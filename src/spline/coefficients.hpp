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

// The matrix in the precision of the arithmetic.
template <class T>
std::array<std::array<T, 4>, 4> rounded_basis(const Matrix4& basis) {
  std::array<std::array<T, 4>, 4> rounded;
  for (std::size_t p = 0; p < 4; ++p) {
    for (std::size_t k = 0; k < 4; ++k) rounded[p][k] = static_cast<T>(basis[p][k]);
  }
  return rounded;
}

}  // namespace knotwork
