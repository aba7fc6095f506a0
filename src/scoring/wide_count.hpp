// SPDX-License-Identifier: MIT
// WideCount is a count of 128 bits with the few operations that scores need; compilers have such a
// type only for 64-bit processors.
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
    // For rounding, it matters only whether any dropped bit is set.
    if (low << shift != 0) leading |= 1;
    return std::ldexp(static_cast<double>(leading), 64 - shift);
  }
};

}  // namespace knotwork::scoring
