// SPDX-License-Identifier: MIT
#include "kernels/scale.hpp"

namespace knotwork {
namespace {

template <class T>
void apply(double offset, double scale, T* x, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    x[k] = static_cast<T>((static_cast<double>(x[k]) - offset) * scale);
  }
}

}  // namespace

template <class T>
const ScaleKernels<T>& scalar_scale_kernels() {
  static constexpr ScaleKernels<T> kernels = {apply<T>};
  return kernels;
}
template const ScaleKernels<float>& scalar_scale_kernels();
template const ScaleKernels<double>& scalar_scale_kernels();

}  // namespace knotwork
