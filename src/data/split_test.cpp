// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/split.hpp>

namespace knotwork {
namespace {

using Rows = std::vector<std::size_t>;

ErrorKind kind_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::failed_run;  // which no split reports
}

bool contains(const Rows& rows, std::size_t row) {
  return std::binary_search(rows.begin(), rows.end(), row);
}

TEST(Split, HoldsOutTheRoundedShare) {
  EXPECT_EQ(split_rows(10, 0.3, 1).held_out.size(), 3u);
  EXPECT_EQ(split_rows(10, 0.25, 1).held_out.size(), 3u);
  EXPECT_EQ(split_rows(10, 0.24, 1).held_out.size(), 2u);
  EXPECT_EQ(split_rows(20640, 0.3, 1).held_out.size(), 6192u);
  EXPECT_TRUE(split_rows(10, 0, 1).held_out.empty());
  EXPECT_TRUE(split_rows(0, 0.5, 1).kept.empty());
}

TEST(Split, HoldsOutTheSmallestKeys) {
  const SplitRows split = split_rows(200, 0.4, 7);
  const Random random(7, Purpose::test_split);
  std::uint64_t largest_held_out = 0, smallest_kept = std::numeric_limits<std::uint64_t>::max();
  for (const std::size_t row : split.held_out) {
    largest_held_out = std::max(largest_held_out, random.bits(row));
  }
  for (const std::size_t row : split.kept)
    smallest_kept = std::min(smallest_kept, random.bits(row));
  EXPECT_LT(largest_held_out, smallest_kept);
}

TEST(Split, DependsOnSeedAndPurpose) {
  const SplitRows split = split_rows(1000, 0.5, 1);
  EXPECT_EQ(split.held_out, split_rows(1000, 0.5, 1).held_out);
  EXPECT_NE(split.held_out, split_rows(1000, 0.5, 2).held_out);
  EXPECT_NE(split.held_out, split_rows(1000, 0.5, 1, Purpose::validation_split).held_out);
  // A seed above 32 bits counts whole.
  EXPECT_NE(split.held_out, split_rows(1000, 0.5, 1 + (std::uint64_t{1} << 32)).held_out);
}

TEST(Split, GivenRowsUseTheirOwnNumbers) {
  Rows all(300);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const SplitRows whole = split_rows(300, 0.3, 5);
  const SplitRows given = split_rows(all, 0.3, 5, Purpose::test_split);
  EXPECT_EQ(whole.held_out, given.held_out);
  EXPECT_EQ(whole.kept, given.kept);
  std::reverse(all.begin(), all.end());
  EXPECT_EQ(split_rows(all, 0.3, 5, Purpose::test_split).kept, whole.kept);
}

TEST(Split, RefusesOtherFractions) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double fraction : {-0.1, 1.0, 1.5, nan}) {
    EXPECT_EQ(kind_of([&] { split_rows(10, fraction, 1); }), ErrorKind::bad_option) << fraction;
  }
}

TEST(Folds, RefusesOtherNumbers) {
  EXPECT_EQ(kind_of([] { assign_folds(10, 1, 1); }), ErrorKind::bad_option);
  EXPECT_EQ(kind_of([] { assign_folds(10, 0, 1); }), ErrorKind::bad_option);
  EXPECT_EQ(kind_of([] { assign_folds(10, 11, 1); }), ErrorKind::bad_option);
  EXPECT_EQ(kind_of([] { assign_folds(0, 2, 1); }), ErrorKind::bad_option);
}

TEST(Folds, GoRoundRobinInTheOrderOfTheKeys) {
  const auto folds = assign_folds(50, 7, 3);
  const Random random(3, Purpose::folds);
  for (std::size_t row = 0; row < folds.size(); ++row) {
    std::size_t rank = 0;
    for (std::size_t other = 0; other < folds.size(); ++other) {
      rank += random.bits(other) < random.bits(row) ? 1 : 0;
    }
    EXPECT_EQ(folds[row], rank % 7) << row;
  }
}

RC_GTEST_PROP(SplitProperty, IsAPartitionInOrder, (std::uint64_t seed)) {
  Rows rows;
  for (std::size_t row = 0, count = *rc::gen::inRange<std::size_t>(0, 400); row < count; ++row) {
    if (*rc::gen::arbitrary<bool>()) rows.push_back(row);
  }
  const double fraction = *rc::gen::inRange(0, 1000) / 1000.0;
  const SplitRows split = split_rows(rows, fraction, seed, Purpose::validation_split);
  RC_ASSERT(std::is_sorted(split.kept.begin(), split.kept.end()));
  RC_ASSERT(std::is_sorted(split.held_out.begin(), split.held_out.end()));
  Rows together;
  std::merge(split.kept.begin(), split.kept.end(), split.held_out.begin(), split.held_out.end(),
             std::back_inserter(together));
  RC_ASSERT(together == rows);
  RC_ASSERT(split.held_out.size() ==
            static_cast<std::size_t>(std::round(fraction * static_cast<double>(rows.size()))));
}

// A row's key does not depend on how many rows there are: if a is held out and b is kept in a small
// table, then no larger table holds out b and keeps a.
RC_GTEST_PROP(SplitProperty, RelativeOrderSurvivesMoreRows, (std::uint64_t seed)) {
  const auto small = *rc::gen::inRange<std::size_t>(2, 60);
  const auto large = small + *rc::gen::inRange<std::size_t>(0, 200);
  const SplitRows few = split_rows(small, 0.5, seed);
  const SplitRows many = split_rows(large, 0.5, seed);
  for (const std::size_t a : few.held_out) {
    for (const std::size_t b : few.kept) {
      RC_ASSERT(!(contains(many.kept, a) && contains(many.held_out, b)));
    }
  }
}

RC_GTEST_PROP(FoldsProperty, SizesDifferByAtMostOne, (std::uint64_t seed)) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 300);
  const auto k = *rc::gen::inRange<std::size_t>(2, rows + 1);
  std::vector<std::size_t> sizes(k, 0);
  const auto folds = assign_folds(rows, k, seed);
  RC_ASSERT(folds.size() == rows);
  for (const std::size_t fold : folds) {
    RC_ASSERT(fold < k);
    ++sizes[fold];
  }
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  RC_ASSERT(*most - *least <= 1u);
  RC_ASSERT(*least >= 1u);
}

}  // namespace
}  // namespace knotwork
