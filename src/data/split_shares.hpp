// SPDX-License-Identifier: MIT
// What the splits of lists and of sets of rows have in common: keys, and how many rows are held out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knotwork {

struct KeyedRow {
  std::uint64_t key;
  std::size_t row;
  // Row numbers break ties, so that the order is total and the same everywhere.
  auto operator<=>(const KeyedRow&) const = default;
};

// round(fraction * rows). Throws bad_option unless the fraction is at least 0 and below 1.
std::size_t rounded_share(std::size_t rows, double fraction);

// The rows of a class: how many there are, and the one that comes first in the table.
struct ClassOfRows {
  std::size_t size;
  KeyedRow first;
};

// How many rows of each class are held out, by the largest remainder.
std::vector<std::size_t> quotas(std::span<const ClassOfRows> classes, std::size_t total,
                                double fraction);

// Throws bad_data unless some of so many groups can be held out.
void check_groups(std::size_t groups, std::size_t rows, double fraction);

}  // namespace knotwork
