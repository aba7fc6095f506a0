// SPDX-License-Identifier: MIT
#include "figures/drawing/label_text.hpp"

#include <algorithm>

namespace knotwork::figures {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Decoded {
  char32_t character = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  // The smallest character that needs this many bytes; a longer encoding is not valid UTF-8.
  const char32_t smallest = bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80;
  if (first < 0xC0 || first > 0xF7 || text.size() < bytes) return {};
  char32_t character = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) return {};
    character = (character << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (character < smallest || character > 0x10FFFF || surrogate) return {};
  return {character, bytes};
}

bool has_place(char32_t character) {
  const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0);
  return !control && character != 0xFFFE && character != 0xFFFF;
}

std::string blanks_around(std::string_view text, std::size_t width, std::size_t left) {
  std::string line = std::string(left, ' ') + std::string(text);
  return line + std::string(width - count_characters(line), ' ');
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const Decoded next = decode(text);
    const std::size_t bytes = std::max<std::size_t>(next.bytes, 1);
    if (text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
      clean += ' ';
    } else if (next.bytes == 0 || !has_place(next.character)) {
      clean += kReplacement;
    } else {
      clean += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return clean;
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !is_continuation(byte); }));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' ', 1), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    if (!line.empty() && count_characters(line) + count_characters(word) > width) {
      lines.push_back(shortened(line, width));
      line.clear();
      word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    }
    line += word;
  }
  lines.push_back(shortened(line, width));
  return lines;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (count_characters(text) <= width) return std::string(text);
  const std::string_view dots = width > 4 ? "..." : "";
  std::size_t characters = 0, bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    if (is_continuation(text[bytes])) continue;
    if (characters++ == width - dots.size()) break;
  }
  return std::string(text.substr(0, bytes)) + std::string(dots);
}

std::string shortened_inside(std::string_view text, std::size_t width) {
  const std::size_t length = count_characters(text);
  if (length <= width || width <= 4) return shortened(text, width);
  const std::size_t kept = width - 3, end = kept / 2;
  std::size_t skipped = text.size();
  for (std::size_t characters = 0; characters < end; ++characters) {
    --skipped;
    while (is_continuation(text[skipped])) --skipped;
  }
  return shortened(text, kept - end + 3) + std::string(text.substr(skipped));
}

std::string left_aligned(std::string_view text, std::size_t width) {
  return blanks_around(shortened(text, width), width, 0);
}

std::string right_aligned(std::string_view text, std::size_t width) {
  const std::string fitting = shortened(text, width);
  return blanks_around(fitting, width, width - count_characters(fitting));
}

std::string centered(std::string_view text, std::size_t width) {
  const std::string fitting = shortened(text, width);
  return blanks_around(fitting, width, (width - count_characters(fitting)) / 2);
}

}  // namespace knotwork::figures
