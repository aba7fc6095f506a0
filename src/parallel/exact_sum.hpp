// SPDX-License-Identifier: MIT
// ExactSum adds doubles exactly and rounds only its result, so that the order of the numbers does
// not matter: 1e300 + 1 - 1e300 is 1.
//
// A sum is a long fixed-point number of limbs that count multiples of 2^(32 k), each in 64 bits
// (Kulisch, "Computer Arithmetic and Validity", 2008). A double changes three limbs; carries are
// postponed until half a billion numbers were added. Only limbs in use are stored, three or four
// for numbers of similar size, so exponents are unbounded: x * 2^e can be added even where it would
// overflow or underflow as a double.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/message.hpp"

namespace knotwork::parallel {

class ExactSum {
 public:
  // Adds x * 2^exponent.
  void add(double x, int exponent = 0) {
    constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    auto field = static_cast<int>(bits >> 52) & 0x7ff;
    std::uint64_t digits = bits & kFraction;
    if (field == 0x7ff) {
      add_special(x);
      return;
    }
    if (field != 0) {
      digits |= kFraction + 1;
    } else {
      if (digits == 0) return;
      field = 1;
    }
    const int position = field - 1075 + exponent;  // x is digits * 2^position
    const int limb = position >> 5, shift = position & 31;
    if (limb < first_ || limb + kTouched > first_ + static_cast<int>(limbs_.size())) cover(limb);
    const std::uint64_t low = digits << shift, high = digits >> 1 >> (63 - shift);
    const std::int64_t sign = -static_cast<std::int64_t>(bits >> 63);  // all bits set: negative
    std::int64_t* const at = limbs_.data() + (limb - first_);
    at[0] += (static_cast<std::int64_t>(low & kLimb) ^ sign) - sign;
    at[1] += (static_cast<std::int64_t>(low >> 32) ^ sign) - sign;
    at[2] += (static_cast<std::int64_t>(high) ^ sign) - sign;
    if (++pending_ == kMostPending) carry();
  }
  void merge(const ExactSum& other);

  // The sum times 2^exponent, rounded once to the nearest double, ties to even. NaN and infinities
  // propagate as in a plain sum; a sum that is too large is infinite.
  double value(int exponent = 0) const;
  // Exponent of the leading digit: 0 for 1 to below 2. 0 if the sum is 0, infinite or NaN.
  int exponent() const;

  // Equal sums write equal numbers.
  void put(MergeState& state) const;
  void merge(StateReader& state);

 private:
  static constexpr std::uint64_t kLimb = 0xffffffff;
  static constexpr int kTouched = 3;
  static constexpr std::uint32_t kMostPending = std::uint32_t{1} << 29;

  // Sign and magnitude: limbs below 2^32, with the first and the last limb not 0.
  struct Digits {
    bool negative = false;
    int first = 0;
    std::vector<std::int64_t> limbs;
    int leading() const;  // position of the leading digit
  };
  Digits digits() const;
  double special() const;

  void add_special(double x);
  void cover(int limb);
  void carry();

  std::vector<std::int64_t> limbs_;  // the first counts multiples of 2^(32 first_)
  int first_ = 0;
  std::uint32_t pending_ = 0;  // additions since all limbs were below 2^32
  bool nan_ = false, plus_infinity_ = false, minus_infinity_ = false;
};

}  // namespace knotwork::parallel
