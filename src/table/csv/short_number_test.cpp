// SPDX-License-Identifier: MIT
// Compares numbers read on the fast path with std::from_chars, bit for bit.
#include "table/csv/short_number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork::csv {
namespace {

using Draws = std::mt19937_64;

std::size_t below(Draws& draws, std::size_t bound) {
  return draws() % bound;
}

char one_of(Draws& draws, std::string_view characters) {
  return characters[below(draws, characters.size())];
}

std::string digits(Draws& draws, std::size_t most) {
  std::string text(below(draws, most + 1), '0');
  for (char& digit : text) digit = one_of(draws, "0123456789");
  return text;
}

// Hard cases of rounding: integers near a power of two, and halfway between two doubles.
std::string hard_integer(Draws& draws) {
  const std::uint64_t power = std::uint64_t{1} << (40 + below(draws, 24));
  return std::to_string(power + below(draws, 9) - 4);
}

std::string decimal(Draws& draws) {
  std::string text = below(draws, 3) == 0 ? "-" : "";
  if (below(draws, 6) == 0) text += std::string(below(draws, 9), '0');
  text += below(draws, 4) == 0 ? hard_integer(draws) : digits(draws, 1 + below(draws, 17));
  if (below(draws, 4) != 0) {
    const std::size_t first = text.find_first_of("0123456789");
    const std::size_t sign = first == std::string::npos ? text.size() : first;
    text.insert(sign + below(draws, text.size() - sign + 1), ".");
  }
  if (below(draws, 2) == 0) text += digits(draws, 12);
  if (below(draws, 8) == 0) {
    text += one_of(draws, "eE");
    text += below(draws, 2) == 0 ? "-" : "";
    text += std::to_string(below(draws, 25));
  }
  return text;
}

// Inserts up to a few characters that make the number another number or not a number.
void disturb(Draws& draws, std::string& text) {
  for (std::size_t k = below(draws, 3); k > 0; --k) {
    const char other = one_of(draws, "0123456789.-+eE, \t\r\n\"/:x\x7F\x80\x8A\xB0\xC9\xFF");
    const std::size_t at = below(draws, text.size() + 1);
    if (at < text.size() && below(draws, 2) == 0) {
      text[at] = other;
    } else {
      text.insert(at, 1, other);
    }
  }
}

// Whatever is read as a number is a number, from its first to its last character.
bool same_as_from_chars(const char* text, const Number& number) {
  double value = 0;
  const auto [end, error] = std::from_chars(text, number.end, value);
  return error == std::errc() && end == number.end &&
         std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(number.value);
}

// In memory of exactly the required size, or a little more.
std::vector<char> with_noise_behind(Draws& draws, const std::string& text) {
  std::vector<char> bytes(text.begin(), text.end());
  bytes.push_back(one_of(draws, ",,,\n\r; x."));
  while (bytes.size() < static_cast<std::size_t>(kPlainNumberBytes)) {
    bytes.push_back(one_of(draws, "0123456789.,-\n\xFF"));
  }
  return bytes;
}

TEST(CsvPlainNumber, EveryDecimalIsTheNearestDouble) {
  Draws draws(1);
  std::size_t plain = 0;
  for (int k = 0; k < 2'000'000; ++k) {
    const std::string text = decimal(draws);
    const std::vector<char> bytes = with_noise_behind(draws, text);
    const Number number = plain_number(bytes.data());
    if (number.end == nullptr) continue;
    ++plain;
    ASSERT_TRUE(same_as_from_chars(bytes.data(), number)) << text;
  }
  EXPECT_GT(plain, 500'000u);
}

TEST(CsvPlainNumber, WhatIsNoNumberIsNotRead) {
  Draws draws(2);
  std::size_t plain = 0, other = 0;
  for (int k = 0; k < 1'000'000; ++k) {
    std::string text = decimal(draws);
    disturb(draws, text);
    const std::vector<char> bytes = with_noise_behind(draws, text);
    const Number number = plain_number(bytes.data());
    ++(number.end == nullptr ? other : plain);
    if (number.end == nullptr) continue;
    ASSERT_TRUE(same_as_from_chars(bytes.data(), number)) << text;
  }
  EXPECT_GT(plain, 100'000u);
  EXPECT_GT(other, 100'000u);
}

void expect_plain(const std::string& text) {
  std::string padded = text + ",";
  padded.resize(std::max<std::size_t>(padded.size(), kPlainNumberBytes), '1');
  const Number number = plain_number(padded.data());
  ASSERT_EQ(number.end, padded.data() + text.size()) << text;
  EXPECT_TRUE(same_as_from_chars(padded.data(), number)) << text;
}

TEST(CsvPlainNumber, ReadsEveryNumberOfDigitsThatItPromises) {
  for (const std::string start : {"", "-"}) {
    for (const char digit : {'0', '1', '9'}) {
      for (std::size_t before = 0; before <= 7; ++before) {
        const std::string whole = start + std::string(before, digit);
        if (before > 0) expect_plain(whole);
        for (std::size_t behind = before == 0 ? 1 : 0; before + behind <= 14; ++behind) {
          expect_plain(whole + "." + std::string(behind, digit));
        }
      }
    }
  }
}

TEST(CsvPlainNumber, LeavesTheRestToOthers) {
  for (const std::string text : {"", "-", ".", "-.", "--1", "+1", " 1", "\"1\"", "12345678",
                                 "12345678.5", "1.23456789012345", "inf", "nan", "e5", "x"}) {
    std::string padded = text + ",";
    padded.resize(kPlainNumberBytes, ',');
    EXPECT_EQ(plain_number(padded.data()).end, nullptr) << text;
  }
}

TEST(CsvPlainNumber, LooksAtNoMoreBytesThanItSays) {
  for (const std::string_view text : {"-1.23456789012345", "1.234567890123456", "12345678901234567",
                                      "-1234567.1234567,", "-------1234567890"}) {
    const std::vector<char> bytes(text.begin(), text.end());
    ASSERT_EQ(bytes.size(), static_cast<std::size_t>(kPlainNumberBytes));
    EXPECT_EQ(plain_number(bytes.data()).end != nullptr, text.ends_with(',')) << text;
  }
}

}  // namespace
}  // namespace knotwork::csv
