// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/name_list.hpp"
#include "features/known_targets.hpp"
#include "features/rank_agreement.hpp"
#include "features/target_values.hpp"
#include "model/merge_reports.hpp"
#include "model/prediction_pass.hpp"
#include "model/score_predictions.hpp"
#include "parallel/rank_merge.hpp"
#include "parallel/watched_work.hpp"
#include "scoring/row_scores.hpp"
#include "table/table_reader.hpp"

#include <knotwork/predict.hpp>

namespace knotwork {

using namespace model;

namespace {

// The rows of one window that are scored: their cells, and their targets and weights, column by
// column. Refers to the window if all of its rows are scored.
class Scored {
 public:
  Scored(const Model& model, const Table& window, const EvaluateOptions& options)
      : window_(window) {
    if (!options.require_target) {
      const std::vector<std::size_t> rows = features::rows_with_targets(window, model.targets);
      if (rows.size() < window.rows()) some_ = table::TableReader(window).read_rows(rows);
    }
    for (const TargetColumn& target : model.targets) {
      const std::vector<double> column = features::true_values(table(), target);
      values_.insert(values_.end(), column.begin(), column.end());
    }
    truth = column_major(std::span<const double>(values_), table().rows(), model.targets.size());
    if (!options.weight_column.empty()) {
      weights = features::complete_weights(table(), options.weight_column);
    }
  }
  Scored(const Scored&) = delete;
  Scored& operator=(const Scored&) = delete;

  const Table& table() const { return some_ ? *some_ : window_; }

  MatrixView<const double> truth;
  std::span<const double> weights;

 private:
  const Table& window_;
  std::optional<Table> some_;
  std::vector<double> values_;
};

// Rows without a target.
struct Unscored {
  std::size_t rows = 0;
  parallel::MergeState state() const {
    parallel::MergeState state;
    parallel::put(state, rows);
    return state;
  }
  void merge(std::span<const std::int64_t> other) { rows += parallel::StateReader(other).size(); }
};

std::size_t rows_without_targets(const Model& model, const table::TableReader& truth,
                                 const EvaluateOptions& options) {
  Unscored unscored;
  if (options.require_target) return 0;
  truth.for_each_own(options.ranks, table::own_windows(truth, options.ranks),
                     [&](const Table& window, std::size_t) {
                       unscored.rows += window.rows();
                       unscored.rows -= features::rows_with_targets(window, model.targets).size();
                     });
  parallel::merge_over(options.ranks, unscored);
  return unscored.rows;
}

// A reader of the columns with these names, each once.
table::TableReader reader_of(const table::TableReader& all, const std::vector<std::string>& names) {
  std::vector<std::size_t> columns;
  for (const std::string& name : names) columns.push_back(all.description().index_of(name));
  return all.with_columns(columns);
}

Evaluation evaluated(const Model& model, const table::TableReader& rows,
                     const EvaluateOptions& options) {
  const table::TableReader all = rows.watched(options.monitor, Phase::scoring);
  const std::string& weight_column = options.weight_column;
  Ranks* const ranks = options.ranks;
  model.check();
  features::check_agreement(ranks, all);
  std::vector<std::string> names;
  for (const TargetColumn& target : model.targets) add_once(names, target.column);
  if (!weight_column.empty()) add_once(names, weight_column);
  // Of the two passes only the long one shows progress.
  const auto stop = std::make_shared<parallel::StopOnly>(options.monitor);
  const table::TableReader truth = reader_of(all, names).watched(stop, Phase::scoring);
  for (const InputColumn& input : model.inputs) add_once(names, input.column);
  const table::TableReader table = reader_of(all, names);
  Evaluation result;
  result.without_target = rows_without_targets(model, truth, options);
  const std::size_t scored_rows = table.rows() - result.without_target;
  if (scored_rows == 0 && table.rows() > 0) {
    features::refuse_without_targets(table.description(), model.targets);
  }
  scoring::RowScores scores(model.targets, scored_rows);
  truth.for_each_own(ranks, table::own_windows(truth, ranks),
                     [&](const Table& window, std::size_t) {
                       const Scored scored(model, window, options);
                       scores.see_truth(scored.truth, scored.weights);
                     });
  parallel::merge_over(ranks, scores);
  const std::string& source = table.description().source;
  if (!weight_column.empty() && table.rows() > 0) {
    features::check_total_weight(source, weight_column, scores.total_weight());
  }
  scores.begin_predictions();
  std::vector<double> predictions;
  table.for_each_own(
      ranks, table::own_windows(table, ranks), [&](const Table& window, std::size_t) {
        const Scored scored(model, window, options);
        const Table& taken = scored.table();
        predictions.clear();
        for (const std::vector<double>& column :
             predict_columns(model, taken, options.threads, options.monitor.get())) {
          predictions.insert(predictions.end(), column.begin(), column.end());
        }
        scores.see(
            column_major(std::span<const double>(predictions), taken.rows(), model.predictions()),
            scored.truth, scored.weights);
        merge(result.report, EncodedTable(taken, model.inputs).report());
      });
  parallel::merge_over(ranks, scores);
  model::merge_over(ranks, result.report);
  result.scores = scores.finish(&result.each);
  check_finite_errors(source, result.scores);
  return result;
}

}  // namespace

Evaluation evaluate(const Model& model, const RowSource& rows, const EvaluateOptions& options) {
  return evaluated(model, table::TableReader(table::lent(rows)), options);
}

Evaluation evaluate(const Model& model, const StoredTable& table, const EvaluateOptions& options) {
  return evaluate(model, *rows_of(table, scored_columns_for(model, {}, options.weight_column)),
                  options);
}

Evaluation evaluate(const Model& model, const Table& table, const EvaluateOptions& options) {
  return evaluated(model, table::TableReader(table), options);
}

}  // namespace knotwork
