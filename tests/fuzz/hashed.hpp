// SPDX-License-Identifier: MIT
// These functions are for fuzz targets whose files contain their own hash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"

namespace knotwork::fuzz {

using Bytes = std::vector<std::uint8_t>;

inline void put_hash_right(Bytes& bytes) {
  constexpr std::string_view kKey = R"(\"sha256\":\")";
  constexpr std::ptrdiff_t kDigits = 64;
  const auto key = std::find_end(bytes.begin(), bytes.end(), kKey.begin(), kKey.end());
  const auto room = static_cast<std::size_t>(bytes.end() - key);
  if (room < kKey.size() + kDigits) return;
  const auto digits = key + static_cast<std::ptrdiff_t>(kKey.size());
  std::fill(digits, digits + kDigits, std::uint8_t{'0'});
  Sha256 sha;
  sha.update(bytes);
  const std::string hash = sha.hex_digest();
  std::copy(hash.begin(), hash.end(), digits);
}

}  // namespace knotwork::fuzz
