// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <knotwork/error.hpp>
#include <knotwork/search.hpp>

#include "search/strategies/numbers.hpp"

namespace knotwork::searching {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Values = std::vector<std::string>;

Values values_of(const std::string& text) {
  return parse_dimension(text).values;
}

Values whole_values_of(const std::string& text) {
  return parse_dimension(text, [](std::string_view option) { return option == "batch"; }).values;
}

std::string refusal_of(const std::string& text) {
  try {
    whole_values_of(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    return error.what();
  }
  return "nothing was wrong";
}

TEST(Numbers, RoundingKeepsWhatHasNoRoundedDouble) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rounded(1.2345, 3), 1.23);
  EXPECT_EQ(rounded(kLargest, 3), kLargest) << "1.80e308 is none";
  EXPECT_EQ(rounded(-kLargest, 3), -kLargest);
  EXPECT_EQ(rounded(kInfinity, 3), kInfinity);
  EXPECT_EQ(rounded(std::numeric_limits<double>::denorm_min(), 3),
            std::numeric_limits<double>::denorm_min());
}

TEST(Numbers, AreWrittenWhateverTheyAre) {
  EXPECT_EQ(write_number(kLargestWhole), "9007199254740992");
  EXPECT_EQ(write_number(-kLargestWhole), "-9007199254740992");
  EXPECT_EQ(write_number(1e300), "1e+300");
  EXPECT_EQ(write_number(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(write_number(-0.0), "0");
}

TEST(Dimension, ListsAreTakenAsTheyAre) {
  const Dimension hidden = parse_dimension("hidden=20|40|20,20");
  EXPECT_EQ(hidden.option, "hidden");
  EXPECT_THAT(hidden.values, ElementsAre("20", "40", "20,20"));
  EXPECT_FALSE(hidden.range);
  EXPECT_THAT(values_of("activation=spline|tanh"), ElementsAre("spline", "tanh"));
  EXPECT_THAT(values_of("seed=18446744073709551615|1e-3"),
              ElementsAre("18446744073709551615", "1e-3"));
  EXPECT_THAT(values_of("loss=squared"), ElementsAre("squared"));
  EXPECT_THAT(values_of("note=a=b|c"), ElementsAre("a=b", "c"));
}

TEST(Dimension, PowersInListsBecomeNumbers) {
  EXPECT_THAT(values_of("lambda-w=2^-3|2^4|0.1"), ElementsAre("0.125", "16", "0.1"));
}

TEST(Dimension, ARangeOfPowersHasAllOfThem) {
  EXPECT_EQ(parse_dimension("lambda-w=0.5^3..0.5^1").values.size(), 3u);
  const Dimension dimension = parse_dimension("lambda-w=2^-20..2^5");
  ASSERT_EQ(dimension.values.size(), 26u);
  for (int k = 0; k < 26; ++k) {
    EXPECT_EQ(read_number(dimension.values[static_cast<std::size_t>(k)])->value,
              std::ldexp(1, k - 20));
  }
  EXPECT_TRUE(dimension.range->logarithmic);
  EXPECT_EQ(dimension.range->low, 0x1p-20);
  EXPECT_EQ(dimension.range->high, 32);
  EXPECT_THAT(values_of("lambda-w=10^-3..10^1"), ElementsAre("0.001", "0.01", "0.1", "1", "10"));
}

TEST(Dimension, OtherRangesHaveFivePointsUnlessTold) {
  EXPECT_THAT(values_of("lambda-w=1e-4..1"), ElementsAre("0.0001", "0.001", "0.01", "0.1", "1"));
  EXPECT_THAT(values_of("lambda-w=0..1"), ElementsAre("0", "0.25", "0.5", "0.75", "1"));
  EXPECT_THAT(values_of("lambda-w=-1..1:3"), ElementsAre("-1", "0", "1"));
  EXPECT_THAT(values_of("lambda-w=1..2:3"), ElementsAre("1", "1.41421", "2"));
  EXPECT_THAT(values_of("lambda-w=2^-10..2^0:3"), ElementsAre("0.0009765625", "0.03125", "1"));
  EXPECT_THAT(values_of("lambda-w=2^0..2^1:3"), ElementsAre("1", "1.41421", "2"));
  EXPECT_THAT(values_of("lambda-w=2^-2..10^0:2"), ElementsAre("0.25", "1"));
}

TEST(Dimension, WholeNumbersStayWhole) {
  EXPECT_THAT(whole_values_of("batch=16..256"), ElementsAre("16", "32", "64", "128", "256"));
  EXPECT_THAT(whole_values_of("batch=1..9"), ElementsAre("1", "2", "3", "5", "9"));
  EXPECT_THAT(whole_values_of("batch=1..3:9"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(whole_values_of("batch=1..5"), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(whole_values_of("batch=2..7:6"), ElementsAre("2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(whole_values_of("batch=2^0..2^2"), ElementsAre("1", "2", "4"));
  EXPECT_THAT(whole_values_of("batch=9007199254740991..9007199254740992"),
              ElementsAre("9007199254740991", "9007199254740992"));
}

TEST(Dimension, SaysWhatIsWrong) {
  EXPECT_THAT(refusal_of("lambda-w"), HasSubstr("'lambda-w' gives no values to search; write"));
  EXPECT_THAT(refusal_of("=1|2"),
              HasSubstr("'=1|2' is not an option with values; write the option"));
  EXPECT_THAT(refusal_of("hidden="), HasSubstr("'hidden=' has an empty value; write values as in"));
  EXPECT_THAT(refusal_of("hidden=1||2"), HasSubstr("has an empty value"));
  EXPECT_THAT(refusal_of("hidden=1|2|"), HasSubstr("has an empty value"));
  EXPECT_THAT(refusal_of("a=1|2|1"), HasSubstr("'a=1|2|1' has the value 1 twice"));
  EXPECT_THAT(refusal_of("a=0.1|1e-1"), HasSubstr("has the value 1e-1 twice"));
  EXPECT_THAT(refusal_of("a=1|2..3"), HasSubstr("has the range 2..3 in a list; write either"));
  EXPECT_THAT(refusal_of("a=1..0.1"),
              HasSubstr("'a=1..0.1' does not ascend; write the smaller end of a range first"));
  EXPECT_THAT(refusal_of("a=1..1"), HasSubstr("a single value as a=1."));
  for (const char* text : {"a=x..1", "a=..1", "a=1..", "a=nan..1", "a=1..inf", "a=1..2^2000",
                           "a=2^-2000..1", "a=-2^3..1", "a=2^0.5..3", "a=2^..3", "a=1:2..3"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("is not a finite number; write a range as in a="))
        << text;
  }
  for (const char* text : {"a=1..2:", "a=1..2:1", "a=1..2:-3", "a=1..2:2.5", "a=1..2:10001"}) {
    EXPECT_THAT(refusal_of(text),
                HasSubstr("after the colon; the number of points must be a whole number from 2 to"))
        << text;
  }
  EXPECT_THAT(refusal_of("a=1.01^0..1.01^20000"),
              HasSubstr("has 20001 powers, but a range has at most 10000"));
  EXPECT_THAT(refusal_of("batch=0.5..8"), HasSubstr("the end 0.5, but batch takes whole numbers"));
  EXPECT_THAT(refusal_of("batch=1..1e17"), HasSubstr("but batch takes whole numbers"));
}

RC_GTEST_PROP(Dimension, PointsOfARangeRiseFromEndToEndAndReadBack, ()) {
  const double low = *rc::gen::map(rc::gen::inRange(-1000000, 1000000),
                                   [](int k) { return static_cast<double>(k) / 1024; });
  const double high = low + *rc::gen::map(rc::gen::inRange(1, 1000000),
                                          [](int k) { return static_cast<double>(k) / 64; });
  const int count = *rc::gen::inRange(2, 60);
  const Values values =
      values_of("x=" + write_number(low) + ".." + write_number(high) + ":" + std::to_string(count));
  RC_ASSERT(values.size() <= static_cast<std::size_t>(count));
  std::vector<double> numbers;
  for (const std::string& value : values) {
    numbers.push_back(read_number(value)->value);
    RC_ASSERT(write_number(numbers.back()) == value);
  }
  RC_ASSERT(std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) ==
            numbers.end());
  RC_ASSERT(numbers.front() == low);
  RC_ASSERT(numbers.back() == high);
}

TEST(Dimension, MessagesQuoteShortPrintableText) {
  EXPECT_THAT(refusal_of("a\x1b[2J\n"), HasSubstr("'a\\x1b[2J\\n' gives no values to search"));
  EXPECT_THAT(refusal_of("a=1|\x07..2"), HasSubstr("has the range \\x07..2 in a list"));
  EXPECT_THAT(refusal_of("a=1..\xff"),
              HasSubstr("has the end '\\xff', which is not a finite number"));
  EXPECT_THAT(refusal_of("a=1..2:\r"), HasSubstr("has '\\r' after the colon"));
  const std::string refusal = refusal_of(std::string(1000, 'x'));
  EXPECT_THAT(refusal, HasSubstr(std::string(40, 'x') + "..."));
  EXPECT_THAT(refusal, ::testing::Not(HasSubstr(std::string(41, 'x'))));
}

}  // namespace
}  // namespace knotwork::searching
