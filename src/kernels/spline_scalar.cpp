// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/spline.hpp"

namespace knotwork {
namespace {

template <class T>
using Offset = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
struct Place {
  std::size_t span;
  T within;  // position in the span: u + o; NaN for NaN
  T u() const { return within > 0 ? (within < 1 ? within : T{1}) : T{0}; }
  T outside() const { return within - u(); }
};

template <class T>
Place<T> locate(const SplineCurve<T>& curve, T s) {
  const T t = (s - curve.origin) * curve.inverse_step;
  const T last = static_cast<T>(curve.spans - 1);
  // Written so that NaN fails both comparisons and becomes 0, which is inside the table.
  const auto span = static_cast<std::size_t>(t > 0 ? (t < last ? t : last) : 0);
  return {span, t - static_cast<T>(span)};
}

template <class T>
void evaluate(const SplineCurve<T>& curve, const Place<T>& place, T& value, T& slope) {
  const T u = place.u(), outside = place.outside();
  const T* c = curve.coefficients + 4 * place.span;
  T y = ((c[0] * u + c[1]) * u + c[2]) * u + c[3];
  T dy = (3 * c[0] * u + 2 * c[1]) * u + c[2];
  if (std::isnan(outside)) {
    y = dy = outside;
  } else if (outside != 0) {
    if (!curve.linear_tails) {
      dy = 0;
    } else if (dy != 0) {  // a flat tail stays flat even at infinity, where 0 * inf is NaN
      y += dy * outside;
    }
  }
  value = y;
  slope = dy * curve.inverse_step;
}

template <class T>
void forward(const SplineCurve<T>& curve, const T* s, T* value, T* slope, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    T own;
    evaluate(curve, locate(curve, s[k]), value[k], slope ? slope[k] : own);
  }
}

template <class T>
void forward_noted(const SplineCurve<T>& curve, T* s, T* value, T* slope, T* notes, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    const Place<T> place = locate(curve, s[k]);
    evaluate(curve, place, value[k], slope[k]);
    s[k] = place.within;
    notes[k] = std::bit_cast<T>(static_cast<Offset<T>>(4 * place.span));
  }
}

template <class T>
void backward(const SplineCurve<T>& curve, const T* places, const T* notes, const T* slope,
              T* gradient, T* sums, std::size_t n) {
  const std::size_t copies = moment_copies(curve.spans);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t offset = std::bit_cast<Offset<T>>(notes[k]);
    const Place<T> place{offset / 4, places[k]};
    const T u = place.u(), o = curve.linear_tails ? place.outside() : 0;
    const T g = gradient[k];
    T* m = sums + 4 * (k % copies * curve.spans) + offset;
    m[0] += g * ((u + 3 * o) * u * u);
    m[1] += g * ((u + 2 * o) * u);
    m[2] += g * (u + o);
    m[3] += g;
    gradient[k] = g * slope[k];
  }
}

}  // namespace

template <class T>
const SplineKernels<T>& scalar_spline_kernels() {
  static constexpr SplineKernels<T> kernels = {forward<T>, forward_noted<T>, backward<T>};
  return kernels;
}
template const SplineKernels<float>& scalar_spline_kernels();
template const SplineKernels<double>& scalar_spline_kernels();

}  // namespace knotwork
