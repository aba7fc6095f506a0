// SPDX-License-Identifier: MIT
// A reader for TOML configurations: keys with texts, numbers, true and false or arrays of these, at
// the top level or in tables one level deep. Everything else in TOML (dates, deeper tables) is
// refused with its line. TOML has no bytes that are not UTF-8, which names of files may contain: a
// text with such bytes is written as {hex = "66ff"}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork::cli {

// The number of the first line with a name of more than `parts` parts, or 0.
std::size_t find_long_name(std::string_view text, std::size_t parts);

inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
// Parts of a name such as train.seed; a name with three or more parts is refused with its own
// message.
inline constexpr std::size_t kMaxConfigNameParts = 8;

struct TomlItem {
  std::string table;  // empty: at the top level
  std::string key;
  // As text: one value, or the values of an array.
  std::vector<std::string> values;
  bool array = false;
  std::size_t line = 0;
  std::size_t table_line = 0;  // the line of [table]
};

// The items in the order of their lines. `source` names the text in messages.
std::vector<TomlItem> parse_toml(std::string_view text, const std::string& source);

// true, false and numbers that read back as the same text are written unchanged, other values in
// quotes or, if they are not UTF-8, as a table with their bytes.
std::string to_toml(std::string_view value);

}  // namespace knotwork::cli
