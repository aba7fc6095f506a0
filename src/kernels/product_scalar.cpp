// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/aligned.hpp"
#include "kernels/product.hpp"

namespace knotwork {
namespace {

// Sums of one row are kept in kLanes interleaved parts that are joined pairwise at the end: the
// order is fixed, and the compiler may keep the parts in vector registers.
template <class T>
T join(T* lanes) {
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t l = 0; l < width; ++l) lanes[l] += lanes[l + width];
  }
  return lanes[0];
}

template <class T>
T dot(const T* a, const T* b, std::size_t n) {
  T lanes[kLanes] = {};
  for (std::size_t k = 0; k < n; k += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += a[k + l] * b[k + l];
  }
  return join(lanes);
}

template <class T>
T sum(const T* a, std::size_t n) {
  T lanes[kLanes] = {};
  for (std::size_t k = 0; k < n; k += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += a[k + l];
  }
  return join(lanes);
}

template <class T>
void add_scaled(T factor, const T* __restrict x, T* __restrict y, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) y[k] += factor * x[k];
}

template <class T>
void forward(const T* weights, const T* bias, Block<const T> x, Block<T> s, std::size_t inputs,
             std::size_t outputs, std::size_t n) {
  for (std::size_t o = 0; o < outputs; ++o) {
    std::fill_n(s.row(o), n, bias[o]);
    for (std::size_t i = 0; i < inputs; ++i) {
      add_scaled(weights[o * inputs + i], x.row(i), s.row(o), n);
    }
  }
}

template <class T>
void multiply(T* y, const T* x, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) y[k] *= x[k];
}

template <class T>
void backward_inputs(const T* transposed, Block<const T> g, Block<const T> factor, Block<T> gx,
                     std::size_t inputs, std::size_t outputs, std::size_t n) {
  for (std::size_t i = 0; i < inputs; ++i) {
    std::fill_n(gx.row(i), n, T{0});
    for (std::size_t o = 0; o < outputs; ++o) {
      add_scaled(transposed[i * outputs + o], g.row(o), gx.row(i), n);
    }
    if (factor.data) multiply(gx.row(i), factor.row(i), n);
  }
}

template <class T>
void backward_weights(Block<const T> g, Block<const T> x, T* d_weights, T* d_bias,
                      std::size_t inputs, std::size_t outputs, std::size_t n) {
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) {
      d_weights[o * inputs + i] += dot(g.row(o), x.row(i), n);
    }
    d_bias[o] += sum(g.row(o), n);
  }
}

}  // namespace

template <class T>
const ProductKernels<T>& scalar_product_kernels() {
  static constexpr ProductKernels<T> kernels = {forward<T>, backward_inputs<T>, backward_weights<T>,
                                                multiply<T>};
  return kernels;
}
template const ProductKernels<float>& scalar_product_kernels();
template const ProductKernels<double>& scalar_product_kernels();

}  // namespace knotwork
