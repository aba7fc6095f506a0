// SPDX-License-Identifier: MIT
// date_fields() divides seconds since 1970-01-01 UTC into the fields of a calendar date.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

namespace knotwork::features {

inline constexpr double kSecondsOfDay = 86400;

struct DateFields {
  double year;
  double month;    // from 0
  double weekday;  // from 0, a Sunday
  double hour;     // of the day, as a share of the day
};

// Dates that std::chrono cannot express count as the nearest one that it can.
inline constexpr double kMostDays = 11'000'000;  // before or after 1970-01-01

struct CalendarDay {
  double number;  // days since 1970-01-01
  std::chrono::sys_days day;
};

inline CalendarDay calendar_day(double seconds) {
  const double days = std::floor(seconds / kSecondsOfDay);
  return {days, std::chrono::sys_days(std::chrono::days(
                    static_cast<int>(std::clamp(days, -kMostDays, kMostDays))))};
}

inline DateFields date_fields(double seconds) {
  const CalendarDay day = calendar_day(seconds);
  const std::chrono::year_month_day date(day.day);
  return {static_cast<double>(static_cast<int>(date.year())),
          static_cast<double>(static_cast<unsigned>(date.month()) - 1),
          static_cast<double>(std::chrono::weekday(day.day).c_encoding()),
          seconds / kSecondsOfDay - day.number};
}

}  // namespace knotwork::features
