// SPDX-License-Identifier: MIT
// Columns of a table that must hold something in every row: targets and weights.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"

#include <knotwork/api.hpp>
#include <knotwork/columns.hpp>
#include <knotwork/table.hpp>

namespace knotwork::features {

// "'a', 'b' and 7 more"
std::string shown_list(const std::vector<std::string>& names);

// Throws bad_data unless the column holds numbers.
std::size_t number_column(const Table& table, const std::string& name);

inline auto all_rows(const Table& table) {
  return std::views::iota(std::size_t{0}, table.rows());
}

// Throws bad_data naming the first of the rows whose cell is missing.
template <class Rows>
void check_complete(const Table& table, std::size_t column, const Rows& rows) {
  for (const std::size_t r : rows) {
    if (std::isnan(table.columns[column][r])) {
      fail(ErrorKind::bad_data,
           "{}: the cell is missing, but every row must have a number there; fill it in or remove "
           "the row.",
           table.where(r, column));
    }
  }
}

// Throws bad_data naming the first cell that is missing.
const std::vector<double>& complete_numbers(const Table& table, const std::string& name);

// What a class is called: the text of a cell, or its number in the shortest way.
inline std::string class_label(const Table& table, std::size_t column, double cell) {
  if (table.is_text(column)) return table.labels[column][static_cast<std::size_t>(cell)];
  return fmt::format("{}", cell + 0.0);  // -0 is 0
}

// Classes may be called what elsewhere means a missing cell.
inline std::string_view word_hint(const Table& table) {
  return table.cells.missing_words ? " (NA, null, none and the like are classes with "
                                     "--no-missing-words)"
                                   : "";
}

// Number of the class of each of the rows. Throws bad_data naming the first cell that is none of
// them.
template <class Rows>
std::vector<double> class_numbers(const Table& table, const std::string& name,
                                  const std::vector<std::string>& classes, const Rows& rows) {
  const std::size_t c = table.index_of(name);
  std::map<double, double> numbers;  // of cells that were looked up
  std::vector<double> result;
  for (const std::size_t r : rows) {
    const double cell = table.columns[c][r];
    if (std::isnan(cell)) {
      fail(ErrorKind::bad_data,
           "{}: the cell is missing, but every row must have its class; fill it in or remove the "
           "row{}.",
           table.where(r, c), word_hint(table));
    }
    auto [place, fresh] = numbers.try_emplace(cell, 0.0);
    if (fresh) {
      const std::string label = class_label(table, c, cell);
      const auto found = std::find(classes.begin(), classes.end(), label);
      if (found == classes.end()) {
        fail(ErrorKind::bad_data, "{}: the class '{}' is none of the model's, which are {}.",
             table.where(r, c), csv::shown(label), shown_list(classes));
      }
      place->second = static_cast<double>(found - classes.begin());
    }
    result.push_back(place->second);
  }
  return result;
}

// What a target column says in the rows, as a model counts it.
template <class Rows>
std::vector<double> true_values(const Table& table, const TargetColumn& target, const Rows& rows) {
  if (!target.classes.empty()) return class_numbers(table, target.column, target.classes, rows);
  const std::size_t c = number_column(table, target.column);
  check_complete(table, c, rows);
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::size_t r : rows) values.push_back(table.columns[c][r]);
  return values;
}
inline std::vector<double> true_values(const Table& table, const TargetColumn& target) {
  return true_values(table, target, all_rows(table));
}

// Throws bad_data naming the first cell that is no weight, too.
KNOTWORK_API const std::vector<double>& complete_weights(const Table& table,
                                                         const std::string& name);
// And unless they have a sum above 0 to divide by.
KNOTWORK_API const std::vector<double>& weights_to_score_by(const Table& table,
                                                            const std::string& name);

void check_total_weight(const std::string& source, const std::string& name, double mass);

// Throws bad_data naming the first row whose prediction is no finite number, and the cell that may
// be the cause. The predictions are of the given rows; none: of all.
KNOTWORK_API void check_finite(const Table& table, std::span<const InputColumn> inputs,
                               std::span<const double> predictions,
                               std::span<const std::size_t> rows = {});

}  // namespace knotwork::features
