// SPDX-License-Identifier: MIT
// These functions evaluate polynomials over a piece of a row, for activations made of powers.
//
// Powers of a large sample would overflow, and one outlier would make the whole network overflow.
// Beyond +-bound such an activation therefore continues along its tangent:
//     phi(s) = phi(c) + phi'(c) (s - c)        with c = s clamped to [-bound, bound].
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "activation/learned.hpp"

namespace knotwork {

// Activations made of powers are fitted to their initial function on [-range, range], and are
// straight beyond twice that range.
constexpr double kBoundInRanges = 2;

// Throws bad_option if the powers of the bound would be too large to add up, even in double.
void check_powers(std::string_view activation, double range, std::size_t degree);

// The polynomial of the given degree for which polynomial / divisor is closest to the function on
// [-range, range], in least squares: a_0, a_1, ..
std::vector<double> fit_polynomial(const std::function<double(double)>& function,
                                   const std::function<double(double)>& divisor, double range,
                                   std::size_t degree);

// c and s - c for each sample of a piece.
template <class T>
struct Places {
  Places(const T* s, T bound, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
      inside[k] = bounded(s[k], bound);
      beyond[k] = s[k] - inside[k];
    }
  }
  T inside[kSamplesAtOnce], beyond[kSamplesAtOnce];
};

// Values and derivatives of a_0 + a_1 x + .. for a piece.
template <class T>
struct Horner {
  Horner(const T* a, std::size_t degree, const T* x, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) value[k] = slope[k] = 0;
    for (std::size_t i = degree + 1; i-- > 0;) {
      for (std::size_t k = 0; k < n; ++k) {
        slope[k] = slope[k] * x[k] + value[k];
        value[k] = value[k] * x[k] + a[i];
      }
    }
  }
  T value[kSamplesAtOnce], slope[kSamplesAtOnce];
};

// The change along a tangent; a slope of 0 gives 0, even over an infinite distance.
template <class T>
T along(T slope, T beyond) {
  return slope == 0 ? T{0} : slope * beyond;
}

// sums[i] += sum over samples of  weight x^i + tangent i x^(i - 1)  for i = 0 .. degree: the
// derivative of phi with respect to a_i is x^i, and that of phi' is i x^(i - 1).
template <class T>
void add_power_sums(const T* x, const T* weight, const T* tangent, std::size_t degree, T* sums,
                    std::size_t n) {
  T power[kSamplesAtOnce], before[kSamplesAtOnce];
  for (std::size_t k = 0; k < n; ++k) {
    power[k] = 1;
    before[k] = 0;
  }
  for (std::size_t i = 0; i <= degree; ++i) {
    const T exponent = static_cast<T>(i);
    sums[i] += sum_over<T>(
        n, [&](std::size_t k) { return weight[k] * power[k] + tangent[k] * exponent * before[k]; });
    for (std::size_t k = 0; k < n; ++k) {
      before[k] = power[k];
      power[k] *= x[k];
    }
  }
}

}  // namespace knotwork
