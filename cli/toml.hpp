// SPDX-License-Identifier: MIT
// The part of TOML that configurations need: keys with texts, numbers, true and false or arrays of
// these, in tables one level deep, with comments. The rest of TOML is refused with its line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork::cli {

struct TomlItem {
  std::string table;  // empty: before the first [table]
  std::string key;
  // As text: one, or those of an array.
  std::vector<std::string> values;
  bool array = false;
  std::size_t line = 0;
};

// `source` names the text in messages. A key that stands twice in a table is refused.
std::vector<TomlItem> parse_toml(std::string_view text, const std::string& source);

// Numbers, true and false as they are, anything else in quotes.
std::string to_toml(std::string_view value);

}  // namespace knotwork::cli
