// SPDX-License-Identifier: MIT
#include "base/quoting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace knotwork {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Bytes of the code point that starts at text[at], or 0 when they are not valid UTF-8. Overlong
// forms, surrogates and values above U+10FFFF are not valid.
std::size_t code_point_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() - at < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[at + i])) return 0;
  }
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) >= 0xA0) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90)) {
    return 0;
  }
  return length;
}

// Of valid UTF-8.
std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  std::uint32_t value = byte(0) & (0xFFU >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) value = (value << 6) | (byte(i) & 0x3FU);
  return value;
}

// C1 control characters, separators of lines and paragraphs, and all characters of Unicode's
// property Bidi_Control.
bool is_invisible(std::uint32_t c) {
  return (c >= 0x80 && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string shown(std::string_view text, std::size_t most_bytes) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (at >= most_bytes) return out + "...";
    std::size_t plain = at;  // the end of the printable ASCII from here
    while (plain < std::min(text.size(), most_bytes) && text[plain] >= ' ' && text[plain] <= '~') {
      ++plain;
    }
    if (plain > at) {
      out += text.substr(at, plain - at);
      at = plain;
      continue;
    }
    const std::size_t length = code_point_length(text, at);
    const std::string_view character = text.substr(at, std::max<std::size_t>(length, 1));
    const unsigned char byte = static_cast<unsigned char>(text[at]);
    if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\r') {
      out += "\\r";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (length == 0 || byte < 0x20 || byte == 0x7F) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else if (is_invisible(code_point(character))) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", code_point(character));
    } else {
      out += character;
    }
    at += character.size();
  }
  return out;
}

}  // namespace knotwork
