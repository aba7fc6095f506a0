// SPDX-License-Identifier: MIT
// These functions parse JSON of limited depth in which no object has a key twice: readers disagree
// about which of two equal keys counts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <knotwork/api.hpp>

namespace knotwork::files {

// Nested objects and arrays. Files of Knotwork are much less deep, and functions that visit a value
// (copies, comparisons, output) are recursive.
inline constexpr std::size_t kMaxJsonDepth = 64;

// nlohmann::ordered_json searches all keys of an object to find one. No object of a record has
// nearly this many keys, and an object made for an attack must not take minutes.
inline constexpr std::size_t kMaxOrderedKeys = 1000;

// Empty when the text is not JSON or is too deep, or when an object has a key twice or (ordered)
// too many keys. Compiled in strict_json.cpp only, because the library's templates take seconds to
// compile.
KNOTWORK_API std::optional<nlohmann::json> parse_json(std::string_view text);
KNOTWORK_API std::optional<nlohmann::ordered_json> parse_ordered_json(std::string_view text);

// One of the two functions, by type: nlohmann::json or nlohmann::ordered_json.
template <class Json>
std::optional<Json> parse_strictly(std::string_view text) {
  if constexpr (std::is_same_v<Json, nlohmann::ordered_json>) {
    return parse_ordered_json(text);
  } else {
    return parse_json(text);
  }
}

// A member of an object, without nested values.
struct FlatMember {
  enum class Kind { null, boolean, number, text };
  std::string key;
  Kind kind = Kind::null;
  std::string text = {};  // a text; a number as it is written; "1" or "0" for true or false
};
enum class FlatDefect {
  none,
  not_json,
  not_an_object,
  nested_object,  // the value of the last member is an object
  nested_array,
};
// Reads an object of plain values, in the order of the text. A key may occur twice.
KNOTWORK_API FlatDefect read_flat_object(std::string_view text, std::vector<FlatMember>& members);

// A value as text without blanks. Throws nlohmann's exception where a text is not UTF-8.
KNOTWORK_API std::string json_text(const nlohmann::json& value);
KNOTWORK_API std::string json_text(const nlohmann::ordered_json& value);

}  // namespace knotwork::files
