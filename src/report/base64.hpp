// SPDX-License-Identifier: MIT
// Base64: bytes as text (RFC 4648, with padding).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace knotwork::report {

inline std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t taken = bytes.size() - at < 3 ? bytes.size() - at : 3;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < taken ? std::uint32_t{bytes[at + k]} : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= taken ? kDigits[group >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace knotwork::report
