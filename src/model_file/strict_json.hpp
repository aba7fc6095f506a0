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

// nlohmann::ordered_json looks a key up by walking over all others; no object of a record has
// nearly as many, and a hostile one must not take minutes.
inline constexpr std::size_t kMaxOrderedKeys = 1000;

// Nothing when the text is not JSON, an object has a key twice, or (ordered) too many keys. Json is
// nlohmann::json or nlohmann::ordered_json.
template <class Json>
std::optional<Json> parse_strictly(std::string_view text) {
  constexpr bool kOrdered = std::is_same_v<Json, nlohmann::ordered_json>;
  bool twice = false;
  bool too_many = false;
  std::vector<std::set<std::string>> open_objects;
  const auto watch = [&](int, typename Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == Json::parse_event_t::object_end) open_objects.pop_back();
    if (event == Json::parse_event_t::key) {
      twice = !open_objects.back().insert(parsed.template get<std::string>()).second || twice;
      too_many = too_many || (kOrdered && open_objects.back().size() > kMaxOrderedKeys);
      return !too_many;  // false drops what follows
    }
    return true;
  };
  Json json = Json::parse(text, watch, false);
  if (json.is_discarded() || twice || too_many) return std::nullopt;
  return json;
}

}  // namespace knotwork
