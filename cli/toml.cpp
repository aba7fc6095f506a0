// SPDX-License-Identifier: MIT
#include "cli/toml.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "base/fail.hpp"

namespace knotwork::cli {
namespace {

bool is_bare(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Takes digits off the front; false if there are none.
bool take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end > 0;
}

bool is_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.size() > 1 && text[0] == '0' && std::isdigit(static_cast<unsigned char>(text[1]))) {
    return false;
  }
  if (!take_digits(text)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!take_digits(text)) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (!take_digits(text)) return false;
  }
  return text.empty();
}

class TomlReader {
 public:
  TomlReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  std::vector<TomlItem> read() {
    for (skip_blank(); !at_end(); skip_blank()) {
      if (peek() == '[') {
        take_table();
      } else {
        take_item();
      }
    }
    return std::move(items_);
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> what, Args&&... args) const {
    fail(ErrorKind::bad_file, "{}, line {}: {}", source_, line_,
         fmt::format(what, std::forward<Args>(args)...));
  }

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\n' : text_[at_]; }
  char take() {
    const char c = text_[at_++];
    if (c == '\n') ++line_;
    return c;
  }

  void skip_spaces() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\r')) take();
    if (!at_end() && peek() == '#') {
      while (!at_end() && peek() != '\n') take();
    }
  }
  void skip_blank() {
    for (skip_spaces(); !at_end() && peek() == '\n'; skip_spaces()) take();
  }
  void end_line() {
    skip_spaces();
    if (peek() != '\n') refuse("something follows the end of the value; a new line must.");
  }

  std::string take_key(std::string_view what) {
    if (peek() == '"' || peek() == '\'') return take_quoted();
    const std::size_t begin = at_;
    while (!at_end() && is_bare(peek())) take();
    if (at_ == begin) refuse("{} is expected here, such as target = \"price\".", what);
    return std::string(text_.substr(begin, at_ - begin));
  }

  void take_table() {
    take();
    skip_spaces();
    if (peek() == '[') refuse("arrays of tables are not read; write [train].");
    table_ = take_key("the name of a table");
    skip_spaces();
    if (peek() != ']') refuse("the name of a table must be followed by ].");
    take();
    end_line();
  }

  void take_item() {
    TomlItem item{table_, "", {}, false, line_};
    item.key = take_key("a name");
    skip_spaces();
    if (peek() != '=') refuse("'{}' must be followed by = and a value.", item.key);
    take();
    skip_spaces();
    if (peek() == '[') {
      item.array = true;
      take();
      take_elements(item.values);
    } else {
      item.values.push_back(take_value());
    }
    end_line();
    if (!seen_.emplace(item.table, item.key).second) {
      refuse("'{}' stands there a second time; once is enough.", item.key);
    }
    items_.push_back(std::move(item));
  }

  void take_elements(std::vector<std::string>& values) {
    for (skip_blank(); peek() != ']' || at_end(); skip_blank()) {
      if (at_end()) refuse("an array is never closed; add a ].");
      values.push_back(take_value());
      skip_blank();
      if (at_end() || (peek() != ',' && peek() != ']')) {
        refuse("values of an array must have commas between them and a ] behind them.");
      }
      if (peek() == ',') take();
    }
    take();
  }

  std::string take_value() {
    if (peek() == '"' || peek() == '\'') return take_quoted();
    const std::size_t begin = at_;
    while (!at_end() && (is_bare(peek()) || peek() == '.' || peek() == '+')) take();
    const std::string word(text_.substr(begin, at_ - begin));
    if (word == "true" || word == "false") return word;
    std::string number = word;
    std::erase(number, '_');
    if (!is_number(number)) {
      refuse("'{}' is no value; numbers stand alone and texts in quotes.", word);
    }
    return number;
  }

  std::string take_quoted() {
    const char quote = take();
    std::string value;
    while (peek() != quote) {
      if (peek() == '\n') refuse("a text is never closed; add the other {}.", quote);
      const char c = take();
      value += c == '\\' && quote == '"' ? take_escape() : c;
    }
    take();
    return value;
  }

  char take_escape() {
    constexpr std::string_view kLetters = "\"\\nrt";
    constexpr std::string_view kMeanings = "\"\\\n\r\t";
    const std::size_t which = kLetters.find(peek());
    if (which == std::string_view::npos) {
      refuse(
          "a backslash must be followed by another one, a quote, n, r or t; texts in single "
          "quotes need none.");
    }
    take();
    return kMeanings[which];
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string table_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::vector<TomlItem> items_;
};

}  // namespace

std::vector<TomlItem> parse_toml(std::string_view text, const std::string& source) {
  return TomlReader(text, source).read();
}

std::string to_toml(std::string_view value) {
  if (value == "true" || value == "false" || is_number(value)) return std::string(value);
  std::string quoted = "\"";
  for (const char c : value) {
    switch (c) {
      case '"':
      case '\\':
        quoted += '\\';
        quoted += c;
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace knotwork::cli
