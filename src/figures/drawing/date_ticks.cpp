// SPDX-License-Identifier: MIT
#include "figures/drawing/date_ticks.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "features/encoding/date_fields.hpp"

namespace knotwork::figures {
namespace {

using features::calendar_day;
using features::kMostDays;
using features::kSecondsOfDay;

struct Steps {
  double seconds;  // of a step, if all steps are equally long
  int months;      // otherwise
};
constexpr double kMinute = 60, kHour = 3600;
constexpr Steps kSteps[] = {{1, 0},
                            {2, 0},
                            {5, 0},
                            {10, 0},
                            {30, 0},
                            {kMinute, 0},
                            {2 * kMinute, 0},
                            {5 * kMinute, 0},
                            {10 * kMinute, 0},
                            {30 * kMinute, 0},
                            {kHour, 0},
                            {2 * kHour, 0},
                            {3 * kHour, 0},
                            {6 * kHour, 0},
                            {12 * kHour, 0},
                            {kSecondsOfDay, 0},
                            {2 * kSecondsOfDay, 0},
                            {7 * kSecondsOfDay, 0},
                            {14 * kSecondsOfDay, 0},
                            {0, 1},
                            {0, 2},
                            {0, 3},
                            {0, 6}};

// Months since the year 0.
int month_of(double seconds) {
  const std::chrono::year_month_day date(calendar_day(seconds).day);
  const auto of_year = static_cast<int>(static_cast<unsigned>(date.month()));
  return static_cast<int>(date.year()) * 12 + of_year - 1;
}

int floor_div(int a, int b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

double beginning_of(int month) {
  const std::chrono::year year(floor_div(month, 12));
  const std::chrono::month of_year(static_cast<unsigned>(month - 12 * floor_div(month, 12)) + 1);
  const std::chrono::sys_days day(year / of_year / 1);
  return static_cast<double>(day.time_since_epoch().count()) * kSecondsOfDay;
}

std::vector<double> moments(double low, double high, const Steps& step, std::size_t most) {
  std::vector<double> all;
  if (step.months == 0) {
    for (double k = std::ceil(low / step.seconds); k * step.seconds <= high; ++k) {
      all.push_back(k * step.seconds);
      if (all.size() > most) break;
    }
    return all;
  }
  const int past = month_of(high) + 1;
  for (int m = floor_div(month_of(low) + step.months - 1, step.months) * step.months; m < past;
       m += step.months) {
    const double moment = beginning_of(m);
    if (moment >= low && moment <= high) all.push_back(moment);
    if (all.size() > most) break;
  }
  return all;
}

std::string name_of(double moment, const Steps& step, bool same_day) {
  const auto [number, day] = calendar_day(moment);
  const std::chrono::year_month_day date(day);
  const int year = static_cast<int>(date.year());
  const auto month = static_cast<unsigned>(date.month());
  const auto of_month = static_cast<unsigned>(date.day());
  if (step.months % 12 == 0 && step.months > 0) return fmt::format("{}", year);
  if (step.months > 0) return fmt::format("{:04}-{:02}", year, month);
  if (step.seconds >= kSecondsOfDay) return fmt::format("{:04}-{:02}-{:02}", year, month, of_month);
  const auto second = static_cast<int>(moment - number * kSecondsOfDay);
  std::string time = fmt::format("{:02}:{:02}", second / 3600, second / 60 % 60);
  if (step.seconds < kMinute) time += fmt::format(":{:02}", second % 60);
  return same_day ? time : fmt::format("{:02}-{:02} {}", month, of_month, time);
}

std::vector<DateTick> named(const std::vector<double>& moments, const Steps& step) {
  std::vector<DateTick> ticks;
  const bool same_day =
      calendar_day(moments.front()).number == calendar_day(moments.back()).number;
  for (const double moment : moments) ticks.push_back({moment, name_of(moment, step, same_day)});
  return ticks;
}

}  // namespace

std::vector<DateTick> date_ticks(double low, double high, std::size_t most) {
  constexpr double kLimit = (kMostDays - 366) * kSecondsOfDay;
  if (!(low >= -kLimit && high <= kLimit && low <= high)) return {};
  for (const Steps& step : kSteps) {
    const std::vector<double> all = moments(low, high, step, most);
    if (!all.empty() && all.size() <= most) return named(all, step);
  }
  for (int years = 1; years <= 100'000; years *= 10) {
    for (const int factor : {1, 2, 5}) {
      const Steps step{0, 12 * years * factor};
      const std::vector<double> all = moments(low, high, step, most);
      if (!all.empty() && all.size() <= most) return named(all, step);
    }
  }
  return {};
}

}  // namespace knotwork::figures
