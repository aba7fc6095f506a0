// SPDX-License-Identifier: MIT
#include "search/strategies/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include <knotwork/search.hpp>

#include "base/fail.hpp"

namespace knotwork {

using namespace searching;
namespace {

std::optional<double> read_plain(std::string_view text) {
  double value = 0;
  const char* end_of_text = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), end_of_text, value);
  if (error != std::errc() || end != end_of_text || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

double number_of(std::string_view value) {
  const std::optional<Number> number = read_number(value);
  return number ? number->value : std::numeric_limits<double>::quiet_NaN();
}

std::optional<Number> searching::read_number(std::string_view text) {
  const std::size_t hat = text.find('^');
  const std::optional<double> first = read_plain(text.substr(0, hat));
  if (!first || hat == std::string_view::npos) {
    return first ? std::optional(Number{*first, std::nullopt}) : std::nullopt;
  }
  const std::optional<double> exponent = read_plain(text.substr(hat + 1));
  if (!exponent || *first <= 0 || *exponent != std::round(*exponent)) return std::nullopt;
  const double value = std::pow(*first, *exponent);
  // A power that underflows to 0 is not the number that the user meant.
  if (!std::isfinite(value) || value == 0) return std::nullopt;
  return Number{value, Power{*first, *exponent}};
}

std::string searching::write_number(double value) {
  if (value == std::round(value) && std::abs(value) <= kLargestWhole) {
    return fmt::format("{}", static_cast<std::int64_t>(value));
  }
  return fmt::format("{}", value);
}

double searching::rounded(double value, int digits) {
  return read_plain(fmt::format("{:.{}e}", value, digits - 1)).value_or(value);
}

void searching::check_between(std::string_view name, std::size_t value, std::size_t low,
                              std::size_t high) {
  if (value >= low && value <= high) return;
  fail(ErrorKind::bad_option, "{} must be from {} to {}, not {}.", name, low, high, value);
}

}  // namespace knotwork
