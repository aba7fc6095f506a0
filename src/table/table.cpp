// SPDX-License-Identifier: MIT
#include <knotwork/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <knotwork/names.hpp>

#include "base/fail.hpp"
#include "table/column_choice.hpp"
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
  return table::index_of(source, names, name);
}

void Table::check() const {
  const bool same_rows = std::all_of(columns.begin(), columns.end(),
                                     [&](const auto& column) { return column.size() == rows(); });
  if (names.size() != columns.size() || !same_rows) {
    fail(ErrorKind::bad_data, about_file(source),
         "The table '{}' cannot be used: it needs one name for each of its {} columns, all of the "
         "same number of rows.",
         source, columns.size());
  }
  std::vector<std::string_view> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    fail(ErrorKind::bad_data, about_file(source),
         "The table '{}' cannot be used: two of its columns are called '{}', but every column "
         "needs a name of its own.",
         source, shown(*twice));
  }
  if (!labels.empty() && labels.size() != columns.size()) {
    fail(ErrorKind::bad_data, about_file(source),
         "The table '{}' cannot be used: it has labels for {} columns, but needs labels for all {} "
         "columns or for none.",
         source, labels.size(), columns.size());
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!dates.empty() && (dates.size() != columns.size() || (dates[c] && is_text(c)))) {
      fail(ErrorKind::bad_data, about_file(source),
           "The table '{}' cannot be used: it needs a flag for each of its {} columns, or none, "
           "that says whether the column has dates, and no column of texts may have dates.",
           source, columns.size());
    }
    if (is_text(c) && !labels_fit(*this, c)) {
      fail(ErrorKind::bad_data, about_file(source),
           "The table '{}' cannot be used: the labels of its text column '{}' must be different "
           "and sorted, and each cell the index of one or NaN.",
           source, shown(names[c]));
    }
  }
  if ((!lines.empty() && lines.size() != rows()) ||
      (!row_numbers.empty() && row_numbers.size() != rows()) ||
      (!positions.empty() && positions.size() != columns.size())) {
    fail(ErrorKind::bad_data, about_file(source),
         "The table '{}' cannot be used: it needs one line and one number for each row and one "
         "position for each column, or none.",
         source);
  }
}

Where Table::place_of(std::size_t row) const {
  if (row_place) return row_place(row);
  Where place{.file = source};
  if (!lines.empty() || first_line != 0) {
    place.line = lines.empty() ? first_line + row : lines[row];
  } else {
    place.row = row_numbers.empty() ? first_row + row : row_numbers[row];
  }
  return place;
}

std::string Table::where(std::size_t row, std::size_t column) const {
  return to_text(place(row, column));
}

Where Table::place(std::size_t row, std::size_t column) const {
  Where cell = place_of(row);
  const Where whole = place(column);
  cell.column = whole.column;
  cell.column_name = whole.column_name;
  return cell;
}

Where Table::place(std::size_t column) const {
  return {.file = source,
          .column = positions.empty() ? column + 1 : positions[column],
          .column_name = names[column]};
}

Table choose_columns(Table table, const std::vector<std::string>& names) {
  const table::ColumnChoice choice = table::choose_columns(table.source, table.names, names);
  const Schema schema = table::schema_of_chosen(schema_of(table), choice);
  std::vector<std::vector<double>> columns;
  for (const std::size_t column : choice.chosen) {
    columns.push_back(std::move(table.columns[column]));
  }
  table.names = schema.names;
  table.columns = std::move(columns);
  table.labels = schema.labels;
  table.dates = schema.dates;
  table.positions = schema.positions;
  table.cells = schema.cells;
  table.unread = schema.unread;
  return table;
}

std::string to_csv(const Table& table, bool with_names) {
  table.check();
  fmt::memory_buffer out;
  if (with_names) csv::append_names(table, out);
  csv::append_rows(table, out);
  return fmt::to_string(out);
}

}  // namespace knotwork
