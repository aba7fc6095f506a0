// SPDX-License-Identifier: MIT
#include "table/csv/cells/number_style.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "table/csv/cells/formatted_cells.hpp"

namespace knotwork::csv {
namespace {

struct Read {
  std::string prefix, suffix;
  GroupSign group;
  double value;
  bool operator==(const Read&) const = default;
};

std::optional<Read> number_of(std::string_view text, char decimal = '.') {
  const std::optional<StyledNumber> number = take_number(text);
  if (!number || !number->grouped_by(decimal)) return {};
  return Read{std::string(number->prefix), std::string(number->suffix),
              *number->grouped_by(decimal), number->value(decimal)};
}

TEST(NumberStyle, ReadsSignsAroundNumbers) {
  EXPECT_EQ(number_of("$1,234.50"), (Read{"$", "", GroupSign::comma, 1234.5}));
  EXPECT_EQ(number_of("-$12"), (Read{"$", "", GroupSign::none, -12}));
  EXPECT_EQ(number_of("$-12"), (Read{"$", "", GroupSign::none, -12}));
  EXPECT_EQ(number_of("($1,234)"), (Read{"$", "", GroupSign::comma, -1234}));
  EXPECT_EQ(number_of("(12.5)"), (Read{"", "", GroupSign::none, -12.5}));
  EXPECT_EQ(number_of("\u221212 %"), (Read{"", "%", GroupSign::none, -12}));
  EXPECT_EQ(number_of("€ 12"), (Read{"€", "", GroupSign::none, 12}));
  EXPECT_EQ(number_of("12 €"), (Read{"", "€", GroupSign::none, 12}));
  EXPECT_EQ(number_of("USD 12"), (Read{"USD", "", GroupSign::none, 12}));
  EXPECT_EQ(number_of("US$ 12"), (Read{"US$", "", GroupSign::none, 12}));
  EXPECT_EQ(number_of("12%"), (Read{"", "%", GroupSign::none, 12}));
  EXPECT_EQ(number_of("+3.5 km/h"), (Read{"", "km/h", GroupSign::none, 3.5}));
  EXPECT_EQ(number_of(".5kg"), (Read{"", "kg", GroupSign::none, 0.5}));
  EXPECT_EQ(number_of("12 m2"), (Read{"", "m2", GroupSign::none, 12}));
  EXPECT_EQ(number_of("1 200 sq. ft"), (Read{"", "sq. ft", GroupSign::blank, 1200}));
  EXPECT_EQ(number_of("21 °C"), (Read{"", "°C", GroupSign::none, 21}));
}

TEST(NumberStyle, ReadsGroups) {
  EXPECT_EQ(number_of("1,234,567")->value, 1234567);
  EXPECT_EQ(number_of("12,34,567")->value, 1234567);
  EXPECT_EQ(number_of("1 234"), (Read{"", "", GroupSign::blank, 1234}));
  EXPECT_EQ(number_of("1\u00A0234\u202F567"), (Read{"", "", GroupSign::blank, 1234567}));
  EXPECT_EQ(number_of("1'234.5"), (Read{"", "", GroupSign::apostrophe, 1234.5}));
  EXPECT_EQ(number_of("1’234"), (Read{"", "", GroupSign::apostrophe, 1234}));
  EXPECT_EQ(number_of("1_000"), (Read{"", "", GroupSign::underscore, 1000}));
  EXPECT_EQ(number_of("1.234.567,5", ','), (Read{"", "", GroupSign::point, 1234567.5}));
  EXPECT_EQ(number_of("1.234", ','), (Read{"", "", GroupSign::point, 1234}));
  EXPECT_EQ(number_of("12,5", ','), (Read{"", "", GroupSign::none, 12.5}));
  EXPECT_EQ(number_of("1,234", ','), (Read{"", "", GroupSign::none, 1.234}));
  for (const std::string text : {"12,5", "1,23", "0,123", "1,2345", "1234,567", "1,234 567",
                                 "1,234.5.6", "3 4", "10.0.0.1", "1,,234"}) {
    EXPECT_FALSE(number_of(text)) << text;
  }
}

TEST(NumberStyle, NamesAreNoNumbers) {
  for (const std::string text :
       {"", "kg", "$", "%", "Tier 1", "LP001002", "OUT049", "A$", "3+", "<5", "~12", "007 kg",
        "1-2", "1/2", "12:30", "5\"", "1st", "2nd", "3RD", "4th", "5 PM", "12 Jan", "2019Q1",
        "2019Q2", "1e5 kg", "0x10", "12 kg 5", "--12", "+-12", "12--", "$$12", "()", "(kg)", "(",
        "12 \xFF", "12 (est)", "."}) {
    EXPECT_FALSE(number_of(text).has_value() && number_of(text, ',').has_value()) << text;
    EXPECT_FALSE(number_of(text)) << text;
  }
}

RC_GTEST_PROP(NumberStyleProperty, NumbersInEveryStyleComeBack, ()) {
  const auto whole = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000);
  const auto cents = *rc::gen::inRange(0, 100);
  const bool is_negative = *rc::gen::arbitrary<bool>() && (whole > 0 || cents > 0);
  const bool comma = *rc::gen::arbitrary<bool>();
  const std::string group = *rc::gen::elementOf(
      std::vector<std::string>{"", comma ? "." : ",", " ", "'", "_", "\u00A0", "\u202F"});
  std::string digits = std::to_string(whole);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, group);
  }
  if (cents != 0) digits += fmt::format("{}{:02}", comma ? ',' : '.', cents);
  const std::string prefix = *rc::gen::elementOf(std::vector<std::string>{"", "$", "€", "CHF"});
  const std::string suffix =
      *rc::gen::elementOf(std::vector<std::string>{"", "%", "kg", "km/h", "m2", "EUR"});
  const std::string blank = *rc::gen::elementOf(std::vector<std::string>{"", " "});
  std::string text = prefix + (prefix.empty() ? "" : blank) + digits;
  if (!suffix.empty()) text += blank + suffix;
  if (is_negative) text = *rc::gen::arbitrary<bool>() ? "-" + text : "(" + text + ")";
  const bool wide = group.size() > 1;
  FormattedCells cells({.column = {},
                        .prefix = prefix,
                        .suffix = suffix,
                        .group = wide ? " " : group,
                        .decimal_comma = comma});
  double value = 0;
  RC_ASSERT(cells.read(text, value) == CellKind::number);
  const double expected = std::stod(fmt::format("{}{}.{:02}", is_negative ? "-" : "", whole, cents));
  RC_ASSERT(value == expected);
}

RC_GTEST_PROP(NumberStyleProperty, AnyTextIsANumberOrNone, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("0123456789,,..  ''()-$%kg\xC2\xA0\xE2\x80\xAF")));
  for (const char decimal : {'.', ','}) {
    if (const auto number = number_of(text, decimal)) RC_ASSERT(std::isfinite(number->value));
  }
}

}  // namespace
}  // namespace knotwork::csv
