// SPDX-License-Identifier: MIT
// Permutation importance (L. Breiman, Random Forests, 2001): how much worse a model scores when the
// cells of one column are shuffled among the rows, so that they say nothing about their row.
//
// A column of the table is shuffled as a whole: a text column with all its inputs, a column of
// numbers together with what tells that they are missing. The score is Scores::to_compare(): NRMSE,
// of classes the log loss, of quantiles the relative pinball loss. 0 means that the model does not
// need the column; a column whose twin is also in the table can look as if it was not needed.
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

}  // namespace knotwork
