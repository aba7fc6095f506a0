// SPDX-License-Identifier: MIT
#include "scoring/wide_count.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <knotwork/random.hpp>

namespace knotwork::scoring {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(WideCount, CarriesAndRounds) {
  WideCount count{0, kMost};
  count += {0, 1};
  EXPECT_EQ(count, (WideCount{1, 0}));
  EXPECT_EQ(count.value(), 0x1p64);
  // Halfway between two doubles rounds to the even one, anything more rounds up.
  EXPECT_EQ((WideCount{1, 1 << 11}.value()), 0x1p64);
  EXPECT_EQ((WideCount{1, (1 << 11) + 1}.value()), 0x1p64 + 0x1p12);
  EXPECT_EQ((WideCount{1, 3 << 11}.value()), 0x1p64 + 0x1p13);
  EXPECT_EQ((WideCount{kMost, kMost}.value()), 0x1p128);
}

#if defined(__SIZEOF_INT128__)
TEST(WideCount, IsLikeTheCompilersOwn) {
  __extension__ using Wide = unsigned __int128;
  const Random random(1, Purpose::search_draws);
  for (std::uint64_t round = 0; round < 20000; ++round) {
    // Numbers of any length, including zeros at the end.
    const auto any = [&](std::uint64_t k) {
      const std::uint64_t bits = random.bits(8 * round + k);
      const std::uint64_t lengths = random.bits(8 * round + k + 4);
      return bits >> lengths % 64 << lengths / 64 % 64;
    };
    const WideCount a{any(0), any(1)}, b{any(2), any(3)};
    const auto wide = [](const WideCount& count) { return (Wide{count.high} << 64) | count.low; };
    WideCount sum = a;
    sum += b;
    ASSERT_TRUE(wide(sum) == wide(a) + wide(b));
    for (const WideCount& count : {a, b, sum}) {
      ASSERT_EQ(count.value(), static_cast<double>(wide(count)));
    }
  }
}
#endif

}  // namespace
}  // namespace knotwork::scoring
