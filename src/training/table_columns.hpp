// SPDX-License-Identifier: MIT
// Columns of a table that must hold a number in every row: targets and weights.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.hpp"
#include "data/csv_disguise.hpp"
#include "data/csv_text.hpp"

#include <knotwork/table.hpp>

namespace knotwork {

// Throws bad_data naming the first cell that is missing.
inline const std::vector<double>& complete_numbers(const Table& table, const std::string& name) {
  const std::size_t c = table.index_of(name);
  if (table.is_text(c)) {
    const std::string& text = table.labels[c].front();
    const std::string_view disguise = csv::disguise_of(text);
    if (!disguise.empty()) {
      fail(ErrorKind::bad_data, "{}: column '{}' must hold numbers, but '{}' {}.", table.source,
           name, csv::shown(text), disguise);
    }
    fail(ErrorKind::bad_data,
         "{}: column '{}' holds text such as '{}', but it must hold numbers; texts can be inputs, "
         "not predicted.",
         table.source, name, csv::shown(text));
  }
  const std::vector<double>& column = table.columns[c];
  for (std::size_t r = 0; r < column.size(); ++r) {
    if (std::isnan(column[r])) {
      fail(ErrorKind::bad_data,
           "{}: the cell is missing, but every row must have a number there; fill it in or remove "
           "the row.",
           table.where(r, c));
    }
  }
  return column;
}

// Throws bad_data naming the first cell that is no weight, too.
inline const std::vector<double>& complete_weights(const Table& table, const std::string& name) {
  const std::vector<double>& weights = complete_numbers(table, name);
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (weights[r] >= 0 && std::isfinite(weights[r])) continue;
    fail(ErrorKind::bad_data, "{}: the weight is {}, but weights must be finite and at least 0.",
         table.where(r, table.index_of(name)), weights[r]);
  }
  return weights;
}

}  // namespace knotwork
