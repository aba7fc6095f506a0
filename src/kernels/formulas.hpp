// SPDX-License-Identifier: MIT
// This header states the formula of each fixed nonlinearity once, for activations and for initial
// functions of learned curves: value(s) and slope(s, y) with y = value(s), stable for every finite
// s and correct at +-infinity.
#pragma once

#include <cmath>
#include <numbers>

namespace knotwork::formulas {

struct Identity {
  template <class T>
  static T value(T s) {
    return s;
  }
  template <class T>
  static T slope(T s, T) {
    return std::isnan(s) ? s : T{1};
  }
};

struct Tanh {
  template <class T>
  static T value(T s) {
    return std::tanh(s);
  }
  template <class T>
  static T slope(T, T y) {
    return (1 - y) * (1 + y);
  }
};

struct Sigmoid {
  template <class T>
  static T value(T s) {
    // exp of negative numbers only, so that nothing overflows.
    const T e = std::exp(-std::fabs(s));
    return (s < 0 ? e : T{1}) / (1 + e);
  }
  template <class T>
  static T slope(T s, T) {
    const T e = std::exp(-std::fabs(s));
    return e / ((1 + e) * (1 + e));
  }
};

struct Relu {
  template <class T>
  static T value(T s) {
    return s <= 0 ? T{0} : s;
  }
  template <class T>
  static T slope(T s, T) {
    return std::isnan(s) ? s : (s > 0 ? T{1} : T{0});
  }
};

struct LeakyRelu {
  template <class T>
  static T value(T s) {
    return s <= 0 ? static_cast<T>(0.01) * s : s;
  }
  template <class T>
  static T slope(T s, T) {
    return std::isnan(s) ? s : (s > 0 ? T{1} : static_cast<T>(0.01));
  }
};

struct Elu {
  template <class T>
  static T value(T s) {
    return s <= 0 ? std::expm1(s) : s;
  }
  template <class T>
  static T slope(T s, T y) {
    return s <= 0 ? y + 1 : (std::isnan(s) ? s : T{1});
  }
};

struct Softplus {
  template <class T>
  static T value(T s) {
    return (s <= 0 ? T{0} : s) + std::log1p(std::exp(-std::fabs(s)));
  }
  template <class T>
  static T slope(T s, T) {
    return Sigmoid::value(s);
  }
};

// s * sigmoid(s). The limit at -infinity is 0, where the plain product would be NaN.
struct Silu {
  template <class T>
  static T value(T s) {
    return std::isinf(s) && s < 0 ? T{0} : s * Sigmoid::value(s);
  }
  template <class T>
  static T slope(T s, T y) {
    // 1 - sigmoid(s) is computed as sigmoid(-s), which keeps its digits where the subtraction
    // cancels.
    const T e = std::exp(-std::fabs(s)), larger = 1 / (1 + e), smaller = e / (1 + e);
    const T sigmoid = s < 0 ? smaller : larger, rest = s < 0 ? larger : smaller;
    return std::isinf(s) ? sigmoid : sigmoid + y * rest;
  }
};

// s * Phi(s) with the normal distribution's Phi, not its tanh approximation.
struct Gelu {
  template <class T>
  static T phi(T s) {
    return static_cast<T>(0.5) * std::erfc(-s * static_cast<T>(1 / std::numbers::sqrt2));
  }
  template <class T>
  static T value(T s) {
    return std::isinf(s) && s < 0 ? T{0} : s * phi(s);
  }
  template <class T>
  static T slope(T s, T) {
    const T density = std::exp(static_cast<T>(-0.5) * s * s) *
                      static_cast<T>(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    return std::isinf(s) ? phi(s) : phi(s) + s * density;
  }
};

// exp(-s^2). Where the value underflows to 0 the slope is 0 too, however large s is.
struct Gaussian {
  template <class T>
  static T value(T s) {
    return std::exp(-s * s);
  }
  template <class T>
  static T slope(T s, T y) {
    return y == 0 ? T{0} : -2 * s * y;
  }
};

}  // namespace knotwork::formulas
