// SPDX-License-Identifier: MIT
// date_ticks() finds round moments on an axis of dates: beginnings of years, months, days, hours,
// minutes or seconds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knotwork::figures {

struct DateTick {
  double seconds = 0;  // since 1970-01-01 UTC
  // As short as the step allows: "2020", "2020-03", "2020-03-15", "03-15 06:00", "06:30:15".
  std::string name;
};

// At most `most` of them, between the two ends; two or more if the ends are 2 seconds apart. None
// for dates that no calendar has.
std::vector<DateTick> date_ticks(double low, double high, std::size_t most);

}  // namespace knotwork::figures
