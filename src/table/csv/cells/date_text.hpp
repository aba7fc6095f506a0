// SPDX-License-Identifier: MIT
// DateText takes apart texts that say a date, a date with a time, or a time of day:
//
//   2020-01-31, 2020-01-31T16:13:00.5Z, 2020-01-31 16:13:00 +02:00, 20200131T161300, 2020-01
//   31.1.2020, 31/1/20, 1/31/2020 4:13 PM, 12 Jan 2020, Jan 12, 2020, 12-Jan-20, January 2020
//   14:35, 14:35:10.5, 2:35 PM
//
// A year of two digits is in 1969 to 2068. A time without a zone is UTC. Dates that no calendar has
// (February 31) and times that no clock shows (25:00) are not dates.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace knotwork::csv {

struct DateText {
  enum class Form {
    time,   // no date
    fixed,  // the text itself shows what is year, month and day
    open,   // three numbers such as 3/4/20, whose order only the column shows
  };
  Form form = Form::time;
  int first = 1970, second = 1, third = 1;  // year, month and day if the form is not open
  bool is_short = false;                    // open, with two digits in each number
  char separator = 0;                       // open: the sign between the numbers
  int seconds = 0;                          // since midnight
  int zone = 0;                             // seconds that the clock is ahead of UTC
  std::string_view fraction = {};           // digits of a fraction of a second
};

// Empty if the text is none of these forms. The date may still be one that does not exist.
std::optional<DateText> take_date(std::string_view text);

// A year of two digits in full; other years as they are.
inline int full_year(int year, std::size_t digits) {
  if (digits != 2) return year;
  return year < 69 ? 2000 + year : 1900 + year;
}

inline constexpr std::size_t kMostFractionDigits = 30;

}  // namespace knotwork::csv
