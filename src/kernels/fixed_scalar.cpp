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
#define KNOTWORK_CASE(formula, Struct, ...) \
  case Formula::formula:                    \
    return apply<formulas::Struct>(s, value, slope, n);
    KNOTWORK_FORMULAS(KNOTWORK_CASE)
#undef KNOTWORK_CASE
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
