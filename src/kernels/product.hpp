// SPDX-License-Identifier: MIT
// These kernels compute the products of a dense layer over a block of samples. Blocks are
// neuron-major: row j contains the adjacent samples of neuron j and begins `stride` after row j -
// 1.
//
// n is a multiple of kLanes and not 0. Each sample's result depends on that sample alone and is
// summed over inputs in ascending order, so the position of a row in a block does not matter.
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

// The kernels of the instruction set in use, and the plain C++ kernels that tests compare them
// with.
template <class T>
const ProductKernels<T>& product_kernels();
template <class T>
const ProductKernels<T>& scalar_product_kernels();

}  // namespace knotwork
