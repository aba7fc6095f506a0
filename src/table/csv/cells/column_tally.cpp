// SPDX-License-Identifier: MIT
#include "table/csv/cells/column_tally.hpp"

#include <algorithm>
#include <cmath>

#include "table/csv/cell_scanner.hpp"

namespace knotwork::csv {
namespace {

// More ways to write a number than this in one column make names, not numbers.
constexpr std::size_t kMostStyles = 64;

}  // namespace

std::size_t DateCounts::of(DateOrder order) const {
  switch (order) {
    case DateOrder::year_first:
      return year_first;
    case DateOrder::day_first:
      return day_first;
    case DateOrder::month_first:
      return month_first;
    case DateOrder::time_of_day:
      return time;
    default:
      return 0;
  }
}

bool ColumnTally::see(CellKind kind, std::string_view text, std::size_t line) {
  ++others;
  texts.see(text);
  if (kind == CellKind::not_finite || kind == CellKind::out_of_range) {
    if (!first_unusable) first_unusable = Unusable{kind, std::string(text), line};
    return false;
  }
  ++words;
  if (std::none_of(text.begin(), text.end(), is_digit)) return false;
  see_date(text);
  return see_style(text);
}

void ColumnTally::see_date(std::string_view text) {
  const std::optional<DateText> date = take_date(text);
  if (!date) return;
  const auto year_first = date_seconds(*date, DateOrder::year_first);
  const auto day_first = date_seconds(*date, DateOrder::day_first);
  const auto month_first = date_seconds(*date, DateOrder::month_first);
  dates.year_first += year_first.has_value();
  dates.day_first += day_first.has_value();
  dates.month_first += month_first.has_value();
  dates.time += date_seconds(*date, DateOrder::time_of_day).has_value();
  dates.doubtful += day_first && month_first && *day_first != *month_first;
  if (date->form != DateText::Form::open) return;
  ++dates.open;
  dates.slashes += date->separator == '/';
}

bool ColumnTally::see_style(std::string_view text) {
  const std::optional<StyledNumber> number = take_number(text);
  if (!number) return false;
  const std::optional<GroupSign> point = number->grouped_by('.'), comma = number->grouped_by(',');
  if (!point && !comma) return false;
  const auto place = std::find_if(styles.begin(), styles.end(), [&](const StyleCounts& style) {
    return style.prefix == number->prefix && style.suffix == number->suffix;
  });
  if (place == styles.end() && (has_many_styles || styles.size() == kMostStyles)) {
    has_many_styles = true;
    return true;
  }
  StyleCounts& style = place != styles.end()
                           ? *place
                           : styles.emplace_back(StyleCounts{std::string(number->prefix),
                                                             std::string(number->suffix)});
  if (point) ++style.with_point[static_cast<std::size_t>(*point)];
  if (comma) ++style.with_comma[static_cast<std::size_t>(*comma)];
  return true;
}

void ColumnTally::see_numbers(std::span<const double> cells) {
  for (const double cell : cells) fractions += cell > std::floor(cell);
  for (const double cell : cells) {
    if (numbers.is_full()) return;
    if (!std::isnan(cell)) numbers.see(cell);
  }
}

}  // namespace knotwork::csv
