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

class FlatReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit FlatReader(std::vector<FlatMember>& members) : members_(members) {}

  FlatDefect defect() const { return defect_; }

  bool null() override { return take(FlatMember::Kind::null, {}); }
  bool boolean(bool value) override {
    return take(FlatMember::Kind::boolean, std::string(1, value ? '1' : '0'));
  }
  bool number_integer(number_integer_t value) override {
    return take(FlatMember::Kind::number, std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return take(FlatMember::Kind::number, std::to_string(value));
  }
  bool number_float(number_float_t, const string_t& digits) override {
    return take(FlatMember::Kind::number, digits);
  }
  bool string(string_t& text) override { return take(FlatMember::Kind::text, std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    if (is_inside_) return refuse(FlatDefect::nested_object);
    is_inside_ = true;
    return true;
  }
  bool key(string_t& name) override {
    members_.push_back({.key = std::move(name)});
    return true;
  }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override {
    return refuse(is_inside_ ? FlatDefect::nested_array : FlatDefect::not_an_object);
  }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return refuse(FlatDefect::not_json);
  }

 private:
  bool take(FlatMember::Kind kind, std::string text) {
    if (!is_inside_) return refuse(FlatDefect::not_an_object);
    members_.back().kind = kind;
    members_.back().text = std::move(text);
    return true;
  }
  bool refuse(FlatDefect defect) {
    if (defect_ == FlatDefect::none) defect_ = defect;
    return false;
  }

  std::vector<FlatMember>& members_;
  bool is_inside_ = false;
  FlatDefect defect_ = FlatDefect::none;
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

FlatDefect read_flat_object(std::string_view text, std::vector<FlatMember>& members) {
  members.clear();
  FlatReader reader(members);
  if (nlohmann::json::sax_parse(text, &reader)) return FlatDefect::none;
  return reader.defect() == FlatDefect::none ? FlatDefect::not_json : reader.defect();
}

std::string json_text(const nlohmann::json& value) {
  return value.dump();
}

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump();
}

}  // namespace knotwork::files
