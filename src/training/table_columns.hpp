// SPDX-License-Identifier: MIT
// Columns of a table that must hold something in every row: targets and weights.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.hpp"
#include "data/csv_disguise.hpp"
#include "data/csv_text.hpp"

#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// "'a', 'b' and 7 more"
inline std::string shown_list(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, names.size()); ++k) {
    text += fmt::format("{}'{}'", k == 0 ? "" : ", ", csv::shown(names[k]));
  }
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

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
         "{}: column '{}' holds text such as '{}', but it must hold numbers; a target of texts is "
         "predicted as classes, alone and not with --task regression.",
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

// What a class is called: the text of a cell, or its number in the shortest way.
inline std::string class_label(const Table& table, std::size_t column, double cell) {
  if (table.is_text(column)) return table.labels[column][static_cast<std::size_t>(cell)];
  return fmt::format("{}", cell);
}

// Classes may be called what elsewhere means a missing cell.
inline std::string_view word_hint(const Table& table) {
  return table.cells.missing_words ? " (NA, null, none and the like are classes with "
                                     "--no-missing-words)"
                                   : "";
}

// Number of the class of every row. Throws bad_data naming the first cell that is none of them.
inline std::vector<double> class_numbers(const Table& table, const std::string& name,
                                         const std::vector<std::string>& classes) {
  const std::size_t c = table.index_of(name);
  std::map<double, double> numbers;  // of cells that were looked up
  std::vector<double> result;
  for (std::size_t r = 0; r < table.rows(); ++r) {
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

// What a target column says, as a model counts it.
inline std::vector<double> true_values(const Table& table, const TargetColumn& target) {
  if (!target.classes.empty()) return class_numbers(table, target.column, target.classes);
  return complete_numbers(table, target.column);
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
