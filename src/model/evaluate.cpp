// SPDX-License-Identifier: MIT
#include <span>
#include <string>
#include <vector>

#include "base/name_list.hpp"
#include "features/rank_agreement.hpp"
#include "features/target_values.hpp"
#include "model/merge_reports.hpp"
#include "model/score_predictions.hpp"
#include "parallel/rank_merge.hpp"
#include "scoring/row_scores.hpp"
#include "table/table_reader.hpp"

#include <knotwork/predict.hpp>

namespace knotwork {

using namespace model;

namespace {

// What the scores are of in one window, column by column.
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

// `truth` reads at least the targets and the weights, `table` all that is needed.
Evaluation evaluated(const Model& model, const table::TableReader& table,
                     const table::TableReader& truth, const EvaluateOptions& options) {
  const std::string& weight_column = options.weight_column;
  Ranks* const ranks = options.ranks;
  model.check();
  features::check_agreement(ranks, table);
  if (options.progress) options.progress(0);
  Evaluation result;
  scoring::RowScores scores(model.targets, table.rows());
  const parallel::OwnRows own_truth = table::own_windows(truth, ranks);
  truth.for_each(own_truth.first, own_truth.last, [&](const Table& window, std::size_t) {
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
  const parallel::OwnRows own = table::own_windows(table, ranks);
  table.for_each(own.first, own.last, [&](const Table& window, std::size_t row) {
    const Scored scored(model, window, weight_column);
    predictions.clear();
    for (const std::vector<double>& column : model.predict(window, options.threads)) {
      predictions.insert(predictions.end(), column.begin(), column.end());
    }
    scores.see(
        column_major(std::span<const double>(predictions), window.rows(), model.predictions()),
        scored.truth, scored.weights);
    merge(result.report, EncodedTable(window, model.inputs).report());
    if (options.progress && own.last > own.first) {
      options.progress(static_cast<double>(row + window.rows() - own.first) /
                       static_cast<double>(own.last - own.first));
    }
  });
  parallel::merge_over(ranks, scores);
  model::merge_over(ranks, result.report);
  result.scores = scores.finish(&result.each);
  check_finite_errors(source, result.scores);
  return result;
}

}  // namespace

Evaluation evaluate(const Model& model, const StoredTable& table, const EvaluateOptions& options) {
  const CsvOptions needed = scored_columns_for(model, {}, options.weight_column);
  CsvOptions scored = needed;
  std::vector<std::string>& only = scored.only.emplace();
  for (const TargetColumn& target : model.targets) only.push_back(target.column);
  if (!options.weight_column.empty() && !contains(only, options.weight_column)) {
    only.push_back(options.weight_column);
  }
  return evaluated(model, table::TableReader(table, needed), table::TableReader(table, scored),
                   options);
}

Evaluation evaluate(const Model& model, const Table& table, const EvaluateOptions& options) {
  table.check();
  const table::TableReader reader(table);
  return evaluated(model, reader, reader, options);
}

}  // namespace knotwork
