// SPDX-License-Identifier: MIT
#include "figures/drawing/axis.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

namespace knotwork::figures {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(AxisKind kind, const std::vector<double>& values) {
  const Axis axis(kind, values);
  std::vector<std::string> all;
  for (const Tick& tick : axis.ticks()) all.push_back(tick.name);
  return all;
}

TEST(Axis, NamesStandInTheMiddleOfEqualParts) {
  const std::vector<std::string> places = {"red", "", "blue", "green"};
  const Axis axis(places);
  ASSERT_EQ(axis.ticks().size(), 4u);
  EXPECT_EQ(axis.ticks()[2].name, "blue");
  EXPECT_EQ(axis.ticks()[2].share, 0.625);
  EXPECT_EQ(axis.share(2), 0.625);
  EXPECT_EQ(axis.extent(), "-0.5 3.5 linear");
}

TEST(Axis, LinearTicksAreRound) {
  constexpr AxisKind kLinear = AxisKind::linear;
  EXPECT_THAT(names(kLinear, {0, 1}), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(names(kLinear, {-3.1, 3.1}), ElementsAre("-2", "0", "2"));
  EXPECT_THAT(names(kLinear, {0, 1.3}), ElementsAre("0", "0.25", "0.50", "0.75", "1.00", "1.25"));
  EXPECT_THAT(names(kLinear, {0, 1e-5}),
              ElementsAre("0", "0.2\u00B710^-5", "0.4\u00B710^-5", "0.6\u00B710^-5",
                          "0.8\u00B710^-5", "1.0\u00B710^-5"));
  EXPECT_THAT(names(kLinear, {0, 3e6}),
              ElementsAre("0", "0.5\u00B710^6", "1.0\u00B710^6", "1.5\u00B710^6", "2.0\u00B710^6",
                          "2.5\u00B710^6", "3.0\u00B710^6"));
}

TEST(Axis, LogarithmicTicksAreThoseOfTheirData) {
  constexpr AxisKind kLog = AxisKind::logarithmic;
  EXPECT_THAT(names(kLog, {0.01, 30}), ElementsAre("0.01", "0.1", "1", "10"));
  EXPECT_THAT(names(kLog, {1e-9, 2e-3}),
              ElementsAre("10^-9", "10^-8", "10^-7", "10^-6", "10^-5", "10^-4", "10^-3"));
  EXPECT_THAT(names(kLog, {0.04, 1.1}), ElementsAre("0.05", "0.1", "0.2", "0.5", "1"));
  EXPECT_THAT(names(kLog, {1.3, 6}), ElementsAre("2", "3", "5"));
  EXPECT_THAT(names(kLog, {4.1, 4.3}), ElementsAre("4.10", "4.15", "4.20", "4.25", "4.30"));
  EXPECT_THAT(names(kLog, {0.25, 4}), ElementsAre("2^-2", "2^-1", "2^0", "2^1", "2^2"));
}

TEST(Axis, DateTicksAreRoundMoments) {
  constexpr AxisKind kDate = AxisKind::date;
  constexpr double kDay = 86400, k2024 = 1704067200;  // 2024-01-01, in a leap year
  EXPECT_THAT(names(kDate, {k2024, k2024 + 3 * 366 * kDay}),
              ElementsAre("2024", "2025", "2026", "2027"));
  EXPECT_THAT(names(kDate, {k2024, k2024 + 2 * 366 * kDay}),
              ElementsAre("2024-01", "2024-07", "2025-01", "2025-07", "2026-01"));
  EXPECT_THAT(names(kDate, {-30 * 365.25 * kDay, 25 * 365.25 * kDay}),
              ElementsAre("1950", "1960", "1970", "1980", "1990"));
  EXPECT_THAT(names(kDate, {k2024, k2024 + 91 * kDay}),
              ElementsAre("2024-01", "2024-02", "2024-03", "2024-04"));
  EXPECT_THAT(names(kDate, {k2024 + 57 * kDay, k2024 + 61 * kDay}),
              ElementsAre("2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"));
  EXPECT_THAT(names(kDate, {k2024 - 3600, k2024 + 30 * 3600}),
              ElementsAre("01-01 00:00", "01-01 06:00", "01-01 12:00", "01-01 18:00",
                          "01-02 00:00", "01-02 06:00"));
  EXPECT_THAT(names(kDate, {k2024 + 3600, k2024 + 3 * 3600}),
              ElementsAre("01:00", "01:30", "02:00", "02:30", "03:00"));
  EXPECT_THAT(names(kDate, {-4, 5}), ElementsAre("12-31 23:59:56", "12-31 23:59:58",
                                                 "01-01 00:00:00", "01-01 00:00:02",
                                                 "01-01 00:00:04"));
  // A single moment has half a day on either side.
  EXPECT_THAT(names(kDate, {k2024}), ElementsAre("12-31 12:00", "12-31 18:00", "01-01 00:00",
                                          "01-01 06:00", "01-01 12:00"));
  EXPECT_THAT(names(kDate, {-1e30, 1e50}), ::testing::IsEmpty());
  EXPECT_EQ(Axis(kDate, std::vector{0.0, kDay}).extent(), "0 86400 date");
}

RC_GTEST_PROP(Axis, DateTicksAreAFewInOrder, ()) {
  const auto low = static_cast<double>(
      *rc::gen::inRange<std::int64_t>(-900'000'000'000, 900'000'000'000));
  const double width = std::pow(10, *rc::gen::inRange(3, 110) / 10.0);
  const Axis axis(AxisKind::date, std::vector{low, low + width});
  RC_ASSERT(axis.ticks().size() >= 2u && axis.ticks().size() <= 6u);
  for (std::size_t k = 1; k < axis.ticks().size(); ++k) {
    RC_ASSERT(axis.ticks()[k - 1].share < axis.ticks()[k].share);
    RC_ASSERT(axis.ticks()[k - 1].name != axis.ticks()[k].name);
  }
}

TEST(Axis, PlacesItsEndsAndRefusesAPlaceToWhatHasNone) {
  const Axis linear(AxisKind::linear, std::vector<double>{2, NAN, 6, INFINITY, 1e101});
  EXPECT_EQ(linear.share(2), 0);
  EXPECT_EQ(linear.share(5), 0.75);
  EXPECT_EQ(linear.share(6), 1);
  for (const double none : {double{NAN}, double{INFINITY}, -1e101}) {
    EXPECT_TRUE(std::isnan(linear.share(none))) << none;
  }
  const Axis logarithmic(AxisKind::logarithmic, std::vector<double>{0.01, -3, 0, 100}, 0.5);
  EXPECT_DOUBLE_EQ(logarithmic.share(1), 0.5);
  EXPECT_DOUBLE_EQ(logarithmic.share(0.01), 0.25);
  EXPECT_TRUE(std::isnan(logarithmic.share(0)));
}

TEST(Axis, SurvivesDataWithoutARange) {
  for (const AxisKind kind : {AxisKind::linear, AxisKind::logarithmic}) {
    for (const std::vector<double>& values :
         {std::vector<double>{}, {NAN}, {0.0}, {7.0}, {7, std::nextafter(7, 8)}, {-1e-300, 0}}) {
      const Axis axis(kind, values);
      EXPECT_GE(axis.ticks().size(), 2u);
      for (const double value : values) {
        const double share = axis.share(value);
        EXPECT_TRUE(std::isnan(share) || std::abs(share - 0.5) < 1e-6) << value;
      }
    }
  }
}

RC_GTEST_PROP(Axis, AnyDataHasFewTicksOfDifferentNamesWithinTheAxis, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 8);
  auto values = *rc::gen::container<std::vector<double>>(count, rc::gen::arbitrary<double>());
  // Also values of every magnitude.
  for (std::size_t i = 0; i < values.size(); i += 2) {
    values[i] = std::exp(*rc::gen::inRange(-700, 700)) * *rc::gen::element(-1.0, 1.0);
  }
  const double margin = *rc::gen::element(0.0, 0.06);
  for (const AxisKind kind : {AxisKind::linear, AxisKind::logarithmic}) {
    const Axis axis(kind, values, margin);
    std::set<std::string> different;
    for (const Tick& tick : axis.ticks()) {
      RC_ASSERT(tick.share >= -1e-6);
      RC_ASSERT(tick.share <= 1 + 1e-6);
      const double share = axis.share(tick.value);
      RC_ASSERT(std::isnan(share) || std::abs(share - tick.share) < 1e-6);
      RC_ASSERT(different.insert(tick.name).second);
    }
    RC_ASSERT(axis.ticks().size() >= 2u);
    RC_ASSERT(axis.ticks().size() <= 12u);
    for (const double value : values) {
      const double share = axis.share(value);
      RC_ASSERT(std::isnan(share) || (share >= -1e-6 && share <= 1 + 1e-6));
    }
  }
}

}  // namespace
}  // namespace knotwork::figures
