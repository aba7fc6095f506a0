// SPDX-License-Identifier: MIT
// These kernels convert between a curve's control points and the numbers of the spline kernels:
// from control points to the coefficients of every span, once for each pass, and from the moments
// of every span to the gradient of the control points.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/spline.hpp"

namespace knotwork {

template <class T>
struct ControlPointKernels {
  // Span coefficients (c3, c2, c1, c0) = B [q_i .. q_{i+3}], computed in double.
  void (*coefficients)(const std::array<std::array<double, 4>, 4>& basis, const T* q,
                       std::size_t spans, T* coefficients);

  // Multiplies the moments of all copies by the basis matrix and adds them to the gradient of the
  // control points.
  void (*collect)(const std::array<std::array<T, 4>, 4>& basis, const T* moments, std::size_t spans,
                  T* gradient);
};

// The kernels of the instruction set in use, and the plain C++ kernels that tests compare them
// with.
template <class T>
const ControlPointKernels<T>& control_point_kernels();
template <class T>
const ControlPointKernels<T>& scalar_control_point_kernels();

}  // namespace knotwork
