// SPDX-License-Identifier: MIT
// The numbers that tables are full of, such as 5.2756, -120.22 and 41: a minus or none, then up to
// seven digits, or up to 14 digits and a point among the first eight characters. Eight characters
// are one integer here, so that there is no loop over digits, whose end the processor would have to
// guess.
//
// The result is the nearest double, as of every other way to read a number: 14 digits are an
// integer below 2^53, which a double holds exactly, as it does the powers of ten up to 10^22, and
// their quotient is rounded once (Clinger, How to read floating point numbers accurately, 1990). It
// takes a processor that rounds to nearest, as they all do unless told otherwise.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace knotwork::csv {

struct Number {
  const char* end = nullptr;  // null: there is no number
  double value = 0;
};

// How many bytes from the first on plain_number() may look at, whatever they hold.
inline constexpr std::ptrdiff_t kPlainNumberBytes = 1 + 2 * 8;

namespace plain {

constexpr std::uint64_t in_each_byte(std::uint64_t byte) {
  return byte * 0x0101010101010101;
}

// Eight characters, the first in the lowest byte: digits as 0 to 9, all others as 10 or more.
inline std::uint64_t digit_values(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  return word ^ in_each_byte('0');
}

// The highest bit of each byte that is no digit. What stands behind a byte that no number goes on
// after (not ASCII, so that the sum carries) may count as none too.
inline std::uint64_t non_digits(std::uint64_t values) {
  return ((values + in_each_byte(0x80 - 10)) | values) & in_each_byte(0x80);
}

// Which byte has the lowest bit set.
inline unsigned first_byte(std::uint64_t bits) {
  return static_cast<unsigned>(std::countr_zero(bits)) / 8;
}

// Eight digits as a number: neighbors meet in pairs, and the four pairs at their weights.
inline std::int64_t eight_digits(std::uint64_t values) {
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  const std::uint64_t pairs = values * 10 + (values >> 8);
  const std::uint64_t first_and_third = (pairs & kPairs) * (100 + (std::uint64_t{1000000} << 32));
  const std::uint64_t other_two = ((pairs >> 16) & kPairs) * (1 + (std::uint64_t{10000} << 32));
  return static_cast<std::int64_t>((first_and_third + other_two) >> 32);
}

inline constexpr std::array<std::int64_t, 8> kTens{1,      10,      100,       1'000,
                                                   10'000, 100'000, 1'000'000, 10'000'000};
inline constexpr std::array<double, 15> kPowers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};

inline Number unsigned_number(const char* p) {
  const std::uint64_t values = digit_values(p);
  const std::uint64_t others = non_digits(values);
  if (others == 0) return {};
  const unsigned point = first_byte(others);
  if (p[point] != '.') {
    if (point == 0) return {};
    // The digits move to the end of the word, and zeros go ahead of them.
    return {p + point, static_cast<double>(eight_digits(values << (64 - 8 * point)))};
  }
  const std::uint64_t before = (std::uint64_t{1} << 8 * point) - 1;
  const std::uint64_t digits = (values & before) | ((values >> 8) & ~before);
  unsigned length = 0;
  std::int64_t mantissa = 0;
  if (const std::uint64_t behind = others & (others - 1); behind != 0) {
    length = first_byte(behind);
    if (length == 1) return {};
    mantissa = eight_digits(digits << (72 - 8 * length));
  } else {
    const std::uint64_t next = digit_values(p + 8);
    const std::uint64_t stops = non_digits(next);
    if (stops == 0) return {};
    const unsigned more = first_byte(stops);
    length = 8 + more;
    // In two steps: a shift by all 64 bits, where no digits follow, is not defined.
    mantissa = eight_digits(digits << 8) * kTens[more] + eight_digits(next << 8 << (56 - 8 * more));
  }
  return {p + length, static_cast<double>(mantissa) / kPowers[length - 1 - point]};
}

}  // namespace plain

// The number at `p`, where kPlainNumberBytes can be read. What may follow its end is for the caller
// to judge: 1e5 ends before the e.
inline Number plain_number(const char* p) {
  if constexpr (std::endian::native != std::endian::little) return {};
  // Not `p + (*p == '-')`: where the next cell starts would have to wait for it.
  if (*p != '-') return plain::unsigned_number(p);
  const Number number = plain::unsigned_number(p + 1);
  return {number.end, -number.value};
}

}  // namespace knotwork::csv
