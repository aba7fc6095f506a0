// SPDX-License-Identifier: MIT
// JSON of moderate depth in which no object has a key twice: readers disagree about which of the
// two counts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <knotwork/api.hpp>

namespace knotwork::files {

// Objects and arrays in each other. Nothing that Knotwork writes goes nearly as deep, and what
// walks over a value (copies, comparisons, writing it) does so by calls in calls.
inline constexpr std::size_t kMaxJsonDepth = 64;

// nlohmann::ordered_json looks a key up by walking over all others; no object of a record has
// nearly as many, and a hostile one must not take minutes.
inline constexpr std::size_t kMaxOrderedKeys = 1000;

// Nothing when the text is not JSON, is too deep, an object has a key twice, or (ordered) too many
// keys. Compiled in strict_json.cpp, as the library's templates take seconds wherever they are
// used.
KNOTWORK_API std::optional<nlohmann::json> parse_json(std::string_view text);
KNOTWORK_API std::optional<nlohmann::ordered_json> parse_ordered_json(std::string_view text);

// One of the two, by the type: nlohmann::json or nlohmann::ordered_json.
template <class Json>
std::optional<Json> parse_strictly(std::string_view text) {
  if constexpr (std::is_same_v<Json, nlohmann::ordered_json>) {
    return parse_ordered_json(text);
  } else {
    return parse_json(text);
  }
}

// A value as text without blanks. Throws nlohmann's exception where a text is not UTF-8.
KNOTWORK_API std::string json_text(const nlohmann::json& value);
KNOTWORK_API std::string json_text(const nlohmann::ordered_json& value);

}  // namespace knotwork::files
