// SPDX-License-Identifier: MIT
#include "parallel/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/test_dice.hpp"

#include <knotwork/error.hpp>

namespace knotwork::parallel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

ExactSum sum_of(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double x : numbers) sum.add(x);
  return sum;
}

double value_of(const std::vector<double>& numbers) {
  return sum_of(numbers).value();
}

MergeState state_of(const ExactSum& sum) {
  MergeState state;
  sum.put(state);
  return state;
}

// Numbers of both signs and, unless narrow, of all exponents.
std::vector<double> wild_numbers(Dice& dice, std::size_t count, int narrow = 0) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < count; ++k) {
    const auto digits = static_cast<double>(dice.below(std::size_t{1} << 53));
    const auto range = static_cast<std::size_t>(narrow != 0 ? narrow : 2020);
    const int exponent = static_cast<int>(dice.below(range)) - (narrow != 0 ? 0 : 1090);
    numbers.push_back(std::ldexp(dice.below(2) ? digits : -digits, exponent));
  }
  return numbers;
}

TEST(ExactSum, NothingIsLost) {
  EXPECT_EQ(value_of({}), 0);
  EXPECT_EQ(value_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(value_of({1, 1e300, kTiny, -1e300, -1}), kTiny);
  EXPECT_EQ(value_of({0.1, 0.2, 0.3, -0.1, -0.2, -0.3}), 0);
  EXPECT_EQ(value_of(std::vector<double>(10, 0.1)), 1);  // rounded once, unlike a plain sum
  EXPECT_EQ(value_of({-1e-300, -1e300}), -1e300);
}

TEST(ExactSum, IsTheIntegerSumRounded) {
  __extension__ using Wide = __int128;
  Dice dice(1);
  for (int round = 0; round < 2000; ++round) {
    // Fewer than 128 bits: whole numbers up to 2^113 and their exact sum.
    const std::vector<double> numbers = wild_numbers(dice, 1 + dice.below(20), 60);
    Wide exact = 0;
    for (const double x : numbers) exact += static_cast<Wide>(x);
    EXPECT_EQ(value_of(numbers), static_cast<double>(exact));
    // The same elsewhere in the range.
    for (const int power : {-1130, -1090, -1074, -700, 850, 920}) {
      std::vector<double> moved;
      for (const double x : numbers) moved.push_back(std::ldexp(x, power));
      const bool whole = std::ranges::equal(numbers, moved, [&](double a, double b) {
        return std::isfinite(b) && std::ldexp(b, -power) == a;
      });
      if (!whole) continue;
      EXPECT_EQ(value_of(moved), std::ldexp(static_cast<double>(exact), power));
    }
  }
}

TEST(ExactSum, OrdersAndSplitsDoNotMatter) {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> numbers = wild_numbers(dice, 2 + dice.below(60));
    const ExactSum all = sum_of(numbers);
    for (int again = 0; again < 5; ++again) {
      for (std::size_t k = numbers.size(); k > 1; --k) {
        std::swap(numbers[k - 1], numbers[dice.below(k)]);
      }
      std::vector<ExactSum> parts(1 + dice.below(5));
      for (const double x : numbers) parts[dice.below(parts.size())].add(x);
      ExactSum merged;
      for (const ExactSum& part : parts) {
        if (dice.below(2)) {
          merged.merge(part);
        } else {
          const MergeState sent = state_of(part);
          StateReader reader(sent);
          merged.merge(reader);
          reader.finish();
        }
      }
      EXPECT_EQ(merged.value(), all.value());
      EXPECT_EQ(state_of(merged), state_of(all));
    }
    ExactSum nothing = all;
    for (const double x : numbers) nothing.add(-x);
    EXPECT_EQ(nothing.value(), 0);
    EXPECT_EQ(state_of(nothing), state_of(ExactSum()));
  }
}

TEST(ExactSum, TiesGoToTheEvenNumber) {
  const double half = 0x1p-53;  // of the last digit of 1
  EXPECT_EQ(value_of({1, half}), 1);
  EXPECT_EQ(value_of({1, half, kTiny}), 1 + 0x1p-52);
  EXPECT_EQ(value_of({1, half, -kTiny}), 1);
  EXPECT_EQ(value_of({1 + 0x1p-52, half}), 1 + 0x1p-51);
  EXPECT_EQ(value_of({-1, -0x1p-52, -half}), -1 - 0x1p-51);
  EXPECT_EQ(value_of({2, -half}), 2);  // doubles are twice as dense below 2
  EXPECT_EQ(value_of({0x1p53, 1}), 0x1p53);
  EXPECT_EQ(value_of({0x1p53, 1, 1, 1}), 0x1p53 + 4);
}

TEST(ExactSum, SubnormalsAreRoundedOnce) {
  EXPECT_EQ(value_of({kTiny, kTiny}), 2 * kTiny);
  EXPECT_EQ(value_of({0x1p-1022, -kTiny}), 0x1p-1022 - kTiny);
  ExactSum sum;
  sum.add(3, -1075);  // one and a half of the smallest, a tie
  EXPECT_EQ(sum.value(), 2 * kTiny);
  sum.add(-2, -1075);  // a half
  EXPECT_EQ(sum.value(), 0);
  sum.add(1, -2000);
  EXPECT_EQ(sum.value(), kTiny);
  EXPECT_EQ(sum.value(2), 2 * kTiny);
  ExactSum small;
  small.add(1, -1090);
  EXPECT_EQ(small.value(), 0);
  EXPECT_EQ(small.value(1090), 1);
}

TEST(ExactSum, ExponentsHaveNoBound) {
  ExactSum sum;
  sum.add(1.5, 3000);
  sum.add(1.5, -3000);
  EXPECT_EQ(sum.exponent(), 3000);
  EXPECT_EQ(sum.value(), kInfinity);
  EXPECT_EQ(sum.value(-3000), 1.5);
  sum.add(-1.5, 3000);
  EXPECT_EQ(sum.exponent(), -3000);
  EXPECT_EQ(sum.value(3000), 1.5);
  EXPECT_EQ(sum.value(), 0);
}

TEST(ExactSum, TooMuchIsInfinite) {
  EXPECT_EQ(value_of({kLargest, kLargest}), kInfinity);
  EXPECT_EQ(value_of({-kLargest, -kLargest}), -kInfinity);
  EXPECT_EQ(value_of({kLargest, kLargest, -kLargest}), kLargest);
  EXPECT_EQ(value_of({kLargest, 0x1p969}), kLargest);
  EXPECT_EQ(value_of({kLargest, 0x1p970}), kInfinity);
}

TEST(ExactSum, InfinitiesAndNaNAreThoseOfAPlainSum) {
  EXPECT_EQ(value_of({1, kInfinity}), kInfinity);
  EXPECT_EQ(value_of({-kInfinity, 1e300}), -kInfinity);
  EXPECT_TRUE(std::isnan(value_of({kInfinity, 1, -kInfinity})));
  EXPECT_TRUE(std::isnan(value_of({kNaN, kInfinity})));
  ExactSum sum = sum_of({kInfinity});
  const MergeState sent = state_of(sum_of({-kInfinity}));
  StateReader reader(sent);
  sum.merge(reader);
  EXPECT_TRUE(std::isnan(sum.value()));
  EXPECT_EQ(sum.exponent(), 0);
}

TEST(ExactSum, DoublesByMergingWithItself) {
  ExactSum sum = sum_of({1e-300});
  for (int k = 0; k < 2000; ++k) sum.merge(sum);
  EXPECT_EQ(sum.value(-2000), 1e-300);
}

TEST(ExactSum, WhatWasCutOffIsRefused) {
  MergeState sent = state_of(sum_of({1, 1e100}));
  sent.pop_back();
  StateReader reader(sent);
  ExactSum sum;
  EXPECT_THROW(sum.merge(reader), Error);
}

}  // namespace
}  // namespace knotwork::parallel
