// SPDX-License-Identifier: MIT
#include "table/csv/cells/date_seconds.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "table/csv/cell_value.hpp"

namespace knotwork::csv {
namespace {

constexpr int kDaySeconds = 86'400;

std::optional<double> at(const DateText& date, int year, int month, int day) {
  if (year < 1 || month < 1 || day < 1) return {};
  const std::chrono::year_month_day calendar{std::chrono::year(year),
                                             std::chrono::month(static_cast<unsigned>(month)),
                                             std::chrono::day(static_cast<unsigned>(day))};
  if (!calendar.ok()) return {};
  const std::int64_t days = std::chrono::sys_days(calendar).time_since_epoch().count();
  return with_fraction(days * kDaySeconds + date.seconds - date.zone, date.fraction);
}

}  // namespace

std::optional<double> date_seconds(const DateText& date, DateOrder order) {
  const bool is_time = date.form == DateText::Form::time;
  if (is_time != (order == DateOrder::time_of_day)) return {};
  if (date.form != DateText::Form::open) return at(date, date.first, date.second, date.third);
  switch (order) {
    case DateOrder::day_first:
      return at(date, date.third, date.second, date.first);
    case DateOrder::month_first:
      return at(date, date.third, date.first, date.second);
    case DateOrder::year_first:
      if (!date.is_short) return {};
      return at(date, full_year(date.first, 2), date.second, date.third % 100);
    default:
      return {};
  }
}

double with_fraction(std::int64_t seconds, std::string_view fraction) {
  if (fraction.find_first_not_of('0') == std::string_view::npos) {
    return static_cast<double>(seconds);
  }
  std::string digits(fraction);
  const bool is_before = seconds < 0;
  if (is_before) {
    // -5 s and 0.3 s are -(4 + 0.7) s: every digit becomes its difference from 9, the last from 10.
    ++seconds;
    digits.resize(digits.find_last_not_of('0') + 1);
    for (char& digit : digits) digit = static_cast<char>('0' + '9' - digit);
    ++digits.back();
  }
  double value = 0;
  parse_number(fmt::format("{}{}.{}", is_before ? "-" : "", std::abs(seconds), digits), value);
  return value;
}

bool is_in_calendar(double seconds) {
  constexpr double kFirstDay = -719'162, kLastDay = 2'932'896;  // of the years 1 and 9999
  return seconds >= kFirstDay * kDaySeconds && seconds < (kLastDay + 1) * kDaySeconds;
}

std::string iso_date(double seconds) {
  if (!is_in_calendar(seconds)) return {};
  const double day = std::floor(seconds / kDaySeconds);
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(day)))};
  std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  const double whole = std::floor(seconds);
  const auto time = static_cast<int>(whole - day * kDaySeconds);
  if (time == 0 && whole == seconds) return text;
  text += fmt::format("T{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60);
  if (whole != seconds) {
    // The shortest fraction that reads as the same number.
    std::string fraction;
    for (std::size_t digits = 1; digits <= kMostFractionDigits; ++digits) {
      fraction = fmt::format("{:.{}f}", seconds - whole, digits).substr(2);
      if (with_fraction(static_cast<std::int64_t>(whole), fraction) == seconds) break;
    }
    text += "." + fraction;
  }
  return text + "Z";
}

}  // namespace knotwork::csv
