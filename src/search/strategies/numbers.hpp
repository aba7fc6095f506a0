// SPDX-License-Identifier: MIT
// Numbers as text: they are read as 0.001, 1e-3 or 10^-3, and written so that reading restores them
// exactly.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace knotwork::searching {

// Up to this number, every whole number is exact as a double.
inline constexpr double kLargestWhole = 9007199254740992.0;

struct Power {
  double base = 0;      // above 0
  double exponent = 0;  // a whole number
};
struct Number {
  double value = 0;
  std::optional<Power> power;  // if the text was a power
};

// Nothing if the text is not a finite number.
std::optional<Number> read_number(std::string_view text);
// Written without an exponent if the value is whole and at most kLargestWhole, because options with
// whole numbers read digits only.
std::string write_number(double value);
// Rounded to `digits` significant digits, as the double nearest to the decimal; `value` itself if
// it is not finite, or if the rounded value would not be (next to the largest double).
double rounded(double value, int digits);
// Fails unless low <= value <= high.
void check_between(std::string_view name, std::size_t value, std::size_t low, std::size_t high);

}  // namespace knotwork::searching
