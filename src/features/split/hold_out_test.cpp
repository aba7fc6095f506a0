// SPDX-License-Identifier: MIT
#include "features/split/hold_out.hpp"

#include <gtest/gtest.h>

namespace knotwork::features {
namespace {

constexpr Purpose kPurpose = Purpose::validation_split;
constexpr std::uint64_t kSeed = 5;

ColumnWindows cells_in_windows(const std::vector<double>& values) {
  return [&values](const SeeValues& see) {
    const std::size_t half = values.size() / 2;
    see(0, std::span(values).first(half));
    see(half, std::span(values).subspan(half));
  };
}

void expect_equal(const SplitSets& found, const SplitSets& wanted) {
  EXPECT_EQ(list_of(found.kept), list_of(wanted.kept));
  EXPECT_EQ(list_of(found.held_out), list_of(wanted.held_out));
}

TEST(HoldOut, TimeComesBeforeGroupsAndTheseBeforeClasses) {
  std::vector<double> groups, classes;
  for (std::size_t r = 0; r < 100; ++r) {
    groups.push_back(static_cast<double>(r / 9));
    classes.push_back(static_cast<double>(r * r % 3));
  }
  const RowSet rows(100, [](std::size_t row) { return row % 7 != 0; });
  const ColumnWindows by_group = cells_in_windows(groups), by_class = cells_in_windows(classes);
  expect_equal(hold_out(rows, {true, by_group, by_class}, 0.3, kSeed, kPurpose),
               split_last(rows, 0.3));
  expect_equal(hold_out(rows, {false, by_group, by_class}, 0.3, kSeed, kPurpose),
               split_groups(rows, by_group, 0.3, kSeed, kPurpose));
  expect_equal(hold_out(rows, {false, {}, by_class}, 0.3, kSeed, kPurpose),
               split_stratified(rows, by_class, 0.3, kSeed, kPurpose));
  expect_equal(hold_out(rows, {}, 0.3, kSeed, kPurpose), split_rows(rows, 0.3, kSeed, kPurpose));
}

// Rows that were drawn from a table are in the same part as rows of that table.
TEST(HoldOut, DrawnRowsAreDividedByTheirNumbers) {
  std::vector<double> groups(200), classes(200);
  std::vector<std::size_t> numbers;
  for (std::size_t r = 0; r < 200; ++r) {
    groups[r] = static_cast<double>(r / 9);
    classes[r] = static_cast<double>(r * r % 3);
    if (r % 3 != 1) numbers.push_back(r);
  }
  std::vector<double> drawn_groups, drawn_classes;
  for (const std::size_t number : numbers) {
    drawn_groups.push_back(groups[number]);
    drawn_classes.push_back(classes[number]);
  }
  const RowSet drawn = RowSet::all(numbers.size()), there = RowSet::of(200, numbers);
  const RowTies of_drawn[] = {{true, {}, {}},
                              {false, cells_in_windows(drawn_groups), {}},
                              {false, {}, cells_in_windows(drawn_classes)},
                              {}};
  const RowTies of_table[] = {
      {true, {}, {}}, {false, cells_in_windows(groups), {}}, {false, {}, cells_in_windows(classes)}, {}};
  for (std::size_t k = 0; k < 4; ++k) {
    const SplitSets found = hold_out(drawn, of_drawn[k], 0.3, kSeed, kPurpose, numbers);
    const SplitSets wanted = hold_out(there, of_table[k], 0.3, kSeed, kPurpose);
    std::vector<std::size_t> held_out;
    for (const std::size_t row : list_of(found.held_out)) held_out.push_back(numbers[row]);
    EXPECT_EQ(held_out, list_of(wanted.held_out)) << k;
    EXPECT_EQ(found.kept.size() + found.held_out.size(), numbers.size());
  }
}

}  // namespace
}  // namespace knotwork::features
