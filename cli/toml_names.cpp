// SPDX-License-Identifier: MIT
#include "cli/toml_names.hpp"

#include <algorithm>
#include <cctype>

namespace knotwork::cli {
namespace {

// Follows TOML up to its first mistake, which ends parsing anyway.
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
    // Up to two quotes may stand before the three that end a text.
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

}  // namespace knotwork::cli
