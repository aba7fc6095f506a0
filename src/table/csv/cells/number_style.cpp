// SPDX-License-Identifier: MIT
#include "table/csv/cells/number_style.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork::csv {
namespace {

using namespace std::string_view_literals;

// Longer ones before their own beginnings.
constexpr std::array kCurrencies{
    "US$"sv, "AU$"sv, "CA$"sv, "NZ$"sv, "HK$"sv, "A$"sv,  "C$"sv,  "S$"sv,  "R$"sv,  "$"sv,
    "€"sv,   "£"sv,   "¥"sv,   "₹"sv,   "₩"sv,   "₽"sv,   "₺"sv,   "₪"sv,   "฿"sv,   "₫"sv,
    "₴"sv,   "₦"sv,   "Rs."sv, "Rs"sv,  "kr."sv, "kr"sv,  "zł"sv,  "Kč"sv,  "Fr."sv, "Ft"sv,
    "USD"sv, "EUR"sv, "GBP"sv, "CHF"sv, "JPY"sv, "CNY"sv, "INR"sv, "CAD"sv, "AUD"sv, "NZD"sv,
    "SEK"sv, "NOK"sv, "DKK"sv, "PLN"sv, "CZK"sv, "HUF"sv, "RUB"sv, "BRL"sv, "MXN"sv, "ZAR"sv,
    "KRW"sv, "SGD"sv, "HKD"sv, "TRY"sv, "ILS"sv, "THB"sv, "IDR"sv, "MYR"sv, "PHP"sv, "AED"sv,
    "SAR"sv, "EGP"sv, "NGN"sv, "KES"sv, "PKR"sv, "BDT"sv, "VND"sv, "TWD"sv, "UAH"sv, "RON"sv};
// Words after numbers that are no units: 1st, 5 PM, 12 Jan.
constexpr std::array kNoUnits{"st"sv,  "nd"sv,  "rd"sv,  "th"sv,  "am"sv,  "pm"sv,
                              "jan"sv, "feb"sv, "mar"sv, "apr"sv, "may"sv, "jun"sv,
                              "jul"sv, "aug"sv, "sep"sv, "oct"sv, "nov"sv, "dec"sv};
constexpr std::array kWideBlanks{"\u00A0"sv, "\u202F"sv, "\u2009"sv};
constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kCurledApostrophe = "’";

bool take_start(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

bool take_blank(std::string_view& text) {
  return take_start(text, " ") ||
         std::any_of(kWideBlanks.begin(), kWideBlanks.end(),
                     [&](std::string_view blank) { return take_start(text, blank); });
}

void skip_blanks(std::string_view& text) {
  while (take_blank(text)) {
  }
}

void drop_blanks_behind(std::string_view& text) {
  const auto ends = [&](std::string_view blank) {
    if (!text.ends_with(blank)) return false;
    text.remove_suffix(blank.size());
    return true;
  };
  while (ends(" ") || std::any_of(kWideBlanks.begin(), kWideBlanks.end(), ends)) {
  }
}

// A sign, with blanks behind it.
bool take_sign(std::string_view& text, bool& is_negative) {
  const bool minus = take_start(text, "-") || take_start(text, kMinus);
  if (!minus && !take_start(text, "+")) return false;
  is_negative = is_negative || minus;
  skip_blanks(text);
  return true;
}

GroupSign take_group_sign(std::string_view& text) {
  if (take_start(text, ",")) return GroupSign::comma;
  if (take_start(text, ".")) return GroupSign::point;
  if (take_start(text, "_")) return GroupSign::underscore;
  if (take_start(text, "'") || take_start(text, kCurledApostrophe)) return GroupSign::apostrophe;
  return take_blank(text) ? GroupSign::blank : GroupSign::none;
}

bool starts_with_digit(std::string_view text) {
  return !text.empty() && is_digit(text.front());
}

// Digits, and signs that are followed by a digit.
std::string_view take_digits(std::string_view& text) {
  const std::string_view start = text;
  while (!text.empty()) {
    std::string_view after = text;
    if (is_digit(text.front())) {
      after.remove_prefix(1);
    } else if (take_group_sign(after) == GroupSign::none || !starts_with_digit(after)) {
      break;
    }
    text = after;
  }
  return start.substr(0, start.size() - text.size());
}

std::string_view take_currency(std::string_view& text) {
  if (text.empty() || is_digit(text.front())) return {};
  const auto* const found =
      std::find_if(kCurrencies.begin(), kCurrencies.end(),
                   [&](std::string_view currency) {
                     return currency.front() == text.front() && text.starts_with(currency);
                   });
  if (found == kCurrencies.end()) return {};
  text.remove_prefix(found->size());
  return *found;
}

bool is_unit_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// A word such as kg, km/h, m2 or "sq. ft", or a percent sign.
bool is_unit(std::string_view text) {
  constexpr std::size_t kLongest = 20;
  if (text == "%") return true;
  if (text.empty() || text.size() > kLongest || !is_utf8(text)) return false;
  if (!is_unit_letter(text.front()) && text.front() != '$') return false;
  for (std::size_t k = 1; k < text.size(); ++k) {
    const char c = text[k], before = text[k - 1];
    const bool is_power = (c == '2' || c == '3') && k + 1 == text.size() &&
                          "mtn^"sv.find(before) != std::string_view::npos;
    const bool is_sign = "./^%$"sv.find(c) != std::string_view::npos || (c == ' ' && before != ' ');
    if (!is_unit_letter(c) && !is_power && !is_sign) return false;
  }
  if (text.size() > 3) return true;
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::find(kNoUnits.begin(), kNoUnits.end(), lower) == kNoUnits.end();
}

struct Parts {
  std::string_view whole, fraction;
};

// Divides the digits at the decimal sign, if there is one. Empty if there are several.
std::optional<Parts> parts_of(std::string_view digits, char decimal) {
  const std::size_t at = digits.find(decimal);
  if (at == std::string_view::npos) return Parts{digits, {}};
  const Parts parts{digits.substr(0, at), digits.substr(at + 1)};
  return std::all_of(parts.fraction.begin(), parts.fraction.end(), is_digit) ? std::optional(parts)
                                                                            : std::nullopt;
}

}  // namespace

std::string_view text_of(GroupSign sign) {
  static constexpr std::array<std::string_view, kGroupSignCount> kTexts{"", ",", ".", " ", "'", "_"};
  return kTexts[static_cast<std::size_t>(sign)];
}

std::optional<GroupSign> group_sign(std::string_view text) {
  for (std::size_t k = 0; k < kGroupSignCount; ++k) {
    if (text == text_of(static_cast<GroupSign>(k))) return static_cast<GroupSign>(k);
  }
  return {};
}

// Groups have three digits, the first one to three. After commas all groups but the last may have
// two digits, as in India: 12,34,567.
std::optional<GroupSign> StyledNumber::grouped_by(char decimal) const {
  const std::optional<Parts> parts = parts_of(digits, decimal);
  if (!parts) return {};
  std::string_view rest = parts->whole;
  const auto take_group = [&] {
    const std::size_t size = std::min(rest.find_first_not_of("0123456789"), rest.size());
    rest.remove_prefix(size);
    return size;
  };
  const std::size_t first = take_group();
  if (rest.empty()) return GroupSign::none;
  if (first < 1 || first > 3 || digits.front() == '0') return {};
  GroupSign sign = GroupSign::none;
  bool threes = true, twos = first <= 2;
  while (!rest.empty()) {
    const GroupSign next = take_group_sign(rest);
    if (sign != GroupSign::none && next != sign) return {};
    sign = next;
    const std::size_t size = take_group();
    threes = threes && size == 3;
    twos = twos && size == (rest.empty() ? 3u : 2u);
  }
  if (threes || (twos && sign == GroupSign::comma)) return sign;
  return {};
}

double StyledNumber::value(char decimal) const {
  const Parts parts = parts_of(digits, decimal).value();
  std::string plain = is_negative ? "-" : "";
  std::copy_if(parts.whole.begin(), parts.whole.end(), std::back_inserter(plain), is_digit);
  if (!parts.fraction.empty()) plain.append(".").append(parts.fraction);
  double number = 0;
  parse_number(plain, number);
  return number;
}

std::optional<StyledNumber> take_number(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  if (text.size() > kLongest) return {};
  StyledNumber number;
  if (text.starts_with('(') && text.ends_with(')')) {
    number.is_negative = true;
    text = text.substr(1, text.size() - 2);
    skip_blanks(text);
    drop_blanks_behind(text);
  }
  const bool has_sign = !number.is_negative && take_sign(text, number.is_negative);
  number.prefix = take_currency(text);
  skip_blanks(text);
  if (!has_sign && !number.is_negative && !number.prefix.empty()) {
    take_sign(text, number.is_negative);
  }
  number.digits = take_digits(text);
  skip_blanks(text);
  number.suffix = text;
  const std::string_view digits = number.digits;
  const bool is_fraction = !digits.empty() && (digits.front() == '.' || digits.front() == ',');
  if (digits.empty() || (!is_fraction && !starts_with_digit(digits))) return {};
  // 007 is a name.
  if (digits.front() == '0' && starts_with_digit(digits.substr(1))) return {};
  if (!number.suffix.empty() && !is_unit(number.suffix)) return {};
  return number;
}

}  // namespace knotwork::csv
