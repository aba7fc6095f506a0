// SPDX-License-Identifier: MIT
// Reading a table spends almost all its time here. Rare cases are in other files so that the
// compiler cannot inline them: inlined, they would take the registers that this loop needs.
#include "table/csv/number_cells.hpp"

#include "table/csv/short_number.hpp"

namespace knotwork::csv {

std::size_t NumberCells::take(CellScanner& cursor, std::size_t column, double* row) const {
  const std::size_t width = places_.size();
  const bool missing_numbers = meanings_.has_missing_numbers();
  const char delimiter = cursor.delimiter();
  const char* at = cursor.mark();
  const char* const end = at + cursor.bytes_left();
  // A plain number is shorter than the bytes it is read from, so there is a byte after it.
  const auto is_whole = [&](const Number& plain, bool more) {
    if (plain.end == nullptr) return false;
    return more ? *plain.end == delimiter : CellScanner::is_line_end(*plain.end);
  };
  while (column < width) {
    const bool more = column + 1 < width;
    Number number = end - at >= kPlainNumberBytes ? plain_number(at) : Number{};
    if (!is_whole(number, more)) [[unlikely]] {
      number = cursor.number_at(at);
      if (number.end == nullptr || cursor.is_delimiter(number.end) != more) break;
    }
    if (missing_numbers && meanings_.may_be_missing(number.value)) break;
    row[places_[column]] = number.value;
    at = number.end + (more ? 1 : 0);
    ++column;
  }
  cursor.go_in_line(at);
  return column;
}

}  // namespace knotwork::csv
