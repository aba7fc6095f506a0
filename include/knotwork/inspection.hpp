// SPDX-License-Identifier: MIT
// Permutation importance and partial dependence: how a model uses the columns of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// --- Permutation importance ---------------------------------------------------------------------
//
// Permutation importance (L. Breiman, Random Forests, 2001) is the increase of a model's score when
// the cells of one column are shuffled among the rows, so that they no longer say anything about
// their rows.
//
// A column of the table is shuffled as a whole: a text column with all its inputs, a column of
// numbers together with its indicator of missing cells. The score is Scores::to_compare(): NRMSE,
// for classes the log loss, for quantiles the relative pinball loss. 0 means that the model does
// not need the column. If two columns carry the same information, each of them can look
// unnecessary.

struct ColumnImportance {
  std::string column;
  // Score of the shuffled table minus score of the original table.
  double mean = 0;
  double deviation = 0;  // standard deviation over the repeats
};

struct Importance {
  double score = 0;                       // of the original table
  std::size_t rows = 0;                   // used for the scores
  std::size_t repeats = 0;                // shuffles of each column
  std::vector<ColumnImportance> columns;  // the most important first
};

struct ImportanceOptions {
  std::size_t repeats = 10;
  std::size_t most_rows = 2000;    // if there are more, this many are drawn
  std::string weight_column = "";  // of sample weights; empty: all weights are 1
  std::uint64_t seed = 0;
  std::size_t threads = 1;  // 0: all cores; the bits do not depend on it
  std::shared_ptr<Monitor> monitor = {};
};

// Computes importances over the given rows of the table (none given: all rows); the table must
// contain the targets too. Columns are matched by name. Columns that no input reads are not listed,
// and equally important columns are in the order of the inputs. If the targets do not vary, the
// score is infinite and importances are NaN. Throws bad_data if the table lacks a column or a row,
// bad_option unless there is at least one repeat and `most_rows` is at least 2.
KNOTWORK_API Importance permutation_importance(const Model& model, const Table& table,
                                               std::span<const std::size_t> rows = {},
                                               const ImportanceOptions& options = {});

// --- Partial dependence -------------------------------------------------------------------------
//
// Partial dependence (J. Friedman, 2001) and individual curves (A. Goldstein et al., 2015) show
// what the model predicts when one column is set to a value in every row, as the mean over the rows
// and for single rows. If the individual curves are not parallel, the column interacts with others.

struct PartialDependence {
  std::string column;
  // The values that the column is set to, ascending: all values in the rows, or quantiles of them,
  // both ends included. For a column of dates they are seconds since 1970-01-01 UTC, for a text
  // column 0, 1, ..., the indices of `categories`.
  std::vector<double> places;
  // The categories of the model, those with the most rows if there are more than `most_places`; for
  // a column with many texts, those that most rows have, the most frequent first. Empty for numbers
  // and dates.
  std::vector<std::string> categories;
  std::vector<std::vector<double>> means;   // [column of predictions][place]
  std::size_t shown = 0;                    // the column of predictions that `curves` show
  std::vector<std::vector<double>> curves;  // [row][place]
  std::vector<double> deciles;  // the 9 deciles of the column over the rows; empty for texts
  std::size_t rows = 0;         // that the means were computed over
  bool dates = false;           // whether the places are dates
  std::size_t texts = 0;        // that the model knows, `categories` or more
  // The means if the cell of the column is missing, one for each column of predictions. Empty if no
  // cell was missing in the training rows, as far as the model shows it, and none is in the rows.
  std::vector<double> missing = {};
};

struct DependenceOptions {
  std::size_t most_places = 40;
  std::size_t most_texts = 12;   // of a column with many texts
  std::size_t most_rows = 1000;  // for the means; if there are more, this many are drawn
  std::size_t most_curves = 50;  // drawn from the rows used for the means
  std::uint64_t seed = 0;
  std::size_t threads = 1;  // 0: all cores; the bits do not depend on it
  std::shared_ptr<Monitor> monitor = {};
};

// `column` is a column of the table that the model has inputs for. For two classes the curves show
// the probability of the second class, for quantiles the middle level, otherwise the first column
// of predictions. Rows in which the column's cell is missing are set like all others, but do not
// count for places. Throws bad_data if the table or the model lacks a column or the table lacks a
// row, bad_option unless there is room for two places and one row.
KNOTWORK_API PartialDependence partial_dependence(const Model& model, const Table& table,
                                                  const std::string& column,
                                                  std::span<const std::size_t> rows = {},
                                                  const DependenceOptions& options = {});

}  // namespace knotwork
