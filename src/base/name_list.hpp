// SPDX-License-Identifier: MIT
// Lists of names in sentences: "adam, adamw and sgd".
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace knotwork {

inline bool contains(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

inline std::string name_list(std::span<const std::string> names, std::string_view last = "and") {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0 && k + 1 < names.size()) text.append(", ");
    if (k > 0 && k + 1 == names.size()) text.append(" ").append(last).append(" ");
    text.append(names[k]);
  }
  return text;
}

}  // namespace knotwork
