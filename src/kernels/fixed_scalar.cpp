// SPDX-License-Identifier: MIT
#include "kernels/fixed.hpp"
#include "kernels/formulas.hpp"

namespace knotwork {
namespace {

template <class F, class T>
void apply(const T* s, T* value, T* slope, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) value[k] = F::value(s[k]);
  if (!slope) return;
  for (std::size_t k = 0; k < n; ++k) slope[k] = F::slope(s[k], value[k]);
}

template <class T>
void forward(Formula formula, const T* s, T* value, T* slope, std::size_t n) {
  switch (formula) {
    case Formula::identity:
      return apply<formulas::Identity>(s, value, slope, n);
    case Formula::tanh:
      return apply<formulas::Tanh>(s, value, slope, n);
    case Formula::sigmoid:
      return apply<formulas::Sigmoid>(s, value, slope, n);
    case Formula::relu:
      return apply<formulas::Relu>(s, value, slope, n);
    case Formula::leaky_relu:
      return apply<formulas::LeakyRelu>(s, value, slope, n);
    case Formula::elu:
      return apply<formulas::Elu>(s, value, slope, n);
    case Formula::softplus:
      return apply<formulas::Softplus>(s, value, slope, n);
    case Formula::silu:
      return apply<formulas::Silu>(s, value, slope, n);
    case Formula::gelu:
      return apply<formulas::Gelu>(s, value, slope, n);
    case Formula::gaussian:
      return apply<formulas::Gaussian>(s, value, slope, n);
  }
}

}  // namespace

template <class T>
const FixedKernels<T>& scalar_fixed_kernels() {
  static constexpr FixedKernels<T> kernels = {forward<T>};
  return kernels;
}
template const FixedKernels<float>& scalar_fixed_kernels();
template const FixedKernels<double>& scalar_fixed_kernels();

}  // namespace knotwork
