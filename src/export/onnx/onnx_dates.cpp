// SPDX-License-Identifier: MIT
#include "export/onnx/onnx_dates.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "features/encoding/date_fields.hpp"

namespace knotwork::exporting {
namespace {

using features::kMostDays;
using features::kSecondsOfDay;

constexpr double kTurn = 2 * std::numbers::pi;

// The calendar repeats after an era of 400 years, which is a whole number of weeks. Days are
// counted from a date this many eras before 1970, so that no number is negative: Div truncates.
constexpr double kEras = 80, kDaysOfEra = 146097, kYearsOfEra = 400;
static_assert(kEras * kDaysOfEra > kMostDays);

}  // namespace

OnnxDates::OnnxDates(OnnxGraph& graph, const std::string& input)
    : graph_(graph),
      seconds_(graph, input, OnnxType::whole),
      missing_(seconds_ == static_cast<double>(std::numeric_limits<std::int64_t>::min())) {
}

OnnxValue OnnxDates::elapsed() const {
  return graph_.cast(seconds_, OnnxType::float64) / kSecondsOfDay;
}

// The sign of the result of Mod is that of the divisor.
OnnxValue OnnxDates::time_of_day() const {
  const OnnxValue seconds(
      graph_, graph_.add("Mod", {seconds_.name(), graph_.number(kSecondsOfDay, OnnxType::whole)}),
      OnnxType::whole);
  return graph_.cast(seconds, OnnxType::float64) / kSecondsOfDay;
}

// Of numbers that are not negative.
OnnxValue OnnxDates::remainder(const OnnxValue& a, double divisor) const {
  return a - (a / divisor) * divisor;
}

// Days since the first day of the era that is kEras before that of 1970-01-01.
const OnnxValue& OnnxDates::day() {
  if (day_) return *day_;
  const auto bounded = [&](const char* op, const OnnxValue& a, double bound) {
    return OnnxValue(graph_, graph_.add(op, {a.name(), graph_.number(bound, OnnxType::whole)}),
                     OnnxType::whole);
  };
  const OnnxValue least = bounded("Max", seconds_, -kMostDays * kSecondsOfDay);
  const OnnxValue within = bounded("Min", least, kMostDays * kSecondsOfDay);
  day_ = (within + kEras * kDaysOfEra * kSecondsOfDay) / kSecondsOfDay;
  return *day_;
}

// H. Hinnant, "chrono-compatible low-level date algorithms": years begin in March, so that a leap
// day is the last day of its year.
const OnnxDates::Month& OnnxDates::month() {
  if (month_) return *month_;
  constexpr double kMarchToEpoch = 719468;  // days from 0000-03-01 to 1970-01-01
  const OnnxValue all = day() + kMarchToEpoch;
  const OnnxValue era = all / kDaysOfEra;
  const OnnxValue of_era = all - era * kDaysOfEra;
  const OnnxValue year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const OnnxValue of_year = of_era - (year * 365 + year / 4 - year / 100);
  const OnnxValue from_march = (of_year * 5 + 2) / 153;
  const OnnxValue is_next_year = from_march / 10;  // January and February
  month_ = Month{year + era * kYearsOfEra + is_next_year - kEras * kYearsOfEra,
                 from_march + 2 - is_next_year * 12};
  return *month_;
}

// The sine of `turn` turns and of place / places of a turn, from a table.
OnnxValue OnnxDates::look_up(const OnnxValue& place, int places, double turn,
                             const std::string& wish) {
  std::vector<double> values;
  for (int k = 0; k < places; ++k) values.push_back(std::sin(kTurn * (turn + double(k) / places)));
  const std::string table = graph_.numbers(
      wish + "s", {static_cast<std::int64_t>(values.size())}, values, OnnxType::float64);
  return {graph_, graph_.add("Gather", {table, place.name()}, wish), OnnxType::float64};
}

OnnxValue OnnxDates::part(DatePart part) {
  constexpr double kQuarter = 0.25;  // of a turn: a cosine is a sine that is ahead
  constexpr int kThursday = 4;       // 1970-01-01
  switch (part) {
    case DatePart::elapsed:
      return elapsed();
    case DatePart::year:
      return graph_.cast(month().year, OnnxType::float64);
    case DatePart::month_sin:
      return look_up(month().month, 12, 0, "month_sine");
    case DatePart::month_cos:
      return look_up(month().month, 12, kQuarter, "month_cosine");
    case DatePart::weekday_sin:
      return look_up(remainder(day() + kThursday, 7), 7, 0, "weekday_sine");
    case DatePart::weekday_cos:
      return look_up(remainder(day() + kThursday, 7), 7, kQuarter, "weekday_cosine");
    case DatePart::hour_sin:
      return graph_.unary("Sin", time_of_day() * kTurn);
    case DatePart::hour_cos:
      return graph_.unary("Sin", (time_of_day() + kQuarter) * kTurn);
  }
  return elapsed();
}

}  // namespace knotwork::exporting
