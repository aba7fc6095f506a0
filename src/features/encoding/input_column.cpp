// SPDX-License-Identifier: MIT
#include <knotwork/columns.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace knotwork {
namespace {

constexpr double kSecondsOfDay = 86400;

double sine(double turn) {
  return std::sin(2 * std::numbers::pi * turn);
}
double cosine(double turn) {
  return std::cos(2 * std::numbers::pi * turn);
}

}  // namespace

double date_part(DatePart part, double seconds) {
  if (std::isnan(seconds)) return seconds;
  if (part == DatePart::elapsed) return seconds / kSecondsOfDay;
  const double days = std::floor(seconds / kSecondsOfDay);
  // Dates that std::chrono cannot express count as the nearest one that it can.
  constexpr double kMostDays = 11'000'000;
  const std::chrono::sys_days day{
      std::chrono::days(static_cast<int>(std::clamp(days, -kMostDays, kMostDays)))};
  const std::chrono::year_month_day date(day);
  const double month = (static_cast<double>(static_cast<unsigned>(date.month())) - 1) / 12;
  const double weekday =
      static_cast<double>(std::chrono::weekday(day).c_encoding()) / 7;  // Sunday is 0
  const double hour = seconds / kSecondsOfDay - days;
  switch (part) {
    case DatePart::elapsed:
      break;
    case DatePart::year:
      return static_cast<double>(static_cast<int>(date.year()));
    case DatePart::month_sin:
      return sine(month);
    case DatePart::month_cos:
      return cosine(month);
    case DatePart::weekday_sin:
      return sine(weekday);
    case DatePart::weekday_cos:
      return cosine(weekday);
    case DatePart::hour_sin:
      return sine(hour);
    case DatePart::hour_cos:
      return cosine(hour);
  }
  return seconds;
}

double InputColumn::level_value(std::string_view text) const {
  const auto found = std::lower_bound(levels->begin(), levels->end(), text);
  if (found == levels->end() || *found != text) return unseen;
  return values[static_cast<std::size_t>(found - levels->begin())];
}

std::string InputColumn::name() const {
  switch (kind) {
    case InputKind::numeric:
      return column;
    case InputKind::category:
      return column + " = " + category;
    case InputKind::missing:
      return column + " missing";
    case InputKind::date:
      return column + ": " + std::string(to_string(part));
    case InputKind::target_mean:
      return column + ": mean of " + category;
    case InputKind::frequency:
      return column + ": frequency";
  }
  return column;
}

}  // namespace knotwork
