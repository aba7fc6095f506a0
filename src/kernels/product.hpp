// SPDX-License-Identifier: MIT
// The products of a dense layer over a block of samples, neuron-major: row j of a block holds the
// samples of neuron j side by side, `stride` apart from the next neuron's.
//
// n is a whole number of kLanes, not 0. Each sample's result depends on that sample alone and is
// summed over inputs in ascending order, so it does not matter where in a block a row stands.
#pragma once

#include <cstddef>
#include <type_traits>

namespace knotwork {

template <class T>
struct Block {
  T* data = nullptr;
  std::size_t stride = 0;
  T* row(std::size_t j) const { return data + j * stride; }
  operator Block<const T>() const  // NOLINT(google-explicit-constructor)
    requires(!std::is_const_v<T>)
  {
    return {data, stride};
  }
};

template <class T>
struct ProductKernels {
  // s[o] = bias[o] + sum_i weights[o][i] * x[i]
  void (*forward)(const T* weights, const T* bias, Block<const T> x, Block<T> s, std::size_t inputs,
                  std::size_t outputs, std::size_t n);
  // gx[i] = sum_o transposed[i][o] * g[o], times factor[i] unless factor.data is null
  void (*backward_inputs)(const T* transposed, Block<const T> g, Block<const T> factor, Block<T> gx,
                          std::size_t inputs, std::size_t outputs, std::size_t n);
  // d_weights[o][i] += sum over samples of g[o] * x[i];  d_bias[o] += sum over samples of g[o]
  void (*backward_weights)(Block<const T> g, Block<const T> x, T* d_weights, T* d_bias,
                           std::size_t inputs, std::size_t outputs, std::size_t n);
  // y[k] *= x[k]
  void (*multiply)(T* y, const T* x, std::size_t n);
};

// For the instruction set in use, and the plain C++ that all others are checked against.
template <class T>
const ProductKernels<T>& product_kernels();
template <class T>
const ProductKernels<T>& scalar_product_kernels();

}  // namespace knotwork
