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
inline DateFields date_fields(double seconds) {
  constexpr double kMostDays = 11'000'000;
  const double days = std::floor(seconds / kSecondsOfDay);
  const std::chrono::sys_days day{
      std::chrono::days(static_cast<int>(std::clamp(days, -kMostDays, kMostDays)))};
  const std::chrono::year_month_day date(day);
  return {static_cast<double>(static_cast<int>(date.year())),
          static_cast<double>(static_cast<unsigned>(date.month()) - 1),
          static_cast<double>(std::chrono::weekday(day).c_encoding()),
          seconds / kSecondsOfDay - days};
}

}  // namespace knotwork::features
