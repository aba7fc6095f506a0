// SPDX-License-Identifier: MIT
#include "table/csv/number_lookalike.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "table/csv/cell_scanner.hpp"

namespace knotwork::csv {
namespace {

using namespace std::string_view_literals;

constexpr std::array kCurrencySigns{"$"sv, "€"sv, "£"sv, "¥"sv, "₹"sv};
constexpr std::array kGroupSigns{" "sv, "'"sv, ","sv, "."sv, "_"sv, "\u00A0"sv, "\u202F"sv, "’"sv};

// Removes every occurrence of the signs.
template <class Signs>
void take_out(std::string& text, const Signs& signs) {
  for (const std::string_view sign : signs) {
    for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos;) {
      text.erase(at, sign.size());
    }
  }
}

bool is_whole_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// One to three digits, then groups of three after separators, and optionally a decimal sign and
// digits.
bool is_grouped(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const auto take_digits = [&] {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('0')) return false;  // 0.037 is a fraction; groups never begin with 0
  const std::size_t first = take_digits();
  bool grouped = false;
  while (!text.empty()) {
    const auto sign = std::find_if(kGroupSigns.begin(), kGroupSigns.end(),
                                   [&](std::string_view s) { return text.starts_with(s); });
    if (sign == kGroupSigns.end()) return false;
    text.remove_prefix(sign->size());
    const std::size_t count = take_digits();
    grouped = grouped || count == 3;
    const bool decimal = (*sign == "," || *sign == ".") && text.empty();
    if (count != 3 && !decimal) return false;
  }
  return grouped && first >= 1 && first <= 3;
}

// Three runs of digits with the same separator, and optionally a time after them.
bool is_date(std::string_view text) {
  std::array<std::size_t, 3> lengths{};
  char separator = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    lengths[k] = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(lengths[k]);
    if (k == 2) break;
    if (text.empty() || "-/."sv.find(text.front()) == std::string_view::npos) return false;
    if (k == 1 && text.front() != separator) return false;
    separator = text.front();
    text.remove_prefix(1);
  }
  const auto [first, second, third] = lengths;
  const bool year_first = first == 4 && third >= 1 && third <= 2;
  const bool year_last = (third == 4 || third == 2) && first >= 1 && first <= 2;
  return (year_first || year_last) && second >= 1 && second <= 2 &&
         (text.empty() || text.front() == ' ' || text.front() == 'T');
}

}  // namespace

std::string_view why_not_a_number(std::string_view text) {
  if (is_date(text)) return "looks like a date; write it as numbers, such as year, month and day";
  if (is_grouped(text)) {
    return "contains groups of digits; write the digits without anything between them";
  }
  std::string number(text);
  take_out(number, kCurrencySigns);
  const bool currency = number.size() != text.size();
  const bool percent = number.ends_with('%');
  if (percent) number.pop_back();
  take_out(number, kGroupSigns);
  if (!(currency || percent) || !is_whole_number(number)) return "";
  return currency ? "contains a currency sign; write the number alone"
                  : "contains a percent sign; write the number alone";
}

}  // namespace knotwork::csv
