// SPDX-License-Identifier: MIT
#include "model/score_predictions.hpp"

#include <cmath>

#include "base/any_matrix.hpp"
#include "base/fail.hpp"
#include "features/target_values.hpp"
#include "scoring/row_scores.hpp"

namespace knotwork::model {

std::vector<double> true_columns(std::span<const TargetColumn> targets, const Table& table,
                                 std::span<const std::size_t> rows) {
  std::vector<double> all;
  for (const TargetColumn& target : targets) {
    const std::vector<double> column = features::true_values(table, target, rows);
    all.insert(all.end(), column.begin(), column.end());
  }
  return all;
}

Scores score_predictions(std::span<const TargetColumn> targets,
                         const std::vector<double>& predictions, const AnyMatrixView& truth,
                         std::span<const double> weights, std::vector<Scores>* each) {
  std::size_t columns = 0;
  for (const TargetColumn& target : targets) columns += target.predictions();
  const std::size_t rows = rows_of(truth);
  scoring::RowScores scores(targets, rows);
  scores.see_truth(truth, weights);
  scores.begin_predictions();
  scores.see(column_major(std::span(predictions), rows, columns), truth, weights);
  return scores.finish(each);
}

void check_finite_errors(const std::string& source, const Scores& scores) {
  if (!std::isinf(scores.rmse)) return;
  fail(ErrorKind::bad_data,
       "{}: the errors overflow, because predictions and targets are too far apart; give the "
       "targets in larger units.",
       source);
}

}  // namespace knotwork::model
