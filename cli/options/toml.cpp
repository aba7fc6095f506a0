// SPDX-License-Identifier: MIT
// The only file that includes toml++, which takes long to compile.
#include "cli/options/toml.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <sstream>

#include "base/fail.hpp"
#include "base/quoting.hpp"

namespace knotwork::cli {
namespace {

// Reads TOML up to its first error, which ends parsing anyway.
class NameScanner {
 public:
  explicit NameScanner(std::string_view text) : text_(text) {}

  std::size_t find_longer_than(std::size_t parts) {
    std::size_t dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_quoted(c);
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        dots = c == '.' ? dots + 1 : is_of_name(c) ? dots : 0;
        if (dots >= parts) return line_of(at_);
        ++at_;
      }
    }
    return 0;
  }

 private:
  static bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ' ' ||
           c == '\t';
  }

  bool starts_with(std::string_view part) const { return text_.substr(at_).starts_with(part); }

  void skip_quoted(char quote) {
    const std::string_view three = quote == '"' ? R"(""")" : "'''";
    const bool long_text = starts_with(three);
    const std::string_view end = long_text ? three : three.substr(0, 1);
    at_ += end.size();
    while (at_ < text_.size() && !starts_with(end)) {
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + end.size(), text_.size());
    // Up to two quotes may precede the three quotes that end a text.
    for (int k = 0; long_text && k < 2 && starts_with(three.substr(0, 1)); ++k) ++at_;
  }

  std::size_t line_of(std::size_t at) const {
    return 1 + static_cast<std::size_t>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::size_t find_long_name(std::string_view text, std::size_t parts) {
  return NameScanner(text).find_longer_than(parts);
}

namespace {

// The digits of {hex = "66ff"}.
std::optional<std::string> hex_of(const toml::node& node) {
  const toml::table* const table = node.as_table();
  if (table == nullptr || !table->is_inline() || table->size() != 1) return std::nullopt;
  return (*table)["hex"].value_exact<std::string>();
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    unsigned byte = 0;
    const char* const end = digits.data() + at + 2;
    const auto [stop, error] = std::from_chars(digits.data() + at, end, byte, 16);
    if (error != std::errc() || stop != end) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

class Collector {
 public:
  explicit Collector(const std::string& source) : source_(source) {}

  void add_all(const toml::table& top) {
    for (const auto& [key, node] : top) {
      const std::string name(key.str());
      if (!node.is_table() || hex_of(node)) {
        add("", name, node);
        continue;
      }
      for (const auto& [inner, value] : *node.as_table()) {
        if (value.is_table() && !hex_of(value))
          refuse(value, fmt::format("[{}] contains another table", name));
        add(name, std::string(inner.str()), value);
        items_.back().table_line = node.source().begin.line;
      }
    }
  }

  std::vector<TomlItem> in_order() && {
    std::stable_sort(items_.begin(), items_.end(),
                     [](const TomlItem& a, const TomlItem& b) { return a.line < b.line; });
    return std::move(items_);
  }

 private:
  [[noreturn]] void refuse(const toml::node& node, const std::string& what) const {
    fail(ErrorKind::bad_file, Where{.file = source_, .line = node.source().begin.line},
         "{}; the value of an option is a text, a number, true or false, or an array of these.",
         what);
  }

  void add(const std::string& table, const std::string& key, const toml::node& node) {
    TomlItem item{table, key, {}, node.is_array(), node.source().begin.line, 0};
    if (const toml::array* const array = node.as_array()) {
      for (const toml::node& element : *array) item.values.push_back(text_of(element, key));
    } else {
      item.values.push_back(text_of(node, key));
    }
    items_.push_back(std::move(item));
  }

  std::string text_of(const toml::node& node, const std::string& key) const {
    if (const auto text = node.value_exact<std::string>()) return without_nul(node, key, *text);
    if (const auto digits = hex_of(node)) {
      const std::optional<std::string> bytes = from_hex(*digits);
      if (bytes) return without_nul(node, key, *bytes);
      refuse(node, fmt::format("'{}' has a value of bytes that are not hexadecimal digits in pairs",
                               shown(key)));
    }
    if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
    if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
    if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
    refuse(node, fmt::format("'{}' has a value of a kind that options cannot have", key));
  }

  // A name of a file would end at a NUL character.
  const std::string& without_nul(const toml::node& node, const std::string& key,
                                 const std::string& text) const {
    if (text.find('\0') == std::string::npos) return text;
    fail(ErrorKind::bad_file, Where{.file = source_, .line = node.source().begin.line},
         "'{}' has a text with a NUL character; leave the character out.", shown(key));
  }

  const std::string& source_;
  std::vector<TomlItem> items_;
};

template <class Number>
std::optional<Number> read_whole(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

// A column may have the name 007 or 1.50, so the text must be restored exactly.
bool is_number(std::string_view text) {
  const auto whole = read_whole<std::int64_t>(text);
  if (whole && fmt::format("{}", *whole) == text) return true;
  const auto number = read_whole<double>(text);
  const bool looks_so = text.find_first_of("0123456789") == 0 || text.starts_with('-');
  return number && looks_so && !whole && text.find_first_of(".e") != std::string_view::npos &&
         fmt::format("{}", *number) == text;
}

}  // namespace

std::vector<TomlItem> parse_toml(std::string_view text, const std::string& source) {
  if (text.size() > kMaxConfigBytes) {
    fail(ErrorKind::bad_file, in_file(source),
         "has more than {} bytes, the limit for a configuration.", kMaxConfigBytes);
  }
  if (const std::size_t line = find_long_name(text, kMaxConfigNameParts); line != 0) {
    fail(ErrorKind::bad_file, Where{.file = source, .line = line},
         "a name has more than {} parts; the name of an option has one or two.",
         kMaxConfigNameParts);
  }
  try {
    Collector collector(source);
    collector.add_all(toml::parse(text));
    return std::move(collector).in_order();
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::replace(what.begin(), what.end(), '\n', ' ');
    fail(ErrorKind::bad_file, Where{.file = source, .line = error.source().begin.line},
         "{}; write name = value, with texts in quotes and every name only once.", what);
  }
}

std::string to_toml(std::string_view value) {
  if (value == "true" || value == "false" || is_number(value)) return std::string(value);
  if (!is_utf8(value)) {
    std::string digits;
    for (const char byte : value) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return fmt::format("{{hex = \"{}\"}}", digits);
  }
  std::ostringstream text;
  text << toml::toml_formatter{toml::value<std::string>(std::string(value)),
                               toml::format_flags::none};
  return text.str();
}

}  // namespace knotwork::cli
