// SPDX-License-Identifier: MIT
// StyledNumber takes apart numbers with signs around and between their digits: $1,234.50, 12 %,
// 1'234, (1,234), 3.5 km, 12,5. What a comma or a point means, only the column shows: 1,234 may be
// 1234 or 1.234.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace knotwork::csv {

// A sign between groups of digits. A blank is any kind of blank, and an apostrophe may be straight
// or curled.
enum class GroupSign { none, comma, point, blank, apostrophe, underscore };
inline constexpr std::size_t kGroupSignCount = 6;
// As in ColumnFormat::group.
std::string_view text_of(GroupSign sign);
std::optional<GroupSign> group_sign(std::string_view text);

struct StyledNumber {
  std::string_view prefix = {};  // a currency, or nothing
  std::string_view suffix = {};  // a currency, a percent sign, a unit, or nothing
  std::string_view digits = {};  // with the signs between them
  bool is_negative = false;      // -12, (12)

  // The sign between groups of digits if `decimal` is the decimal sign; empty if the digits are not
  // a number then.
  std::optional<GroupSign> grouped_by(char decimal) const;
  // The number, if grouped_by(decimal) is not empty.
  double value(char decimal) const;
};

// Empty if the text is not a number with such signs. Words before a number (Tier 1, LP001) are not
// signs: they make a name.
std::optional<StyledNumber> take_number(std::string_view text);

}  // namespace knotwork::csv
