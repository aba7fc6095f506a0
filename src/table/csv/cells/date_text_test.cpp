// SPDX-License-Identifier: MIT
#include "table/csv/cells/date_seconds.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace knotwork::csv {
namespace {

std::optional<double> date_of(std::string_view text, DateOrder order = DateOrder::year_first) {
  const std::optional<DateText> date = take_date(text);
  return date ? date_seconds(*date, order) : std::nullopt;
}

double utc(int year, int month, int day, double seconds = 0) {
  using namespace std::chrono;
  const sys_days days{year_month_day{std::chrono::year(year),
                                     std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day))}};
  return static_cast<double>(days.time_since_epoch().count()) * 86'400 + seconds;
}

TEST(DateText, ReadsIsoDatesInEveryOrder) {
  const double clock = 16 * 3600 + 13 * 60;
  const std::vector<std::pair<std::string, double>> texts = {
      {"1970-01-01", 0},
      {"2020-02-29", utc(2020, 2, 29)},
      {"2020-2-9", utc(2020, 2, 9)},
      {"2020/02/29", utc(2020, 2, 29)},
      {"2020.02.29", utc(2020, 2, 29)},
      {"20200229", utc(2020, 2, 29)},
      {"2020-03", utc(2020, 3, 1)},
      {"2012-01-31 16:13:00 UTC", utc(2012, 1, 31, clock)},
      {"2012-01-31T16:13", utc(2012, 1, 31, clock)},
      {"2012-01-31T16:13:00Z", utc(2012, 1, 31, clock)},
      {"20120131T161300Z", utc(2012, 1, 31, clock)},
      {"2012-01-31T18:13:00+02:00", utc(2012, 1, 31, clock)},
      {"2012-01-31 10:43:00 -0530", utc(2012, 1, 31, clock)},
      {"2012-01-31T18:13:00+02", utc(2012, 1, 31, clock)},
      {"2012-01-31 16:13:00.25", utc(2012, 1, 31, clock + 0.25)},
      {"2012-01-31 16:13:00.000000", utc(2012, 1, 31, clock)},
      {"2012-01-31 4:13 PM", utc(2012, 1, 31, clock)},
      {"1969-12-31T23:59:59.5Z", -0.5},
      {"0001-01-01", utc(1, 1, 1)},
      {"9999-12-31", utc(9999, 12, 31)},
  };
  for (const auto& [text, seconds] : texts) {
    for (const DateOrder order :
         {DateOrder::year_first, DateOrder::day_first, DateOrder::month_first}) {
      ASSERT_TRUE(date_of(text, order).has_value()) << text;
      EXPECT_EQ(*date_of(text, order), seconds) << text;
    }
    EXPECT_FALSE(date_of(text, DateOrder::time_of_day)) << text;
  }
}

TEST(DateText, ReadsNamesOfMonths) {
  for (const std::string text :
       {"12 Jan 2020", "12 JANUARY 2020", "12-Jan-2020", "12-jan-20", "12Jan2020", "Jan 12, 2020",
        "January 12 2020", "Jan. 12, 2020", "12th January, 2020", "January 12th, 2020",
        "12/Jan/2020", "2020-Jan-12", "2020 Jan 12", "Sun, 12 Jan 2020", "Sunday, January 12, 2020",
        "Jan-12-2020"}) {
    ASSERT_TRUE(date_of(text).has_value()) << text;
    EXPECT_EQ(*date_of(text), utc(2020, 1, 12)) << text;
  }
  EXPECT_EQ(date_of("Sun, 12 Jan 2020 10:00:00 GMT"), utc(2020, 1, 12, 36'000));
  EXPECT_EQ(date_of("Sept 5, 1999"), utc(1999, 9, 5));
  for (const std::string text : {"January 2020", "Jan 2020", "Jan-2020", "Jan-20"}) {
    EXPECT_EQ(date_of(text), utc(2020, 1, 1)) << text;
  }
  EXPECT_EQ(date_of("Dec-85"), utc(1985, 12, 1));
}

TEST(DateText, TheOrderDecidesWhatNumbersMean) {
  EXPECT_EQ(date_of("3/4/2020", DateOrder::day_first), utc(2020, 4, 3));
  EXPECT_EQ(date_of("3/4/2020", DateOrder::month_first), utc(2020, 3, 4));
  EXPECT_FALSE(date_of("3/4/2020", DateOrder::year_first));
  EXPECT_EQ(date_of("31.12.68", DateOrder::day_first), utc(2068, 12, 31));
  EXPECT_EQ(date_of("31.12.69", DateOrder::day_first), utc(1969, 12, 31));
  EXPECT_FALSE(date_of("31.12.1999", DateOrder::month_first));
  EXPECT_FALSE(date_of("12/31/1999", DateOrder::day_first));
  EXPECT_EQ(date_of("20-01-31", DateOrder::year_first), utc(2020, 1, 31));
  EXPECT_EQ(date_of("1/31/2020 2:35 PM", DateOrder::month_first), utc(2020, 1, 31, 52'500));
  EXPECT_EQ(date_of("1-2-2020, 14:35:00", DateOrder::day_first), utc(2020, 2, 1, 52'500));
}

TEST(DateText, ReadsTimesOfTheDay) {
  const std::vector<std::pair<std::string, double>> texts = {
      {"14:35", 52'500},       {"2:35 PM", 52'500},   {"2:35pm", 52'500}, {"14:35:10.5", 52'510.5},
      {"00:00", 0},            {"23:59:59", 86'399},  {"12:00 AM", 0},    {"12:00 p.m.", 43'200},
      {"5 PM", 61'200},        {"14:35:10Z", 52'510}, {"9:05", 32'700},
  };
  for (const auto& [text, seconds] : texts) {
    EXPECT_EQ(date_of(text, DateOrder::time_of_day), seconds) << text;
    EXPECT_FALSE(date_of(text, DateOrder::year_first)) << text;
  }
}

TEST(DateText, WhatIsNoDateIsNone) {
  for (const std::string text :
       {"", "2020", "2020-13-01", "2020-02-30", "1900-02-29", "31.2.2020", "0000-01-01",
        "2020-00-10", "2020-01-01T25:00", "2020-01-01T24:00:00", "2020-01-01 10:60",
        "2020-01-01 10:00:60", "2020-01-01T10:00+99:00", "2020-01-01 10", "2020-01-01x",
        "2020-01-0123", "1.2.3", "1.2.345", "10.0.0.1", "555-1234", "1/2", "13:00.0", "24:00",
        "13:00 PM", "0:30 AM", "14:5", "14:35:1", "14:35+02:00", "12 Foo 2020", "32 Jan 2020",
        "Jan", "Jan 12", "Jan 12th", "2020-01/02", "1st/2/2020", "May", "Monday", "Mon,", "12:",
        "1e5", "2020W01", "123456789", "99999999", "20201301", "- - -", "2020-01-01T",
        "2020-01-01 10:00.", "Jan-", "12-", "2020-"}) {
    for (const DateOrder order : {DateOrder::year_first, DateOrder::day_first,
                                  DateOrder::month_first, DateOrder::time_of_day}) {
      EXPECT_FALSE(date_of(text, order).has_value()) << text;
    }
  }
}

TEST(DateText, IsoDatesAreShort) {
  EXPECT_EQ(iso_date(0), "1970-01-01");
  EXPECT_EQ(iso_date(-0.5), "1969-12-31T23:59:59.5Z");
  EXPECT_EQ(iso_date(utc(2020, 1, 31, 60)), "2020-01-31T00:01:00Z");
  EXPECT_EQ(iso_date(utc(2012, 1, 31, 0.1)), "2012-01-31T00:00:00.1Z");
  EXPECT_EQ(iso_date(utc(1, 1, 1)), "0001-01-01");
  EXPECT_EQ(iso_date(utc(9999, 12, 31)), "9999-12-31");
  for (const double never : {1e300, -1e300, utc(9999, 12, 31, 86'400), std::nan("")}) {
    EXPECT_EQ(iso_date(never), "");
  }
}

// Any second of the calendar, and any fraction of it.
rc::Gen<double> any_time() {
  return rc::gen::map(
      rc::gen::pair(rc::gen::inRange<std::int64_t>(-62'135'596'800, 253'402'300'800),
                    rc::gen::inRange<std::int64_t>(0, 2'000'000)),
      [](const std::pair<std::int64_t, std::int64_t>& parts) {
        const auto [seconds, millionths] = parts;
        const double fraction = millionths < 1'000'000 ? 0 : static_cast<double>(millionths) / 1e6;
        const double time = static_cast<double>(seconds) + fraction;
        return is_in_calendar(time) ? time : 0.0;
      });
}

RC_GTEST_PROP(DateTextProperty, IsoDatesComeBack, ()) {
  const double seconds = *any_time();
  const std::string text = iso_date(seconds);
  RC_ASSERT(date_of(text).has_value());
  RC_ASSERT(*date_of(text) == seconds);
}

RC_GTEST_PROP(DateTextProperty, DatesInEveryStyleComeBack, ()) {
  using namespace std::chrono;
  // Years whose last two digits are enough.
  const int day_number = *rc::gen::inRange(-365, 36'000 - 365);
  const year_month_day date{sys_days(days(day_number))};
  const int y = int(date.year()), short_year = y % 100;
  const unsigned m = unsigned(date.month()), d = unsigned(date.day());
  static const std::vector<std::string> kNames = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  std::string name = kNames[m - 1];
  if (*rc::gen::arbitrary<bool>()) name = name.substr(0, 3);
  const auto [text, order] = *rc::gen::elementOf(std::vector<std::pair<std::string, DateOrder>>{
      {fmt::format("{:04}-{:02}-{:02}", y, m, d), DateOrder::year_first},
      {fmt::format("{}/{}/{}", y, m, d), DateOrder::year_first},
      {fmt::format("{:04}{:02}{:02}", y, m, d), DateOrder::year_first},
      {fmt::format("{:02}-{:02}-{:02}", short_year, m, d), DateOrder::year_first},
      {fmt::format("{}.{}.{}", d, m, y), DateOrder::day_first},
      {fmt::format("{:02}/{:02}/{:02}", d, m, short_year), DateOrder::day_first},
      {fmt::format("{:02}-{:02}-{}", d, m, y), DateOrder::day_first},
      {fmt::format("{}/{}/{}", m, d, y), DateOrder::month_first},
      {fmt::format("{}/{}/{:02}", m, d, short_year), DateOrder::month_first},
      {fmt::format("{} {} {}", d, name, y), DateOrder::day_first},
      {fmt::format("{} {}, {}", name, d, y), DateOrder::month_first},
      {fmt::format("{}-{}-{:02}", d, name, short_year), DateOrder::year_first}});
  const int clock = *rc::gen::inRange(0, 86'400);
  const int h = clock / 3600, min = clock / 60 % 60, s = clock % 60;
  const int half = h % 12 == 0 ? 12 : h % 12;
  const int zone = *rc::gen::inRange(-14 * 4, 14 * 4 + 1) * 15;  // minutes
  const std::string offset =
      fmt::format("{}{:02}:{:02}", zone < 0 ? '-' : '+', std::abs(zone) / 60, std::abs(zone) % 60);
  const double day = static_cast<double>(day_number) * 86'400;
  const auto [time, seconds] = *rc::gen::elementOf(std::vector<std::pair<std::string, double>>{
      {"", day},
      {fmt::format(" {}:{:02}", h, min), day + clock - s},
      {fmt::format(" {:02}:{:02}:{:02}", h, min, s), day + clock},
      {fmt::format(" {:02}:{:02}:{:02} UTC", h, min, s), day + clock},
      {fmt::format(" {:02}:{:02}:{:02}{}", h, min, s, offset), day + clock - zone * 60},
      {fmt::format(" {}:{:02}:{:02} {}", half, min, s, h < 12 ? "AM" : "pm"), day + clock}});
  if (text.size() == 8 && text.find_first_not_of("0123456789") == std::string::npos) {
    RC_ASSERT(date_of(text, order) == day);  // only with T before a time
  } else {
    RC_ASSERT(date_of(text + time, order) == seconds);
  }
}

RC_GTEST_PROP(DateTextProperty, AnyTextIsADateOrNone, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("0123456789012-/.: TZ+,JanSeptPM")));
  for (const DateOrder order : {DateOrder::year_first, DateOrder::day_first,
                                DateOrder::month_first, DateOrder::time_of_day}) {
    if (const auto seconds = date_of(text, order)) RC_ASSERT(std::isfinite(*seconds));
  }
}

}  // namespace
}  // namespace knotwork::csv
