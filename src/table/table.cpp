// SPDX-License-Identifier: MIT
#include <knotwork/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <knotwork/names.hpp>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/write_csv.hpp"

namespace knotwork {
namespace {

using csv::shown;

bool labels_fit(const Table& table, std::size_t column) {
  const std::vector<std::string>& labels = table.labels[column];
  const auto count = static_cast<double>(labels.size());
  const auto& cells = table.columns[column];
  return std::adjacent_find(labels.begin(), labels.end(), std::greater_equal<>()) == labels.end() &&
         std::all_of(cells.begin(), cells.end(), [&](double cell) {
           return std::isnan(cell) || (cell >= 0 && cell < count && cell == std::floor(cell));
         });
}

}  // namespace

std::size_t Table::index_of(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string close = closest_name(name, names);
  if (!close.empty()) {
    fail(ErrorKind::bad_data, "{} has no column called '{}'; did you mean '{}'?", source,
         shown(name), shown(close));
  }
  // Wide tables would bury the message under their names.
  constexpr std::size_t kMostListed = 20;
  std::string list;
  for (std::size_t c = 0; c < std::min(names.size(), kMostListed); ++c) {
    list += (c == 0 ? "" : ", ") + shown(names[c]);
  }
  if (names.size() > kMostListed) {
    list += fmt::format(" and {} more", names.size() - kMostListed);
  }
  fail(ErrorKind::bad_data, "{} has no column called '{}'; its columns are {}{}.", source,
       shown(name), list, csv::delimiter_advice(names));
}

void Table::check() const {
  const bool same_rows = std::all_of(columns.begin(), columns.end(),
                                     [&](const auto& column) { return column.size() == rows(); });
  if (names.size() != columns.size() || !same_rows) {
    fail(ErrorKind::bad_data,
         "The table '{}' cannot be used: it needs one name for each of its {} columns, all of the "
         "same number of rows.",
         source, columns.size());
  }
  std::vector<std::string_view> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    fail(ErrorKind::bad_data,
         "The table '{}' cannot be used: two of its columns are called '{}', but every column "
         "needs a name of its own.",
         source, shown(*twice));
  }
  if (!labels.empty() && labels.size() != columns.size()) {
    fail(ErrorKind::bad_data,
         "The table '{}' cannot be used: it has labels for {} columns, but must have them for all "
         "{} or none.",
         source, labels.size(), columns.size());
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (is_text(c) && !labels_fit(*this, c)) {
      fail(ErrorKind::bad_data,
           "The table '{}' cannot be used: the labels of its text column '{}' must be different "
           "and sorted, and each cell the index of one or NaN.",
           source, shown(names[c]));
    }
  }
  if ((!lines.empty() && lines.size() != rows()) ||
      (!row_numbers.empty() && row_numbers.size() != rows()) ||
      (!positions.empty() && positions.size() != columns.size())) {
    fail(ErrorKind::bad_data,
         "The table '{}' cannot be used: it needs one line and one number for each row and one "
         "position for each column, or none.",
         source);
  }
}

std::string Table::where(std::size_t row, std::size_t column) const {
  const bool in_file = !lines.empty() || first_line != 0;
  const std::size_t line = lines.empty() ? first_line + row : lines[row];
  const std::size_t number = row_numbers.empty() ? first_row + row : row_numbers[row];
  const std::size_t position = positions.empty() ? column + 1 : positions[column];
  return fmt::format("{}, {} {}, column {} ('{}')", source, in_file ? "line" : "row",
                     in_file ? line : number, position, shown(names[column]));
}

std::string to_csv(const Table& table, bool with_names) {
  table.check();
  fmt::memory_buffer out;
  if (with_names) csv::append_names(table, out);
  csv::append_rows(table, out);
  return fmt::to_string(out);
}

}  // namespace knotwork
