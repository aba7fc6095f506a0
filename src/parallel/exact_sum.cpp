// SPDX-License-Identifier: MIT
#include "parallel/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knotwork::parallel {
namespace {

// Normalizes all limbs but the last to 0 .. 2^32 - 1. The last limb keeps the sign.
void propagate(std::vector<std::int64_t>& limbs) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 31, kLow = 0xffffffff;
  for (std::size_t k = 0; k < limbs.size(); ++k) {
    if (k + 1 == limbs.size()) {
      if (-kHalf <= limbs[k] && limbs[k] < kHalf) return;
      limbs.push_back(0);
    }
    limbs[k + 1] += limbs[k] >> 32;
    limbs[k] &= kLow;
  }
}

void drop_leading_zeros(std::vector<std::int64_t>& limbs) {
  while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
}

}  // namespace

void ExactSum::add_special(double x) {
  if (std::isnan(x)) {
    nan_ = true;
  } else {
    (x > 0 ? plus_infinity_ : minus_infinity_) = true;
  }
}

// Makes room for three limbs from this one on.
void ExactSum::cover(int limb) {
  if (limbs_.empty()) {
    first_ = limb;
  } else if (limb < first_) {
    limbs_.insert(limbs_.begin(), static_cast<std::size_t>(first_ - limb), 0);
    first_ = limb;
  }
  const auto needed = static_cast<std::size_t>(limb + kTouched - first_);
  if (limbs_.size() < needed) limbs_.resize(needed);
}

void ExactSum::carry() {
  propagate(limbs_);
  pending_ = 0;
}

void ExactSum::merge(const ExactSum& other) {
  nan_ |= other.nan_;
  plus_infinity_ |= other.plus_infinity_;
  minus_infinity_ |= other.minus_infinity_;
  if (other.limbs_.empty()) return;
  if (this == &other) {
    merge(ExactSum(other));
    return;
  }
  const int last = other.first_ + static_cast<int>(other.limbs_.size()) - 1;
  carry();
  cover(other.first_);
  cover(last);
  for (std::size_t k = 0; k < other.limbs_.size(); ++k) {
    limbs_[k + static_cast<std::size_t>(other.first_ - first_)] += other.limbs_[k];
  }
  carry();
}

ExactSum::Digits ExactSum::digits() const {
  Digits result{.first = first_, .limbs = limbs_};
  std::vector<std::int64_t>& limbs = result.limbs;
  propagate(limbs);
  drop_leading_zeros(limbs);
  if (limbs.empty()) return {};
  result.negative = limbs.back() < 0;
  if (result.negative) {
    for (std::int64_t& limb : limbs) limb = -limb;
    propagate(limbs);
  }
  drop_leading_zeros(limbs);
  const auto begin = std::find_if(limbs.begin(), limbs.end(), [](auto limb) { return limb != 0; });
  result.first += static_cast<int>(begin - limbs.begin());
  limbs.erase(limbs.begin(), begin);
  return result;
}

int ExactSum::Digits::leading() const {
  const auto below = static_cast<int>(limbs.size()) - 1 + first;
  return 32 * below + 63 - std::countl_zero(static_cast<std::uint64_t>(limbs.back()));
}

double ExactSum::special() const {
  if (nan_ || (plus_infinity_ && minus_infinity_)) return std::numeric_limits<double>::quiet_NaN();
  if (plus_infinity_) return std::numeric_limits<double>::infinity();
  return minus_infinity_ ? -std::numeric_limits<double>::infinity() : 0;
}

int ExactSum::exponent() const {
  const Digits all = digits();
  return special() != 0 || all.limbs.empty() ? 0 : all.leading();
}

double ExactSum::value(int exponent) const {
  if (special() != 0) return special();
  const Digits all = digits();
  if (all.limbs.empty()) return 0;
  // The position of the last digit that is kept: the 53rd digit, or the digit of the smallest
  // double.
  const int last = std::max(all.leading() - 52, -1074 - exponent);
  const auto bits_from = [&](int position) {
    std::uint64_t bits = 0;
    for (int k = 2; k >= 0; --k) {
      const int limb = (position >> 5) + k - all.first;
      if (limb < 0 || limb >= static_cast<int>(all.limbs.size())) continue;
      const auto digit = static_cast<std::uint64_t>(all.limbs[static_cast<std::size_t>(limb)]);
      const int shift = 32 * k - (position & 31);
      if (shift >= 64) continue;  // no bits this far up
      bits |= shift >= 0 ? digit << shift : digit >> -shift;
    }
    return bits;
  };
  // At most 53 digits are kept, down to `last`. The first digit below `last` decides the rounding,
  // and the digits after it break a tie.
  std::uint64_t kept = last > all.leading() ? 0 : bits_from(last);
  const bool half = last - 1 <= all.leading() && (bits_from(last - 1) & 1) != 0;
  const int lowest =
      32 * all.first + std::countr_zero(static_cast<std::uint64_t>(all.limbs.front()));
  if (half && (lowest < last - 1 || (kept & 1) != 0)) ++kept;
  const double magnitude = std::ldexp(static_cast<double>(kept), last + exponent);
  return all.negative ? -magnitude : magnitude;
}

void ExactSum::put(MergeState& state) const {
  const Digits all = digits();
  state.push_back(int{all.negative} | int{nan_} << 1 | int{plus_infinity_} << 2 |
                  int{minus_infinity_} << 3);
  state.push_back(all.first);
  parallel::put(state, all.limbs.size());
  state.insert(state.end(), all.limbs.begin(), all.limbs.end());
}

void ExactSum::merge(StateReader& state) {
  ExactSum other;
  const std::int64_t flags = state.next();
  other.first_ = static_cast<int>(state.next());
  const auto limbs = state.many(state.size());
  other.limbs_.assign(limbs.begin(), limbs.end());
  if (flags & 1) {
    for (std::int64_t& limb : other.limbs_) limb = -limb;
  }
  other.nan_ = flags & 2;
  other.plus_infinity_ = flags & 4;
  other.minus_infinity_ = flags & 8;
  merge(other);
}

}  // namespace knotwork::parallel
