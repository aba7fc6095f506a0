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

// Adds moments, the sum of several copies, times B to the gradient of the control points.
template <class T>
void spline_collect(const Matrix4& basis, const T* moments, std::size_t copies,
                    std::span<T> gradient) {
  const std::size_t spans = gradient.size() - 3;
  T b[4][4];
  for (std::size_t p = 0; p < 4; ++p) {
    for (std::size_t k = 0; k < 4; ++k) b[p][k] = static_cast<T>(basis[p][k]);
  }
  for (std::size_t i = 0; i < spans; ++i) {
    T m[4] = {};
    for (std::size_t copy = 0; copy < copies; ++copy) {
      for (std::size_t p = 0; p < 4; ++p) m[p] += moments[4 * (copy * spans + i) + p];
    }
    for (std::size_t k = 0; k < 4; ++k) {
      gradient[i + k] += b[0][k] * m[0] + b[1][k] * m[1] + b[2][k] * m[2] + b[3][k] * m[3];
    }
  }
}

}  // namespace knotwork
