// SPDX-License-Identifier: MIT
// JSON of moderate depth in which no object has a key twice: readers disagree about which of the
// two counts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork {

// Objects and arrays in each other. Nothing that Knotwork writes goes nearly as deep, and what
// walks over a value (copies, comparisons, writing it) does so by calls in calls.
inline constexpr std::size_t kMaxJsonDepth = 64;

// nlohmann::ordered_json looks a key up by walking over all others; no object of a record has
// nearly as many, and a hostile one must not take minutes.
inline constexpr std::size_t kMaxOrderedKeys = 1000;

// Looks at a text without keeping it. (The parser's own callback would do, but with it every object
// takes time in proportion to all that stand before it.)
class JsonInspector : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonInspector(std::size_t most_keys) : most_keys_(most_keys) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return open(); }
  bool key(string_t& name) override {
    std::set<std::string>& keys = open_.back();
    return keys.size() < most_keys_ && keys.insert(name).second;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool open() {
    open_.emplace_back();
    return open_.size() <= kMaxJsonDepth;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::size_t most_keys_;
  std::vector<std::set<std::string>> open_;  // the keys of each; an array has none
};

// Nothing when the text is not JSON, is too deep, an object has a key twice, or (ordered) too many
// keys. Json is nlohmann::json or nlohmann::ordered_json.
template <class Json>
std::optional<Json> parse_strictly(std::string_view text) {
  constexpr bool kOrdered = std::is_same_v<Json, nlohmann::ordered_json>;
  JsonInspector inspector(kOrdered ? kMaxOrderedKeys : std::string_view::npos);
  if (!nlohmann::json::sax_parse(text, &inspector)) return std::nullopt;
  return Json::parse(text);
}

}  // namespace knotwork
