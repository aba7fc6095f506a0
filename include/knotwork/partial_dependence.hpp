// SPDX-License-Identifier: MIT
// Partial dependence (J. Friedman, 2001) and individual curves (A. Goldstein et al., 2015): what
// the model predicts when one column is set to a value in every row, as the mean over the rows and
// for single rows. Where the single curves are not parallel, the column acts together with others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

struct PartialDependence {
  std::string column;
  // The values that the column is set to, ascending: all that the rows have, or quantiles of them,
  // both ends included. Of a text column 0, 1, ..., which stand for `categories`.
  std::vector<double> places;
  std::vector<std::string> categories;      // all that the model knows; empty for numbers
  std::vector<std::vector<double>> means;   // [column of predictions][place]
  std::size_t shown = 0;                    // the column of predictions that `curves` are of
  std::vector<std::vector<double>> curves;  // [row][place]
  std::vector<double> deciles;  // of the column over the rows, 9 of them; empty for texts
  std::size_t rows = 0;         // that means were taken over
};

struct DependenceOptions {
  std::size_t most_places = 40;
  std::size_t most_rows = 1000;  // for the means; of more so many are drawn
  std::size_t most_curves = 50;  // of the rows taken, drawn too
  std::uint64_t seed = 0;
  std::size_t threads = 1;  // 0: all cores; the bits do not depend on it
};

// `column` is one of the table that the model has inputs of. For two classes the curves are those
// of the second's probability, for quantiles those of the middle level, otherwise of the first
// column of predictions. Rows in which the column's cell is missing are set like all others, but do
// not count for places. Throws bad_data when the table or the model lacks a column or the table a
// row, bad_option unless there is room for two places and one row.
KNOTWORK_API PartialDependence partial_dependence(const Model& model, const Table& table,
                                                  const std::string& column,
                                                  std::span<const std::size_t> rows = {},
                                                  const DependenceOptions& options = {});

}  // namespace knotwork
