// SPDX-License-Identifier: MIT
// This header makes models whose inputs are scaled by quantiles, and rows that are difficult if
// cells arrive in float.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "export/quantile_knots.hpp"
#include "export/test_exported_models.hpp"

namespace knotwork::testing_export {

enum class Cells { decimal, ties, of_float };

inline std::vector<double> column_of(Cells cells, std::size_t rows, std::uint64_t seed) {
  const Random random(seed, Purpose::builtin_inputs);
  std::vector<double> column;
  for (std::size_t r = 0; r < rows; ++r) {
    const double cell = 20 + 8 * random.normal(r);
    if (cells == Cells::of_float) {
      column.push_back(exporting::rounded_to_float(cell));
    } else {
      // Parsed from a table, 37.88 is this number, which is not exact in float.
      const double digits = cells == Cells::ties ? 5 : 1000;
      column.push_back(std::round(cell * digits) / digits);
    }
  }
  return column;
}

// Float cells: the neighbors of knots, including the ends, and the knots that are exact in float.
inline std::vector<double> cells_of_float(const Scaling& scaling) {
  constexpr float kAbove = std::numeric_limits<float>::infinity();
  const std::vector<double>& knots = scaling.quantiles;
  std::vector<double> rounded, cells;
  for (const double knot : knots) rounded.push_back(exporting::rounded_to_float(knot));
  const std::size_t last = knots.size() - 1, some = 1 + last / 150;
  for (std::size_t k = 0; k <= last; k = k < last ? std::min(k + some, last) : last + 1) {
    const auto here = static_cast<float>(rounded[k]);
    for (const float next : {std::nextafter(here, -kAbove), here, std::nextafter(here, kAbove)}) {
      const auto cell = static_cast<double>(next);
      const bool stands_for_a_knot = std::binary_search(rounded.begin(), rounded.end(), cell) &&
                                     !std::binary_search(knots.begin(), knots.end(), cell);
      if (!stands_for_a_knot) cells.push_back(cell);
    }
  }
  return cells;
}

inline Case quantile_case(const std::string& name, ScalingKind kind, Cells cells,
                          std::size_t rows) {
  std::vector<InputColumn> inputs;
  std::vector<std::vector<double>> columns, others;
  for (const std::uint64_t seed : {31, 32}) {
    columns.push_back(column_of(cells, rows, seed));
    inputs.push_back(number(seed == 31 ? "a" : "b"));
    inputs.back().scaling = fit_scaling(kind, columns.back(), ColumnRole::input);
    others.push_back(cells_of_float(inputs.back().scaling));
  }
  Case one{name,
           model_of({dense(2, 4, activation("tanh")), dense(4, 1, activation("identity"))}, inputs,
                    {plain_target("y")}),
           {}};
  // First all training cells, including the smallest and largest, then the others.
  for (std::size_t r = 0; r < rows; ++r) one.rows.push_back({columns[0][r], columns[1][r]});
  for (std::size_t r = 0; r < std::max(others[0].size(), others[1].size()); ++r) {
    one.rows.push_back({others[0][r % others[0].size()], others[1][r % others[1].size()]});
  }
  return one;
}

inline std::vector<Case> quantile_cases() {
  std::vector<Case> cases;
  for (const ScalingKind kind : {ScalingKind::quantile, ScalingKind::uniform}) {
    const std::string name(to_string(kind));
    cases.push_back(quantile_case(name + "_of_decimals", kind, Cells::decimal, 200));
    cases.push_back(quantile_case(name + "_of_many_decimals", kind, Cells::decimal, 1300));
    cases.push_back(quantile_case(name + "_of_ties", kind, Cells::ties, 200));
    cases.push_back(quantile_case(name + "_of_many_ties", kind, Cells::ties, 1300));
    cases.push_back(quantile_case(name + "_of_float", kind, Cells::of_float, 200));
    cases.push_back(quantile_case(name + "_of_many_of_float", kind, Cells::of_float, 1300));
  }
  return cases;
}

inline std::vector<Case> all_cases_with_quantiles() {
  std::vector<Case> all = all_cases();
  for (Case& one : quantile_cases()) all.push_back(std::move(one));
  return all;
}

}  // namespace knotwork::testing_export
