// SPDX-License-Identifier: MIT
#include "data/csv_text.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <system_error>

namespace knotwork::csv {
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

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

NumberText parse_number(std::string_view cell, double& value, char decimal) {
  if (cell.starts_with('+')) {
    cell.remove_prefix(1);
    if (cell.starts_with('-') || cell.starts_with('+')) return NumberText::word;
  }
  const char* const end = cell.data() + cell.size();
  double read = 0;
  const auto result = fast_float::from_chars_advanced(
      cell.data(), end, read,
      fast_float::parse_options{fast_float::chars_format::general, decimal});
  const bool out_of_range = result.ec == std::errc::result_out_of_range;
  if ((result.ec != std::errc() && !out_of_range) || result.ptr != end) return NumberText::word;
  if (!std::isfinite(read)) {
    // Versions of fast_float differ in whether they report 1e999 as an error or as infinity.
    const bool digits =
        std::any_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !std::isnan(read) ? NumberText::out_of_range : NumberText::not_finite;
  }
  value = read;
  return NumberText::number;
}

bool is_missing_word(std::string_view cell) {
  static constexpr std::array<std::string_view, 6> kMarkers{"na",   "n/a",  "nan",
                                                            "null", "none", "?"};
  constexpr std::size_t kLongest = 4;
  if (cell.size() > kLongest) return false;
  return std::any_of(kMarkers.begin(), kMarkers.end(), [&](std::string_view marker) {
    return std::equal(cell.begin(), cell.end(), marker.begin(), marker.end(),
                      [](char a, char b) { return lower(a) == b; });
  });
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMostBytes = 40;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (at >= kMostBytes) return out + "...";
    const std::size_t length = code_point_length(text, at);
    const unsigned char byte = static_cast<unsigned char>(text[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      switch (byte) {
        case '\n':
          out += "\\n";
          break;
        case '\r':
          out += "\\r";
          break;
        case '\t':
          out += "\\t";
          break;
        default:
          fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
      }
      ++at;
      continue;
    }
    out += text.substr(at, length);
    at += length;
  }
  return out;
}

std::string shown_option(std::string_view option, std::string_view value) {
  std::string out = shown(value);
  const bool plain = std::all_of(out.begin(), out.end(), [](char c) {
    const char letter = lower(c);
    return (letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view("_-+.,:/%@").find(c) != std::string_view::npos;
  });
  if (!plain || out.empty()) {
    const char quote = out.find('\'') == std::string::npos ? '\'' : '"';
    out = quote + out + quote;
  }
  return fmt::format("{}{}{}", option, value.starts_with('-') ? "=" : " ", out);
}

std::string delimiter_advice(const std::vector<std::string>& names) {
  if (names.size() != 1) return "";
  const std::size_t at = names.front().find_first_of(";\t|,: ");
  if (at == std::string::npos) return "";
  const char found = names.front()[at];
  const std::string sign = found == ' '    ? "space"
                           : found == '\t' ? "tab"
                                           : fmt::format("'{}'", found);
  return fmt::format(" (is '{}' more than one? --delimiter {} divides it)", shown(names.front()),
                     sign);
}

}  // namespace knotwork::csv
