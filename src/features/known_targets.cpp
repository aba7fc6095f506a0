// SPDX-License-Identifier: MIT
#include "features/known_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "features/target_values.hpp"

namespace knotwork::features {

std::vector<std::size_t> rows_with_values(const Table& table,
                                          std::span<const std::size_t> columns) {
  std::vector<std::size_t> rows;
  rows.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (std::none_of(columns.begin(), columns.end(), [&](std::size_t column) {
          return std::isnan(table.columns[column][row]);
        })) {
      rows.push_back(row);
    }
  }
  return rows;
}

RowSet rows_with_values(const table::TableReader& columns) {
  std::vector<bool> known(columns.rows(), true);
  columns.for_each(0, columns.rows(), [&](const Table& window, std::size_t first) {
    for (const std::vector<double>& column : window.columns) {
      for (std::size_t r = 0; r < column.size(); ++r) {
        if (std::isnan(column[r])) known[first + r] = false;
      }
    }
  });
  return {columns.rows(), [&](std::size_t row) { return known[row]; }};
}

std::vector<std::size_t> rows_with_targets(const Table& table,
                                           std::span<const TargetColumn> targets) {
  std::vector<std::size_t> columns;
  for (const TargetColumn& target : targets) columns.push_back(table.index_of(target.column));
  return rows_with_values(table, columns);
}

std::vector<double> values_where_known(const Table& table, const TargetColumn& target) {
  const std::vector<std::size_t> rows = rows_with_targets(table, {&target, 1});
  std::vector<double> known = true_values(table, target, rows);
  if (rows.size() == table.rows()) return known;
  std::vector<double> values(table.rows(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < rows.size(); ++k) values[rows[k]] = known[k];
  return values;
}

void refuse_without_targets(const Table& table, std::span<const TargetColumn> targets) {
  if (targets.size() == 1) {
    fail(ErrorKind::bad_data, table.place(table.index_of(targets.front().column)),
         "the target is missing in every row.");
  }
  fail(ErrorKind::bad_data, in_file(table.source), "has no row with a value in every target.");
}

std::string rows_without_target(std::size_t count, std::size_t rows,
                                std::span<const std::string> targets) {
  const std::string those = fmt::format("{} of {} rows {} no value in", count, rows,
                                        count == 1 ? "has" : "have");
  if (targets.size() == 1) {
    return fmt::format("{} the target column '{}'", those, csv::shown(targets.front()));
  }
  return fmt::format("{} one or more of the target columns", those);
}

}  // namespace knotwork::features
