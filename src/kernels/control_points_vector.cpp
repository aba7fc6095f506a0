// SPDX-License-Identifier: MIT
// Converts between control points and numbers of spans, for every instruction set of Highway.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/control_points_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>

#include "kernels/control_points.hpp"
#include "kernels/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace knotwork {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors: the plain version.
template <class Number>
const ControlPointKernels<Number>& kernels() {
  return scalar_control_point_kernels<Number>();
}
#else
namespace hn = hwy::HWY_NAMESPACE;

template <class Number>
void coefficients(const std::array<std::array<double, 4>, 4>& basis, const Number* q,
                  std::size_t spans, Number* coefficients) {
  const hn::CappedTag<double, 4> d;
  constexpr std::size_t kWidth = hn::MaxLanes(hn::CappedTag<double, 4>());
  const hn::Rebind<Number, decltype(d)> to;
  double columns[4][4];
  for (std::size_t p = 0; p < 4; ++p) {
    for (std::size_t k = 0; k < 4; ++k) columns[k][p] = basis[p][k];
  }
  const auto point = [&](std::size_t i) { return hn::Set(d, static_cast<double>(q[i])); };
  for (std::size_t p = 0; p < 4; p += kWidth) {
    const auto b0 = hn::LoadU(d, columns[0] + p), b1 = hn::LoadU(d, columns[1] + p);
    const auto b2 = hn::LoadU(d, columns[2] + p), b3 = hn::LoadU(d, columns[3] + p);
    auto q0 = point(0), q1 = point(1), q2 = point(2);
    for (std::size_t i = 0; i < spans; ++i) {
      const auto q3 = point(i + 3);
      const auto low = hn::MulAdd(b1, q1, hn::Mul(b0, q0));
      const auto sum = hn::Add(low, hn::MulAdd(b3, q3, hn::Mul(b2, q2)));
      if constexpr (sizeof(Number) == 4) {
        hn::StoreU(hn::DemoteTo(to, sum), to, coefficients + 4 * i + p);
      } else {
        hn::StoreU(sum, to, coefficients + 4 * i + p);
      }
      q0 = q1;
      q1 = q2;
      q2 = q3;
    }
  }
}

// A span's four moments become four numbers for the control points i .. i+3. Their sums stay in a
// register that advances by one control point at a time.
void collect_fours(const std::array<std::array<float, 4>, 4>& basis, const float* sums,
                   std::size_t spans, float* gradient) {
  const hn::Simd<float, 4, 0> d;
  const std::size_t copies = moment_copies(spans);
  const auto b0 = hn::LoadU(d, basis[0].data()), b1 = hn::LoadU(d, basis[1].data());
  const auto b2 = hn::LoadU(d, basis[2].data()), b3 = hn::LoadU(d, basis[3].data());
  auto window = hn::Zero(d);
  for (std::size_t i = 0; i < spans; ++i) {
    auto m = hn::LoadU(d, sums + 4 * i);
    for (std::size_t c = 1; c < copies; ++c) {
      m = hn::Add(m, hn::LoadU(d, sums + 4 * (c * spans + i)));
    }
    const auto low = hn::MulAdd(hn::Broadcast<1>(m), b1, hn::Mul(hn::Broadcast<0>(m), b0));
    const auto high = hn::MulAdd(hn::Broadcast<3>(m), b3, hn::Mul(hn::Broadcast<2>(m), b2));
    window = hn::Add(window, hn::Add(low, high));
    gradient[i] += hn::GetLane(window);
    window = hn::ShiftRightLanes<1>(d, window);
  }
  float rest[4];
  hn::StoreU(window, d, rest);
  for (std::size_t k = 0; k < 3; ++k) gradient[spans + k] += rest[k];
}

template <class Number>
void collect(const std::array<std::array<Number, 4>, 4>& basis, const Number* sums,
             std::size_t spans, Number* gradient) {
  if constexpr (sizeof(Number) == 4) {
    collect_fours(basis, sums, spans, gradient);
  } else {
    scalar_control_point_kernels<Number>().collect(basis, sums, spans, gradient);
  }
}

template <class Number>
const ControlPointKernels<Number>& kernels() {
  static constexpr ControlPointKernels<Number> all = {coefficients<Number>, collect<Number>};
  return all;
}
#endif

KNOTWORK_KERNELS_OF_SET(ControlPointKernels, control_point)

}  // namespace HWY_NAMESPACE
}  // namespace knotwork
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace knotwork {

KNOTWORK_KERNELS_BY_SET(ControlPointKernels, control_point)

}  // namespace knotwork
#endif  // HWY_ONCE
