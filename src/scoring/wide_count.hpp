// SPDX-License-Identifier: MIT
// Counts of 128 bits, as far as they are needed: compilers have such numbers for processors of 64
// bits only.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace knotwork::scoring {

struct WideCount {
  std::uint64_t high = 0, low = 0;

  bool operator==(const WideCount&) const = default;
  constexpr WideCount& operator+=(const WideCount& other) {
    low += other.low;
    high += other.high + (low < other.low ? 1 : 0);
    return *this;
  }

  // The closest double.
  double value() const {
    if (high == 0) return static_cast<double>(low);
    const int shift = std::countl_zero(high);
    std::uint64_t leading = (high << shift) | (low >> 1 >> (63 - shift));
    // Of what is left out, rounding needs to know only whether there is any.
    if (low << shift != 0) leading |= 1;
    return std::ldexp(static_cast<double>(leading), 64 - shift);
  }
};

}  // namespace knotwork::scoring
