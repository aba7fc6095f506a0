// SPDX-License-Identifier: MIT
// This kernel scales a row of numbers linearly, in place, and always computes in double. Every
// instruction set gives the same bits, so it does not matter where a number is scaled.
#pragma once

#include <cstddef>

namespace knotwork {

template <class T>
struct ScaleKernels {
  void (*apply)(double offset, double scale, T* x, std::size_t n);  // (x - offset) * scale
};

// The kernel of the instruction set in use, and the plain C++ kernel that tests compare it with.
template <class T>
const ScaleKernels<T>& scale_kernels();
template <class T>
const ScaleKernels<T>& scalar_scale_kernels();

}  // namespace knotwork
