// SPDX-License-Identifier: MIT
// What a model makes of the columns of a table: how much it needs each, and how its predictions
// follow it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// --- Permutation importance ---------------------------------------------------------------------
//
// Permutation importance (L. Breiman, Random Forests, 2001): how much worse a model scores when the
// cells of one column are shuffled among the rows, so that they say nothing about their row.
//
// A column of the table is shuffled as a whole: a text column with all its inputs, a column of
// numbers together with what tells that they are missing. The score is Scores::to_compare(): NRMSE,
// of classes the log loss, of quantiles the relative pinball loss. 0 means that the model does not
// need the column; a column whose twin is also in the table can look as if it was not needed.

struct ColumnImportance {
  std::string column;
  // Score of the shuffled table minus that of the table as it is.
  double mean = 0;
  double deviation = 0;  // standard deviation over the repeats
};

struct Importance {
  double score = 0;                       // of the table as it is
  std::size_t rows = 0;                   // that were taken
  std::size_t repeats = 0;                // shuffles of each column
  std::vector<ColumnImportance> columns;  // the most important first
};

struct ImportanceOptions {
  std::size_t repeats = 10;
  std::size_t most_rows = 2000;    // of more rows so many are drawn
  std::string weight_column = "";  // of sample weights; empty: all 1
  std::uint64_t seed = 0;
  std::size_t threads = 1;  // 0: all cores; the bits do not depend on it
  // Asked before every shuffle, from several threads; false ends it, which throws failed_run.
  std::function<bool()> go_on = {};
};

// Over the given rows of the table (none given: all of them), which must hold the targets too.
// Columns are matched by name; those that no input reads are not listed, and equally important ones
// stand in the order of the inputs. Where the targets do not vary, so that the score is infinite,
// importances are NaN. Throws bad_data when the table lacks a column or a row, bad_option
// unless there is at least one repeat and room for two rows.
KNOTWORK_API Importance permutation_importance(const Model& model, const Table& table,
                                               std::span<const std::size_t> rows = {},
                                               const ImportanceOptions& options = {});

// --- Partial dependence -------------------------------------------------------------------------
//
// Partial dependence (J. Friedman, 2001) and individual curves (A. Goldstein et al., 2015): what
// the model predicts when one column is set to a value in every row, as the mean over the rows and
// for single rows. Where the single curves are not parallel, the column acts together with others.

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
