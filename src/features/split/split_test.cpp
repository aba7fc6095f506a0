// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/split.hpp>

namespace knotwork::split_tests {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Rows = std::vector<std::size_t>;
using Values = std::vector<double>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

ErrorKind kind_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::failed_run;  // no split throws this kind
}

std::string message_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

std::size_t rounded(double share) {
  return static_cast<std::size_t>(std::round(share));
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
  // All bits of a seed above 32 bits count.
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
  const Values two = {1, 2};
  for (const double fraction : {-0.1, 1.0, 1.5, kNaN}) {
    EXPECT_EQ(kind_of([&] { split_rows(10, fraction, 1); }), ErrorKind::bad_option) << fraction;
    EXPECT_EQ(kind_of([&] { split_groups(two, fraction, 1); }), ErrorKind::bad_option);
    EXPECT_EQ(kind_of([&] { split_stratified(two, fraction, 1); }), ErrorKind::bad_option);
    EXPECT_EQ(kind_of([&] { split_last(2, fraction); }), ErrorKind::bad_option);
  }
  EXPECT_THAT(message_of([] { split_last(2, 1.5); }),
              AllOf(HasSubstr("1.5"), HasSubstr("at least 0 and below 1")));
}

TEST(SplitGroups, HoldsOutGroupsInTheOrderOfTheirFirstKeys) {
  Values groups;
  for (int row = 0; row < 60; ++row) groups.push_back(row % 20);  // first rows 0 .. 19
  const SplitRows split = split_groups(groups, 0.3, 4);
  ASSERT_EQ(split.held_out.size(), 18u);
  const Rows first = split_rows(20, 0.3, 4).held_out;  // the same keys
  EXPECT_EQ(Rows(split.held_out.begin(), split.held_out.begin() + 6), first);
  EXPECT_NE(split.held_out, split_groups(groups, 0.3, 5).held_out);
  EXPECT_NE(split.held_out, split_groups(groups, 0.3, 4, Purpose::validation_split).held_out);
}

TEST(SplitGroups, NeverHoldsOutAllGroups) {
  const Values groups = {1, 1, 1, 2, 2, 2};
  EXPECT_EQ(split_groups(groups, 0.99, 1).held_out.size(), 3u);
  EXPECT_TRUE(split_groups(groups, 0, 1).held_out.empty());
  EXPECT_THAT(split_groups(Values{1, 1}, 0, 1).kept, ElementsAre(0, 1));
}

TEST(SplitGroups, RefusesMissingAndTooFewGroups) {
  EXPECT_EQ(kind_of([] { split_groups(Values{5, 5}, 0.5, 1); }), ErrorKind::bad_data);
  EXPECT_THAT(
      message_of([] {
        split_groups(Values{5, 5}, 0.5, 1);
      }),
      AllOf(HasSubstr("2 rows needs at least 2 different groups, not 1"), HasSubstr("at least 2")));
  EXPECT_EQ(kind_of([] { split_groups(Values{1, 2, kNaN}, 0.5, 1); }), ErrorKind::bad_data);
  EXPECT_THAT(message_of([] {
                split_groups(Values{1, 2, kNaN}, 0.5, 1);
              }),
              AllOf(HasSubstr("Row 2 (the first is row 0) has no group"),
                    HasSubstr("needs one in every row")));
  EXPECT_THAT(message_of([] {
                split_groups(Rows{0, 7}, Values{1, 2}, 0.5, 1, Purpose::validation_split);
              }),
              HasSubstr("Row 7"));
}

TEST(SplitStratified, RoundsByTheLargestRemainder) {
  Values classes(7, 1);                 // 2.1 of 7
  classes.insert(classes.end(), 9, 2);  // 2.7 of 9
  classes.insert(classes.end(), 4, 3);  // 1.2 of 4
  std::map<double, int> held_out;
  for (const std::size_t row : split_stratified(classes, 0.3, 1).held_out) ++held_out[classes[row]];
  EXPECT_EQ(held_out, (std::map<double, int>{{1, 2}, {2, 3}, {3, 1}}));
}

TEST(SplitStratified, RefusesMissingClasses) {
  EXPECT_EQ(kind_of([] { split_stratified(Values{kNaN, 1}, 0.5, 1); }), ErrorKind::bad_data);
  EXPECT_THAT(message_of([] {
                split_stratified(Values{kNaN, 1}, 0.5, 1);
              }),
              AllOf(HasSubstr("Row 0"), HasSubstr("has no class")));
}

TEST(SplitLast, HoldsOutTheEnd) {
  EXPECT_THAT(split_last(5, 0.4).held_out, ElementsAre(3, 4));
  EXPECT_THAT(split_last(5, 0.4).kept, ElementsAre(0, 1, 2));
  EXPECT_THAT(split_last(Rows{9, 2, 4, 6}, 0.5).held_out, ElementsAre(6, 9));
  EXPECT_TRUE(split_last(3, 0).held_out.empty());
  EXPECT_TRUE(split_last(0, 0.5).kept.empty());
}

TEST(Folds, RefusesOtherNumbers) {
  EXPECT_EQ(kind_of([] { assign_folds(10, 1, 1); }), ErrorKind::bad_option);
  EXPECT_EQ(kind_of([] { assign_folds(10, 0, 1); }), ErrorKind::bad_option);
  EXPECT_EQ(kind_of([] { assign_folds(10, 11, 1); }), ErrorKind::bad_option);
  EXPECT_EQ(kind_of([] { assign_folds(0, 2, 1); }), ErrorKind::bad_option);
  EXPECT_THAT(
      message_of([] { assign_folds(10, 11, 1); }),
      AllOf(HasSubstr("10 rows"), HasSubstr("11 folds"), HasSubstr("not more folds than rows")));
  const Values values = {1, 1, 2, 2};
  EXPECT_EQ(kind_of([&] { assign_group_folds(values, 3, 1); }), ErrorKind::bad_option);
  EXPECT_THAT(
      message_of([&] { assign_group_folds(values, 3, 1); }),
      AllOf(HasSubstr("2 groups"), HasSubstr("3 folds"), HasSubstr("not more folds than groups")));
  EXPECT_EQ(kind_of([&] { assign_stratified_folds(values, 5, 1); }), ErrorKind::bad_option);
  EXPECT_EQ(kind_of([&] { assign_stratified_folds(values, 1, 1); }), ErrorKind::bad_option);
}

TEST(Folds, RefuseMissingGroupsAndClasses) {
  const Values values = {1, kNaN, 2};
  EXPECT_EQ(kind_of([&] { assign_group_folds(values, 2, 1); }), ErrorKind::bad_data);
  EXPECT_THAT(message_of([&] { assign_group_folds(values, 2, 1); }), HasSubstr("no group"));
  EXPECT_EQ(kind_of([&] { assign_stratified_folds(values, 2, 1); }), ErrorKind::bad_data);
  EXPECT_THAT(message_of([&] { assign_stratified_folds(values, 2, 1); }), HasSubstr("no class"));
}

TEST(Folds, LargestGroupsComeFirst) {
  // Sizes 4, 3, 2 and 1: the first to fold 0, then 3 to 1, 2 to 1 and 1 to 0.
  const Values groups = {1, 2, 2, 3, 3, 3, 4, 4, 4, 4};
  EXPECT_THAT(assign_group_folds(groups, 2, 1), ElementsAre(0, 1, 1, 1, 1, 1, 0, 0, 0, 0));
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

Values arbitrary_values(std::size_t least) {
  const auto rows = *rc::gen::inRange<std::size_t>(least, 200);
  const auto different = *rc::gen::inRange(1, 30);
  Values values;
  for (std::size_t row = 0; row < rows; ++row) values.push_back(*rc::gen::inRange(0, different));
  return values;
}

// There are at least two different groups.
Values arbitrary_groups() {
  Values groups = arbitrary_values(1);
  groups.push_back(-1);
  return groups;
}

std::map<double, std::size_t> counts_of(const Values& values) {
  std::map<double, std::size_t> counts;
  for (const double value : values) ++counts[value];
  return counts;
}

void check_partition(const SplitRows& split, std::size_t rows) {
  Rows together;
  std::merge(split.kept.begin(), split.kept.end(), split.held_out.begin(), split.held_out.end(),
             std::back_inserter(together));
  RC_ASSERT(together.size() == rows);
  for (std::size_t row = 0; row < rows; ++row) RC_ASSERT(together[row] == row);
}

RC_GTEST_PROP(SplitGroupsProperty, GroupsAreNeverParted, (std::uint64_t seed)) {
  const Values groups = arbitrary_groups();
  const double fraction = *rc::gen::inRange(0, 1000) / 1000.0;
  const auto sizes = counts_of(groups);
  const SplitRows split = split_groups(groups, fraction, seed);
  check_partition(split, groups.size());
  RC_ASSERT(!split.kept.empty());
  Values held_out;
  std::size_t largest = 0, kept_groups = sizes.size();
  for (const std::size_t row : split.held_out) held_out.push_back(groups[row]);
  for (const auto& [group, count] : counts_of(held_out)) {
    RC_ASSERT(count == sizes.at(group));
    largest = std::max(largest, count);
    --kept_groups;
  }
  const std::size_t wanted = rounded(fraction * static_cast<double>(groups.size()));
  RC_ASSERT(held_out.size() >= wanted || kept_groups == 1u);
  RC_ASSERT(held_out.empty() || held_out.size() < wanted + largest);
}

RC_GTEST_PROP(SplitStratifiedProperty, ClassesKeepTheirShare, (std::uint64_t seed)) {
  const Values classes = arbitrary_values(0);
  const double fraction = *rc::gen::inRange(0, 1000) / 1000.0;
  const SplitRows split = split_stratified(classes, fraction, seed);
  check_partition(split, classes.size());
  RC_ASSERT(split.held_out.size() == rounded(fraction * static_cast<double>(classes.size())));
  auto held_out = counts_of(classes);
  for (auto& entry : held_out) entry.second = 0;
  for (const std::size_t row : split.held_out) ++held_out[classes[row]];
  for (const auto& [value, count] : counts_of(classes)) {
    const double exact = fraction * static_cast<double>(count);
    RC_ASSERT(std::abs(static_cast<double>(held_out[value]) - exact) < 1.0);
  }
}

// One class, or classes with one row each, leave nothing to balance; nor do groups with one row
// each.
RC_GTEST_PROP(SplitProperty, AgreeWhereThereIsNothingToBalance, (std::uint64_t seed)) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 100);
  const double fraction = *rc::gen::inRange(0, 900) / 1000.0;
  const Values same(rows, 3.0);
  Values different(rows);
  std::iota(different.begin(), different.end(), -2.0);
  const Rows held_out = split_rows(rows, fraction, seed).held_out;
  RC_ASSERT(split_stratified(same, fraction, seed).held_out == held_out);
  RC_ASSERT(split_stratified(different, fraction, seed).held_out == held_out);
  if (held_out.size() < rows) {
    RC_ASSERT(split_groups(different, fraction, seed).held_out == held_out);
  }
  const auto k = *rc::gen::inRange<std::size_t>(2, rows + 1);
  const Rows folds = assign_folds(rows, k, seed);
  RC_ASSERT(assign_stratified_folds(same, k, seed) == folds);
  RC_ASSERT(assign_group_folds(different, k, seed) == folds);
}

RC_GTEST_PROP(SplitProperty, GivenRowsOfTheWholeTableAreTheWhole, (std::uint64_t seed)) {
  const Values values = arbitrary_groups();
  Rows rows(values.size());
  std::iota(rows.rbegin(), rows.rend(), std::size_t{0});
  const Purpose purpose = Purpose::test_split;
  RC_ASSERT(split_groups(rows, values, 0.3, seed, purpose).held_out ==
            split_groups(values, 0.3, seed).held_out);
  RC_ASSERT(split_stratified(rows, values, 0.3, seed, purpose).held_out ==
            split_stratified(values, 0.3, seed).held_out);
}

RC_GTEST_PROP(FoldsProperty, GroupsAreWholeAndFoldsBalanced, (std::uint64_t seed)) {
  const Values groups = arbitrary_groups();
  const auto sizes = counts_of(groups);
  const auto k = *rc::gen::inRange<std::size_t>(2, sizes.size() + 1);
  const Rows folds = assign_group_folds(groups, k, seed);
  std::map<double, std::size_t> fold_of;
  Rows rows_in(k, 0);
  for (std::size_t row = 0; row < groups.size(); ++row) {
    RC_ASSERT(fold_of.try_emplace(groups[row], folds[row]).first->second == folds[row]);
    ++rows_in.at(folds[row]);
  }
  std::size_t largest = 0;
  for (const auto& entry : sizes) largest = std::max(largest, entry.second);
  const auto [least, most] = std::minmax_element(rows_in.begin(), rows_in.end());
  RC_ASSERT(*least > 0u);
  RC_ASSERT(*most - *least <= largest);
}

RC_GTEST_PROP(FoldsProperty, ClassesAreSpreadEvenly, (std::uint64_t seed)) {
  const Values classes = arbitrary_values(2);
  const auto k = *rc::gen::inRange<std::size_t>(2, classes.size() + 1);
  const Rows folds = assign_stratified_folds(classes, k, seed);
  Rows rows_in(k, 0);
  std::map<double, Rows> of_class;
  for (std::size_t row = 0; row < classes.size(); ++row) {
    ++rows_in.at(folds[row]);
    ++of_class.try_emplace(classes[row], k, 0u).first->second.at(folds[row]);
  }
  of_class[-1] = rows_in;  // the folds are balanced too
  for (const auto& entry : of_class) {
    const auto [least, most] = std::minmax_element(entry.second.begin(), entry.second.end());
    RC_ASSERT(*most - *least <= 1u);
  }
}

}  // namespace
}  // namespace knotwork::split_tests
