// SPDX-License-Identifier: MIT
#include "table/csv/cells/formatted_cells.hpp"

#include <algorithm>
#include <utility>

#include "table/csv/cell_scanner.hpp"
#include "table/csv/cells/date_seconds.hpp"

namespace knotwork::csv {

FormattedCells::FormattedCells(ColumnFormat format)
    : format_(std::move(format)),
      group_(group_sign(format_.group)),
      decimal_(format_.decimal_comma ? ',' : '.') {}

CellKind FormattedCells::read(std::string_view text, double& value) {
  const bool counts_seconds =
      format_.date == DateOrder::unix_seconds || format_.date == DateOrder::unix_milliseconds;
  if (!format_.date || counts_seconds) {
    const NumberText plain = parse_number(text, value, decimal_);
    if (plain == NumberText::not_finite) return CellKind::not_finite;
    if (plain == NumberText::out_of_range) return CellKind::out_of_range;
    if (plain == NumberText::number && !counts_seconds) {
      if (decimal_ == ',' && text.find(',') != text.npos) keep_example(text, value);
      return CellKind::number;
    }
    if (plain == NumberText::number) {
      if (format_.date == DateOrder::unix_milliseconds) value /= 1000;
      if (is_in_calendar(value)) return CellKind::number;
    }
  }
  const std::optional<double> read = counts_seconds ? std::nullopt
                                     : format_.date ? date_of(text)
                                                    : number_of(text);
  if (!read) {
    if (misfits_++ == 0 || text < misfit_) misfit_ = text;
    return CellKind::word;
  }
  value = *read;
  keep_example(text, value);
  return CellKind::number;
}

void FormattedCells::keep_example(std::string_view text, double value) {
  if (text.size() < example_.size() || (text.size() == example_.size() && text <= example_)) return;
  example_ = text;
  example_value_ = value;
}

std::optional<double> FormattedCells::date_of(std::string_view text) const {
  const std::optional<DateText> date = take_date(text);
  return date ? date_seconds(*date, *format_.date) : std::nullopt;
}

std::optional<double> FormattedCells::number_of(std::string_view text) const {
  if (std::none_of(text.begin(), text.end(), is_digit)) return {};
  const std::optional<StyledNumber> number = take_number(text);
  if (!number) return {};
  const auto fits = [](std::string_view sign, const std::string& wanted) {
    return sign.empty() || sign == wanted;
  };
  if (!fits(number->prefix, format_.prefix) || !fits(number->suffix, format_.suffix)) return {};
  const std::optional<GroupSign> group = number->grouped_by(decimal_);
  if (!group || (*group != GroupSign::none && *group != group_)) return {};
  return number->value(decimal_);
}

}  // namespace knotwork::csv
