// SPDX-License-Identifier: MIT
// Dates as seconds since 1970-01-01 UTC, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <knotwork/table.hpp>

#include "table/csv/cells/date_text.hpp"

namespace knotwork::csv {

// Seconds since 1970-01-01 UTC if the date is read in this order; empty if it has another form or
// does not exist. A text of the fixed form has every order of dates.
std::optional<double> date_seconds(const DateText& date, DateOrder order);

// The number of whole seconds and the digits of a fraction, as the nearest double.
double with_fraction(std::int64_t seconds, std::string_view fraction);

// Whether a date has so many seconds: in the years 1 to 9999.
bool is_in_calendar(double seconds);

// The date as ISO 8601, which reads as the same number of seconds again: 2020-01-31,
// 2020-01-31T16:13:00.5Z. Empty if no date has so many seconds.
std::string iso_date(double seconds);

}  // namespace knotwork::csv
