// SPDX-License-Identifier: MIT
#include <cmath>

#include "kernels/spline.hpp"

namespace knotwork {
namespace {

template <class T>
struct Place {
  const std::size_t span;
  const T u;
  const T outside;  // in steps; 0 within the drawn range, NaN for NaN
};

template <class T>
Place<T> locate(const SplineCurve<T>& curve, T s) {
  const T t = (s - curve.origin) * curve.inverse_step;
  const T last = static_cast<T>(curve.spans);
  // Written so that NaN fails both comparisons and lands on 0, inside the table.
  const T clamped = t > 0 ? (t < last ? t : last) : 0;
  const auto floor = static_cast<std::size_t>(clamped);
  const std::size_t span = floor < curve.spans ? floor : curve.spans - 1;
  return {span, clamped - static_cast<T>(span), t - clamped};
}

template <class T>
void forward(const SplineCurve<T>& curve, const T* s, T* value, T* slope, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    const auto [span, u, outside] = locate(curve, s[k]);
    const T* c = curve.coefficients + 4 * span;
    T y = ((c[0] * u + c[1]) * u + c[2]) * u + c[3];
    T dy = (3 * c[0] * u + 2 * c[1]) * u + c[2];
    if (std::isnan(outside)) {
      y = dy = outside;
    } else if (outside != 0) {
      if (!curve.linear_tails) {
        dy = 0;
      } else if (dy != 0) {  // a flat tail stays flat out to infinity, where 0 * inf is NaN
        y += dy * outside;
      }
    }
    value[k] = y;
    if (slope) slope[k] = dy * curve.inverse_step;
  }
}

template <class T>
void backward(const SplineCurve<T>& curve, const T* s, const T* slope, T* gradient, T* sums,
              std::size_t n) {
  const std::size_t copies = moment_copies(curve.spans);
  for (std::size_t k = 0; k < n; ++k) {
    const auto [span, u, outside] = locate(curve, s[k]);
    const T o = curve.linear_tails ? outside : 0;
    const T g = gradient[k];
    T* m = sums + 4 * (k % copies * curve.spans + span);
    m[0] += g * ((u + 3 * o) * u * u);
    m[1] += g * ((u + 2 * o) * u);
    m[2] += g * (u + o);
    m[3] += g;
    gradient[k] = g * slope[k];
  }
}

template <class T>
void collect(const std::array<std::array<T, 4>, 4>& basis, const T* sums, std::size_t spans,
             T* gradient) {
  for (std::size_t i = 0; i < spans; ++i) {
    for (std::size_t p = 0; p < 4; ++p) {
      T moment = 0;
      for (std::size_t copy = 0; copy < moment_copies(spans); ++copy) {
        moment += sums[4 * (copy * spans + i) + p];
      }
      for (std::size_t k = 0; k < 4; ++k) gradient[i + k] += basis[p][k] * moment;
    }
  }
}

}  // namespace

template <class T>
const SplineKernels<T>& scalar_spline_kernels() {
  static constexpr SplineKernels<T> kernels = {forward<T>, backward<T>, collect<T>};
  return kernels;
}
template const SplineKernels<float>& scalar_spline_kernels();
template const SplineKernels<double>& scalar_spline_kernels();

}  // namespace knotwork
