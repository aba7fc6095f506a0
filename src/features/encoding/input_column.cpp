// SPDX-License-Identifier: MIT
#include <knotwork/columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numbers>

#include "features/encoding/date_fields.hpp"

namespace knotwork {
namespace {

double sine(double turns) {
  return std::sin(2 * std::numbers::pi * turns);
}
double cosine(double turns) {
  return std::cos(2 * std::numbers::pi * turns);
}

}  // namespace

double date_part(DatePart part, double seconds) {
  if (!std::isfinite(seconds)) return seconds;
  const features::DateFields date = features::date_fields(seconds);
  switch (part) {
    case DatePart::elapsed:
      return seconds / features::kSecondsOfDay;
    case DatePart::year:
      return date.year;
    case DatePart::month_sin:
      return sine(date.month / 12);
    case DatePart::month_cos:
      return cosine(date.month / 12);
    case DatePart::weekday_sin:
      return sine(date.weekday / 7);
    case DatePart::weekday_cos:
      return cosine(date.weekday / 7);
    case DatePart::hour_sin:
      return sine(date.hour);
    case DatePart::hour_cos:
      return cosine(date.hour);
  }
  return seconds;
}

std::string short_date(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{}", seconds);
  const features::CalendarDay day = features::calendar_day(seconds);
  const std::chrono::year_month_day date(day.day);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  const auto minutes = static_cast<int>((seconds - day.number * features::kSecondsOfDay) / 60);
  if (seconds != day.number * features::kSecondsOfDay) {
    text += fmt::format(" {:02}:{:02}", minutes / 60, minutes % 60);
  }
  return text;
}

bool InputColumn::is_complete() const {
  if (!has_levels()) return values.empty();
  return levels && !levels->empty() && values.size() == levels->size() &&
         std::adjacent_find(levels->begin(), levels->end(), std::greater_equal<>()) ==
             levels->end() &&
         std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }) &&
         std::isfinite(unseen) && std::isfinite(fill);
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
