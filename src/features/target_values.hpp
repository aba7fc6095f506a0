// SPDX-License-Identifier: MIT
// These functions read columns that need a value in every row: targets and weights.
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

// Throws bad_data about a text column if most of its texts are numbers.
void refuse_words_among_numbers(const Table& table, std::size_t column);

// Throws bad_data unless the column is numeric.
std::size_t number_column(const Table& table, const std::string& name);

inline auto all_rows(const Table& table) {
  return std::views::iota(std::size_t{0}, table.rows());
}

// Throws bad_data with the first of the rows in which the cell is missing.
template <class Rows>
void check_complete(const Table& table, std::size_t column, const Rows& rows) {
  for (const std::size_t r : rows) {
    if (std::isnan(table.columns[column][r])) {
      fail(ErrorKind::bad_data, table.place(r, column),
           Hint{.action = "fill it in or remove the row"},
           "the cell is missing, but every row must have a number there.");
    }
  }
}

// The label of a class: the text of a cell, or its number in the shortest form.
inline std::string class_label(const Table& table, std::size_t column, double cell) {
  if (table.is_text(column)) return table.labels[column][static_cast<std::size_t>(cell)];
  return fmt::format("{}", cell + 0.0);  // -0 is 0
}

// A class may have a name that elsewhere means a missing cell.
inline Hint word_hint(const Table& table) {
  if (!table.cells.missing_words) return {};
  return {.purpose = "to read NA, null, none and similar words as classes",
          .settings = {{"no-missing-words", "true"}}};
}

// Class number of each row. Throws bad_data with the first cell that is not a class.
template <class Rows>
std::vector<double> class_numbers(const Table& table, const std::string& name,
                                  const std::vector<std::string>& classes, const Rows& rows) {
  const std::size_t c = table.index_of(name);
  std::map<double, double> numbers;  // of cells looked up so far
  std::vector<double> result;
  for (const std::size_t r : rows) {
    const double cell = table.columns[c][r];
    if (std::isnan(cell)) {
      Hint hint = word_hint(table);
      hint.action = "fill it in or remove the row";
      fail(ErrorKind::bad_data, table.place(r, c), std::move(hint),
           "the cell is missing, but every row must have its class.");
    }
    auto [place, fresh] = numbers.try_emplace(cell, 0.0);
    if (fresh) {
      const std::string label = class_label(table, c, cell);
      const auto found = std::find(classes.begin(), classes.end(), label);
      if (found == classes.end()) {
        fail(ErrorKind::bad_data, table.place(r, c),
             "the class '{}' is not a class of the model; its classes are {}.", csv::shown(label),
             shown_list(classes));
      }
      place->second = static_cast<double>(found - classes.begin());
    }
    result.push_back(place->second);
  }
  return result;
}

// The values of a target column in the rows, in the form that models use.
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

// The column of weights. Throws bad_data with the first row (of all rows, or of those given) whose
// cell is not a valid weight.
KNOTWORK_API const std::vector<double>& complete_weights(const Table& table,
                                                         const std::string& name,
                                                         std::span<const std::size_t> rows);
KNOTWORK_API const std::vector<double>& complete_weights(const Table& table,
                                                         const std::string& name);
// Also throws unless the sum of the weights, the divisor of scores, is above 0.
KNOTWORK_API const std::vector<double>& weights_to_score_by(const Table& table,
                                                            const std::string& name);
// Weights of other rows than the given ones may be missing.
KNOTWORK_API const std::vector<double>& weights_to_score_by(const Table& table,
                                                            const std::string& name,
                                                            std::span<const std::size_t> rows);

void check_total_weight(const std::string& source, const std::string& name, double mass);

// Throws bad_data with the first row whose prediction is not finite, and the cell that may be the
// cause. The predictions are for the given rows; if that list is empty, for all rows.
KNOTWORK_API void check_finite(const Table& table, std::span<const InputColumn> inputs,
                               std::span<const double> predictions,
                               std::span<const std::size_t> rows = {});

}  // namespace knotwork::features
