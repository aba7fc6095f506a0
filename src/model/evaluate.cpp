// SPDX-License-Identifier: MIT
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/name_list.hpp"
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

// The targets and weights of one window, column by column.
struct Scored {
  Scored(const Model& model, const Table& window, const std::string& weight_column) {
    for (const TargetColumn& target : model.targets) {
      const std::vector<double> column = features::true_values(window, target);
      values.insert(values.end(), column.begin(), column.end());
    }
    truth = column_major(std::span<const double>(values), window.rows(), model.targets.size());
    if (!weight_column.empty()) weights = features::complete_weights(window, weight_column);
  }
  std::vector<double> values;
  MatrixView<const double> truth;
  std::span<const double> weights;  // of the window
};

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
  scoring::RowScores scores(model.targets, table.rows());
  truth.for_each_own(ranks, table::own_windows(truth, ranks),
                     [&](const Table& window, std::size_t) {
                       const Scored scored(model, window, weight_column);
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
        const Scored scored(model, window, weight_column);
        predictions.clear();
        for (const std::vector<double>& column :
             predict_columns(model, window, options.threads, options.monitor.get())) {
          predictions.insert(predictions.end(), column.begin(), column.end());
        }
        scores.see(
            column_major(std::span<const double>(predictions), window.rows(), model.predictions()),
            scored.truth, scored.weights);
        merge(result.report, EncodedTable(window, model.inputs).report());
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
