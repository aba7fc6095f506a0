// SPDX-License-Identifier: MIT
#include "files/strict_json.hpp"

#include <set>
#include <vector>

namespace knotwork::files {
namespace {

// Checks a text without storing it. (The parser's own callback would do, but with it each object
// takes time in proportion to all objects before it.)
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
  std::vector<std::set<std::string>> open_;  // the keys of each object; an array has none
};

template <class Json>
std::optional<Json> parsed(std::string_view text, std::size_t most_keys) {
  JsonInspector inspector(most_keys);
  if (!nlohmann::json::sax_parse(text, &inspector)) return std::nullopt;
  return Json::parse(text);
}

}  // namespace

std::optional<nlohmann::json> parse_json(std::string_view text) {
  return parsed<nlohmann::json>(text, std::string_view::npos);
}

std::optional<nlohmann::ordered_json> parse_ordered_json(std::string_view text) {
  return parsed<nlohmann::ordered_json>(text, kMaxOrderedKeys);
}

std::string json_text(const nlohmann::json& value) {
  return value.dump();
}

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump();
}

}  // namespace knotwork::files
