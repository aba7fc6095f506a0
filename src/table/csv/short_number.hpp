// SPDX-License-Identifier: MIT
// plain_number() reads the numbers that are most common in tables, such as 5.2756, -120.22 and 41:
// an optional minus, then up to seven digits, or up to 14 digits with a point among the first eight
// characters. It handles eight characters as one integer, so that there is no loop over digits
// whose end the processor would have to predict.
//
// The result is the nearest double, as with every other way to read a number: 14 digits are an
// integer below 2^53, which is exact in double, as are the powers of ten up to 10^22, and their
// quotient is rounded once (Clinger, How to read floating point numbers accurately, 1990). This
// requires rounding to nearest, the default mode of all processors.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace knotwork::csv {

struct Number {
  const char* end = nullptr;  // null: no number was found
  double value = 0;
};

// plain_number() may read this many bytes from its first one, whatever they are.
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

// The highest bit of each byte that is not a digit. After a byte that is not ASCII (the sum
// carries) a byte may be reported wrongly, but no number continues there.
inline std::uint64_t non_digits(std::uint64_t values) {
  return ((values + in_each_byte(0x80 - 10)) | values) & in_each_byte(0x80);
}

// Index of the byte with the lowest set bit.
inline unsigned first_byte(std::uint64_t bits) {
  return static_cast<unsigned>(std::countr_zero(bits)) / 8;
}

// Eight digits as a number: adjacent digits are combined into pairs, and the four pairs by their
// weights.
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
    // Shifts the digits to the end of the word, with zeros before them.
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
    // In two steps, because a shift by all 64 bits (if no digits follow) is undefined.
    mantissa = eight_digits(digits << 8) * kTens[more] + eight_digits(next << 8 << (56 - 8 * more));
  }
  return {p + length, static_cast<double>(mantissa) / kPowers[length - 1 - point]};
}

}  // namespace plain

// The number at `p`, where kPlainNumberBytes must be readable. The caller checks what follows its
// end: 1e5 ends before the e.
inline Number plain_number(const char* p) {
  if constexpr (std::endian::native != std::endian::little) return {};
  // Not `p + (*p == '-')`: the start of the next cell would then depend on it.
  if (*p != '-') return plain::unsigned_number(p);
  const Number number = plain::unsigned_number(p + 1);
  return {number.end, -number.value};
}

}  // namespace knotwork::csv
