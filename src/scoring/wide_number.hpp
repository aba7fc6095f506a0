// SPDX-License-Identifier: MIT
// WideNumber is a number with a separate exponent, so that products and squares of huge or tiny
// numbers neither overflow nor underflow. It has the digits of a double.
#pragma once

#include <cmath>

#include "parallel/exact_sum.hpp"

namespace knotwork::scoring {

class WideNumber {
 public:
  // x * 2^exponent
  WideNumber(double x = 0, int exponent = 0)  // NOLINT(google-explicit-constructor)
      : fraction_(x) {
    if (x == 0 || !std::isfinite(x)) return;
    fraction_ = std::frexp(x, &exponent_);
    exponent_ += exponent;
  }
  explicit WideNumber(const parallel::ExactSum& sum)
      : WideNumber(sum.value(-sum.exponent()), sum.exponent()) {}

  double sign() const { return fraction_; }  // NaN for NaN
  double value() const { return std::ldexp(fraction_, exponent_); }
  WideNumber root() const {
    const int odd = exponent_ & 1;
    return {std::sqrt(std::ldexp(fraction_, odd)), (exponent_ - odd) / 2};
  }

  friend WideNumber operator*(const WideNumber& a, const WideNumber& b) {
    return {a.fraction_ * b.fraction_, a.exponent_ + b.exponent_};
  }
  friend WideNumber operator/(const WideNumber& a, const WideNumber& b) {
    return {a.fraction_ / b.fraction_, a.exponent_ - b.exponent_};
  }
  friend WideNumber operator+(const WideNumber& a, const WideNumber& b) {
    if (a.fraction_ == 0) return b;
    if (b.fraction_ == 0) return a;
    if (a.exponent_ < b.exponent_) return b + a;
    return {a.fraction_ + std::ldexp(b.fraction_, b.exponent_ - a.exponent_), a.exponent_};
  }
  friend WideNumber operator-(const WideNumber& a, const WideNumber& b) { return a + b * -1.0; }

 private:
  double fraction_;
  int exponent_ = 0;  // 0 for numbers without an exponent: 0, infinities, NaN
};

// The difference as value * 2^exponent, also where it overflows.
struct WideDifference {
  WideDifference(double a, double b) : value(a - b) {
    if (std::isfinite(value) || !std::isfinite(a) || !std::isfinite(b)) return;
    value = a / 4 - b / 4;
    exponent = 2;
  }
  double value;
  int exponent = 0;
};

// Adds a b c 2^exponent, rounded like doubles but with an unlimited range.
inline void add_product(parallel::ExactSum& sum, double a, double b, double c = 1,
                        int exponent = 0) {
  const double ab = a * b, abc = ab * c;
  if (std::isnormal(ab) && std::isnormal(abc)) {
    sum.add(abc, exponent);
  } else if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) {
    sum.add(abc);
  } else {
    int of_a, of_b, of_c;
    const double digits = std::frexp(a, &of_a) * std::frexp(b, &of_b) * std::frexp(c, &of_c);
    sum.add(digits, of_a + of_b + of_c + exponent);
  }
}

}  // namespace knotwork::scoring
