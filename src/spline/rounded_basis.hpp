// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <knotwork/spline.hpp>

namespace knotwork {

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
