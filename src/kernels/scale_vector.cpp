// SPDX-License-Identifier: MIT
// Linear scaling for every instruction set of Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scale_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/dispatch.hpp"
#include "kernels/scale.hpp"

HWY_BEFORE_NAMESPACE();
namespace knotwork {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors: the plain version.
template <class Number>
const ScaleKernels<Number>& kernels() {
  return scalar_scale_kernels<Number>();
}
#else
namespace hn = hwy::HWY_NAMESPACE;

template <class Number>
void apply(double offset, double scale, Number* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  constexpr std::size_t kWidth = hn::MaxLanes(hn::ScalableTag<double>());
  const hn::Rebind<Number, decltype(d)> narrow;
  const auto minus = hn::Set(d, offset), times = hn::Set(d, scale);
  std::size_t k = 0;
  for (; k + kWidth <= n; k += kWidth) {
    if constexpr (sizeof(Number) == 4) {
      const auto wide = hn::PromoteTo(d, hn::LoadU(narrow, x + k));
      const auto scaled = hn::Mul(hn::Sub(wide, minus), times);
      hn::StoreU(hn::DemoteTo(narrow, scaled), narrow, x + k);
    } else {
      hn::StoreU(hn::Mul(hn::Sub(hn::LoadU(d, x + k), minus), times), d, x + k);
    }
  }
  scalar_scale_kernels<Number>().apply(offset, scale, x + k, n - k);
}

template <class Number>
const ScaleKernels<Number>& kernels() {
  static constexpr ScaleKernels<Number> all = {apply<Number>};
  return all;
}
#endif

KNOTWORK_KERNELS_OF_SET(ScaleKernels, scale)

}  // namespace HWY_NAMESPACE
}  // namespace knotwork
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace knotwork {

KNOTWORK_KERNELS_BY_SET(ScaleKernels, scale)

}  // namespace knotwork
#endif  // HWY_ONCE
