// SPDX-License-Identifier: MIT
#include "parallel/tree_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <knotwork/random.hpp>

namespace knotwork::parallel {
namespace {

std::vector<double> leaf(std::size_t index) {
  const Random random(5, Purpose::weights);
  std::vector<double> values(3);
  for (std::size_t i = 0; i < 3; ++i) values[i] = std::exp(10 * random.normal(3 * index + i));
  return values;
}

std::vector<double> sum_of(std::size_t first, std::size_t last) {
  TreeSum tree;
  tree.start(3);
  for (std::size_t i = first; i < last; ++i) tree.add(std::span<const double>(leaf(i)));
  const auto sum = tree.finish();
  return {sum.begin(), sum.end()};
}

TEST(TreeSum, FollowsTheStatedTree) {
  auto plus = [](std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  };
  const auto pair = [&](std::size_t i) { return plus(leaf(i), leaf(i + 1)); };
  EXPECT_EQ(sum_of(0, 1), leaf(0));
  EXPECT_EQ(sum_of(0, 3), plus(pair(0), leaf(2)));
  EXPECT_EQ(sum_of(0, 5), plus(plus(pair(0), pair(2)), leaf(4)));
  EXPECT_EQ(sum_of(0, 7), plus(plus(pair(0), pair(2)), plus(pair(4), leaf(6))));
}

TEST(TreeSum, SubtreesOfAnySizeGiveTheSameBits) {
  for (std::size_t leaves = 0; leaves < 70; ++leaves) {
    const std::vector<double> whole = sum_of(0, leaves);
    for (std::size_t run : {1u, 2u, 4u, 8u, 32u}) {
      TreeSum top;
      top.start(3);
      for (std::size_t first = 0; first < leaves; first += run) {
        top.add(std::span<const double>(sum_of(first, std::min(first + run, leaves))));
      }
      const auto sum = top.finish();
      EXPECT_EQ(std::vector<double>(sum.begin(), sum.end()), whole) << leaves << " by " << run;
    }
  }
}

TEST(TreeSum, ExchangesItsSumForAnotherVector) {
  TreeSum tree;
  for (std::size_t leaves : {1u, 2u, 3u, 6u, 7u, 8u}) {
    tree.start(3);
    for (std::size_t i = 0; i < leaves; ++i) tree.add(std::span<const double>(leaf(i)));
    std::vector<double> sum(leaves % 2 ? 0 : 3, 1.0);
    tree.finish_into(sum);
    EXPECT_EQ(sum, sum_of(0, leaves)) << leaves;
  }
}

TEST(TreeSum, CanBeStartedAgainWithAnotherSize) {
  TreeSum tree;
  tree.start(2);
  tree.add(std::span<const double>(std::vector<double>{1, 2}));
  tree.finish();
  tree.start(3);
  EXPECT_EQ(tree.finish().size(), 3u);
  EXPECT_EQ(tree.finish()[2], 0);
}

}  // namespace
}  // namespace knotwork::parallel
