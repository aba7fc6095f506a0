// SPDX-License-Identifier: MIT
// name_list() joins names for a sentence: "adam, adamw and sgd".
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork {

inline bool contains(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

inline void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!contains(names, name)) names.push_back(name);
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
