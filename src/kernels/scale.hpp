// SPDX-License-Identifier: MIT
// Linear scaling of a row of numbers, in double whatever they are. Every instruction set computes
// the same bits, so it does not matter where a number is scaled. Works in place.
#pragma once

#include <cstddef>

namespace knotwork {

template <class T>
struct ScaleKernels {
  void (*apply)(double offset, double scale, T* x, std::size_t n);  // (x - offset) * scale
};

// For the instruction set in use, and the plain C++ that all others are checked against.
template <class T>
const ScaleKernels<T>& scale_kernels();
template <class T>
const ScaleKernels<T>& scalar_scale_kernels();

}  // namespace knotwork
