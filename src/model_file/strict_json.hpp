// SPDX-License-Identifier: MIT
// JSON in which no object has a key twice: readers disagree about which of the two counts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork {

// Nothing when the text is not JSON or an object has a key twice. Json is nlohmann::json or
// nlohmann::ordered_json.
template <class Json>
std::optional<Json> parse_strictly(std::string_view text) {
  bool twice = false;
  std::vector<std::set<std::string>> open_objects;
  const auto watch = [&](int, typename Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == Json::parse_event_t::object_end) open_objects.pop_back();
    if (event == Json::parse_event_t::key) {
      twice = !open_objects.back().insert(parsed.template get<std::string>()).second || twice;
    }
    return true;
  };
  Json json = Json::parse(text, watch, false);
  if (json.is_discarded() || twice) return std::nullopt;
  return json;
}

}  // namespace knotwork
