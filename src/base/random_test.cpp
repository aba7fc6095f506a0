// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

// Known answers of the reference implementation (Random123, kat_vectors, philox 4x32 10).
TEST(Random, PhiloxKnownAnswers) {
  const std::array<std::uint32_t, 4> zeros = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), zeros);
  const std::uint32_t f = 0xffffffff;
  const std::array<std::uint32_t, 4> ones = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  EXPECT_EQ(philox({f, f, f, f}, {f, f}), ones);
  const std::array<std::uint32_t, 4> digits_of_pi = {0xd16cfe09, 0x94fdcceb, 0x5001e420,
                                                     0x24126ea1};
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            digits_of_pi);
}

TEST(Random, NumbersDependOnSeedPurposeAndIndexAlone) {
  const Random a(7, Purpose::weights);
  EXPECT_EQ(a.bits(123), Random(7, Purpose::weights).bits(123));
  std::set<std::uint64_t> all;
  for (std::uint64_t seed : {7ull, 8ull, (7ull << 32)}) {
    for (Purpose purpose : {Purpose::weights, Purpose::folds}) {
      for (std::uint64_t index : {0ull, 1ull, (1ull << 32)}) {
        all.insert(Random(seed, purpose).bits(index));
      }
    }
  }
  EXPECT_EQ(all.size(), 18u);
}

TEST(Random, MomentsAreThoseOfTheDistributions) {
  const Random random(3, Purpose::weights);
  constexpr int kDraws = 200000;
  double uniform = 0, normal = 0, square = 0, fourth = 0, below = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const double u = random.uniform(index), z = random.normal(index);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    const std::uint64_t digit = random.below(10, index);
    ASSERT_LT(digit, 10u);
    uniform += u;
    normal += z;
    square += z * z;
    fourth += z * z * z * z;
    below += static_cast<double>(digit);
  }
  EXPECT_NEAR(uniform / kDraws, 0.5, 0.003);
  EXPECT_NEAR(normal / kDraws, 0, 0.01);
  EXPECT_NEAR(square / kDraws, 1, 0.015);
  EXPECT_NEAR(fourth / kDraws, 3, 0.1);
  EXPECT_NEAR(below / kDraws, 4.5, 0.03);
}

#if defined(__SIZEOF_INT128__)
TEST(Random, BelowIsTheUpperHalfOfAProduct) {
  __extension__ using Wide = unsigned __int128;
  const Random random(4, Purpose::weights);
  for (std::uint64_t index = 0; index < 20000; ++index) {
    const std::uint64_t bound = random.bits(index + 20000) >> index % 64;
    ASSERT_EQ(random.below(bound, index),
              static_cast<std::uint64_t>((Wide{random.bits(index)} * bound) >> 64));
  }
}
#endif

}  // namespace
}  // namespace knotwork
