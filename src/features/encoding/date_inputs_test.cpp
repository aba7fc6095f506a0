// SPDX-License-Identifier: MIT
// Tests of columns of dates as inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <knotwork/encoding.hpp>

namespace knotwork::features::date_inputs_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kDay = 86400, kHour = 3600;
// 2024-02-29 12:00 UTC, a Thursday.
constexpr double kLeapDay = 1709208000;

Table dates(std::vector<double> cells) {
  return {.source = "some.csv",
          .names = {"sold"},
          .columns = {std::move(cells)},
          .labels = {},
          .dates = {true}};
}

Encoding fit(const Table& table) {
  std::vector<std::size_t> rows(table.rows());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = r;
  return fit_encoding(table, std::vector<std::size_t>{0}, rows);
}

std::vector<std::string> names_of(const Encoding& encoding) {
  std::vector<std::string> names;
  for (const InputColumn& input : encoding.inputs) names.push_back(input.name());
  return names;
}

TEST(DatePart, KnownValues) {
  constexpr double kTurn = 2 * std::numbers::pi;
  EXPECT_EQ(date_part(DatePart::elapsed, kLeapDay), 19782.5);
  EXPECT_EQ(date_part(DatePart::year, kLeapDay), 2024);
  EXPECT_NEAR(date_part(DatePart::month_sin, kLeapDay), std::sin(kTurn / 12), 1e-15);
  EXPECT_NEAR(date_part(DatePart::month_cos, kLeapDay), std::cos(kTurn / 12), 1e-15);
  EXPECT_NEAR(date_part(DatePart::weekday_sin, kLeapDay), std::sin(kTurn * 4 / 7), 1e-15);
  EXPECT_NEAR(date_part(DatePart::weekday_cos, kLeapDay), std::cos(kTurn * 4 / 7), 1e-15);
  EXPECT_NEAR(date_part(DatePart::hour_sin, kLeapDay), 0, 1e-15);
  EXPECT_NEAR(date_part(DatePart::hour_cos, kLeapDay), -1, 1e-15);
}

TEST(ShortDate, HasATimeWhereItIsNotMidnight) {
  EXPECT_EQ(short_date(kLeapDay), "2024-02-29 12:00");
  EXPECT_EQ(short_date(kLeapDay - 12 * kHour), "2024-02-29");
  EXPECT_EQ(short_date(-1), "1969-12-31 23:59");
  EXPECT_EQ(short_date(-62135596800), "0001-01-01");
  EXPECT_EQ(short_date(kNaN), "nan");
}

TEST(DatePart, WorksBefore1970AndForAnyNumber) {
  EXPECT_EQ(date_part(DatePart::year, -1), 1969);
  EXPECT_NEAR(date_part(DatePart::month_cos, -1), std::cos(2 * std::numbers::pi * 11 / 12), 1e-15);
  for (const double seconds : {1e300, -1e300, 1e18}) {
    EXPECT_TRUE(std::isfinite(date_part(DatePart::year, seconds)));
    EXPECT_LE(std::abs(date_part(DatePart::hour_sin, seconds)), 1);
  }
  EXPECT_TRUE(std::isnan(date_part(DatePart::year, kNaN)));
}

TEST(DateInputs, AreThePartsThatVary) {
  // Days of one week at the same time.
  EXPECT_THAT(names_of(fit(dates({kLeapDay, kLeapDay + kDay / 2 * 2, kLeapDay - kDay}))),
              ElementsAre("sold: elapsed", "sold: month_sin", "sold: month_cos",
                          "sold: weekday_sin", "sold: weekday_cos"));
  // Hours of one day.
  EXPECT_THAT(names_of(fit(dates({kLeapDay, kLeapDay + kHour, kLeapDay + 2 * kHour}))),
              ElementsAre("sold: hour_sin", "sold: hour_cos"));
  EXPECT_THAT(names_of(fit(dates({kLeapDay, kLeapDay + 366 * kDay, kLeapDay + 30 * kHour}))),
              ElementsAre("sold: elapsed", "sold: year", "sold: month_sin", "sold: month_cos",
                          "sold: weekday_sin", "sold: weekday_cos", "sold: hour_sin",
                          "sold: hour_cos"));
}

TEST(DateInputs, AMissingDateHasAValueAndAnIndicator) {
  const Table table = dates({kLeapDay, kNaN, kLeapDay + 4 * kDay, kLeapDay + 8 * kDay});
  const Encoding encoding = fit(table);
  EXPECT_EQ(encoding.inputs.back().kind, InputKind::missing);
  const EncodedTable encoded(table, encoding.inputs);
  EXPECT_EQ(encoded(1, 0), date_part(DatePart::elapsed, kLeapDay + 4 * kDay));
  for (std::size_t i = 1; i + 1 < encoded.inputs(); ++i) EXPECT_EQ(encoded(1, i), 0);
  EXPECT_EQ(encoded(1, encoded.inputs() - 1), 1);
  EXPECT_EQ(encoded(0, 0), date_part(DatePart::elapsed, kLeapDay));
}

TEST(DateInputs, ReportDatesOutsideTheTrainingRange) {
  const Encoding encoding = fit(dates({kLeapDay, kLeapDay + kDay}));
  const Table later = dates({kLeapDay + kHour, kLeapDay + 9 * kDay});
  EXPECT_EQ(EncodedTable(later, encoding.inputs).report().columns.at(0).outside, 1u);
}

TEST(DateInputs, TextIsRefusedWhereDatesAreNeeded) {
  const Encoding encoding = fit(dates({kLeapDay, kLeapDay + kDay}));
  const Table text = {
      .source = "some.csv", .names = {"sold"}, .columns = {{0}}, .labels = {{"soon"}}};
  try {
    EncodedTable(text, encoding.inputs);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.sentence(), HasSubstr("needs dates"));
    EXPECT_EQ(error.hint().settings.at(0).option, "date");
  }
}

}  // namespace
}  // namespace knotwork::features::date_inputs_test
