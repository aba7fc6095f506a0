// SPDX-License-Identifier: MIT
// Numbers as text: read as 0.001, 1e-3 or 10^-3, written so that they read back exactly.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace knotwork::searching {

// Up to here every whole number is a double of its own.
inline constexpr double kLargestWhole = 9007199254740992.0;

struct Power {
  double base = 0;      // above 0
  double exponent = 0;  // a whole number
};
struct Number {
  double value = 0;
  std::optional<Power> power;  // if it was written as one
};

// Nothing if the text is no finite number.
std::optional<Number> read_number(std::string_view text);
// Without exponent where it is whole and no larger than kLargestWhole: options of whole numbers
// read digits only.
std::string write_number(double value);
// To so many significant digits, as the nearest double to the decimal; the value itself where that
// would be none, next to the largest double, or where it is not finite.
double rounded(double value, int digits);
// Fails unless low <= value <= high.
void check_between(std::string_view name, std::size_t value, std::size_t low, std::size_t high);

}  // namespace knotwork::searching
