// SPDX-License-Identifier: MIT
// The fixed activations over a row of samples.
#pragma once

#include <cstddef>

namespace knotwork {

enum class Formula {
  identity,
  tanh,
  sigmoid,
  relu,
  leaky_relu,
  elu,
  softplus,
  silu,
  gelu,
  gaussian,
};

template <class T>
struct FixedKernels {
  // Values and, unless slope is null, derivatives. n may be any number and rows may lie at any
  // address; a sample's result depends on that sample alone.
  void (*forward)(Formula formula, const T* s, T* value, T* slope, std::size_t n);
};

// For the instruction set in use, and the plain C++ that all others are checked against.
template <class T>
const FixedKernels<T>& fixed_kernels();
template <class T>
const FixedKernels<T>& scalar_fixed_kernels();

}  // namespace knotwork
