// SPDX-License-Identifier: MIT
// These functions damage files, and forge files with a correct hash.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/test_dice.hpp"
#include "base/test_effort.hpp"
#include "model_file/test_saved_models.hpp"

namespace knotwork::model_file {

inline const std::size_t kFiles = cases_to_run(10'000);

inline std::ptrdiff_t place_in(const Bytes& bytes, Dice& dice) {
  // Half of the changes are in the header, which determines the meaning.
  const bool in_header = dice.below(2) == 0;
  const std::size_t header = std::min(bytes.size(), 8 + header_size(bytes));
  return static_cast<std::ptrdiff_t>(dice.below(in_header ? header : bytes.size()));
}

inline void flip(Bytes& bytes, Dice& dice) {
  for (std::size_t k = 1 + dice.below(8); k > 0; --k) {
    bytes[static_cast<std::size_t>(place_in(bytes, dice))] ^=
        static_cast<std::uint8_t>(1 << dice.below(8));
  }
}

inline void cut(Bytes& bytes, Dice& dice) {
  const std::ptrdiff_t a = place_in(bytes, dice), b = place_in(bytes, dice);
  if (dice.below(2) == 0) {
    bytes.resize(static_cast<std::size_t>(a));  // cuts off the end
  } else {
    bytes.erase(bytes.begin() + std::min(a, b), bytes.begin() + std::max(a, b));
  }
}

// Puts a piece of another file into this file.
inline void splice(Bytes& bytes, const Bytes& other, Dice& dice) {
  const std::ptrdiff_t a = place_in(bytes, dice), b = place_in(other, dice);
  const std::ptrdiff_t most = std::min(std::ssize(bytes) - a, std::ssize(other) - b);
  const auto size = static_cast<std::ptrdiff_t>(1 + dice.below(static_cast<std::size_t>(most)));
  switch (dice.below(3)) {
    case 0:  // overwrites
      std::copy_n(other.begin() + b, size, bytes.begin() + a);
      break;
    case 1:  // inserts
      bytes.insert(bytes.begin() + a, other.begin() + b, other.begin() + b + size);
      break;
    default:  // this file up to here, the other from there
      bytes.resize(static_cast<std::size_t>(a));
      bytes.insert(bytes.end(), other.begin() + b, other.end());
  }
}

inline Bytes damaged_file(const std::vector<Bytes>& files, Dice& dice) {
  Bytes bytes = files[dice.below(files.size())];
  switch (dice.below(3)) {
    case 0:
      flip(bytes, dice);
      break;
    case 1:
      cut(bytes, dice);
      break;
    default:
      splice(bytes, files[dice.below(files.size())], dice);
  }
  return bytes;
}

// Writes the first eight bytes for the new length of the header, and the correct hash.
inline Bytes forged(const Bytes& good, Dice& dice) {
  Bytes header(good.begin() + 8, good.begin() + 8 + static_cast<std::ptrdiff_t>(header_size(good)));
  for (std::size_t k = 1 + dice.below(3); k > 0; --k) {
    const std::size_t at = dice.below(header.size());
    const std::string_view digits = "0123456789";
    if (digits.find(static_cast<char>(header[at])) != std::string_view::npos) {
      // A number may be a size.
      header.insert(header.begin() + static_cast<std::ptrdiff_t>(at), 1 + dice.below(20),
                    static_cast<std::uint8_t>(digits[dice.below(10)]));
    } else {
      header[at] ^= static_cast<std::uint8_t>(1 << dice.below(7));
    }
  }
  return stamped(with_header(good, {header.begin(), header.end()}));
}

}  // namespace knotwork::model_file
