// SPDX-License-Identifier: MIT
#include "export/c/c_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/fail.hpp"

namespace knotwork::exporting {
namespace {

constexpr std::size_t kWidth = 100;

// The code point that begins at `at` and its number of bytes; 0 bytes for invalid UTF-8.
std::pair<std::uint32_t, std::size_t> code_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(text[k]); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return {0, 0};
  std::uint32_t value = first & (0xFFu >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(at + k) & 0xC0) != 0x80) return {0, 0};
    value = value << 6 | (byte(at + k) & 0x3F);
  }
  return {value, length};
}

// Control characters, and characters that change the direction of text; compilers warn of both.
bool is_invisible(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || (c >= 0x200E && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string c_number(double value, Precision precision) {
  const bool single = precision == Precision::float32;
  if (!std::isfinite(value) || (single && !std::isfinite(static_cast<float>(value)))) {
    fail(ErrorKind::bad_model,
         "The model cannot be exported as {}: it contains the number {}, which is too large for "
         "this type.",
         c_type(precision), value);
  }
  std::string text =
      single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}

std::string c_name_part(std::string_view activation) {
  std::string part(activation);
  std::replace(part.begin(), part.end(), '-', '_');
  return part;
}

std::string c_comment_text(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const auto [point, length] = code_point(text, at);
    if (length == 0 || is_invisible(point)) {
      const std::size_t bytes = std::max<std::size_t>(length, 1);
      for (std::size_t k = 0; k < bytes; ++k) {
        append(shown, "\\x{:02x}", static_cast<std::uint8_t>(text[at + k]));
      }
      at += bytes;
      continue;
    }
    // Avoids the beginning and the end of a comment, and trigraphs.
    const char before = shown.empty() ? ' ' : shown.back();
    const bool breaks = (before == '*' && text[at] == '/') || (before == '/' && text[at] == '*') ||
                        (before == '?' && text[at] == '?');
    if (breaks) shown += ' ';
    shown += text.substr(at, length);
    at += length;
  }
  return shown;
}

std::string c_comment_lines(std::string_view text, std::string_view first, std::string_view next) {
  std::string lines, line(first);
  bool empty = true;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (!empty && line.size() + 1 + word.size() > kWidth) {
      lines += line + "\n";
      line = next;
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
  }
  return lines + line + "\n";
}

std::string c_array(std::string_view declaration, std::span<const double> values,
                    Precision precision, parallel::WatchedWork& work,
                    std::size_t second_dimension) {
  constexpr std::size_t kBetweenSteps = 4096;
  std::string text = fmt::format("static const {} {} = {{", c_type(precision), declaration);
  std::string line = "\n   ";
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool begins = second_dimension > 0 && k % second_dimension == 0;
    const bool ends = second_dimension > 0 && (k + 1) % second_dimension == 0;
    const std::string number =
        fmt::format("{}{}{}{}", begins ? "{" : "", c_number(values[k], precision), ends ? "}" : "",
                    k + 1 < values.size() ? "," : "};\n");
    if (line.size() + 1 + number.size() > kWidth) {
      text += line;
      line = "\n   ";
    }
    line += ' ';
    line += number;
    if ((k + 1) % kBetweenSteps == 0) work.advance(kBetweenSteps);
  }
  work.advance(static_cast<double>(values.size() % kBetweenSteps));
  return text + line;
}

}  // namespace knotwork::exporting
