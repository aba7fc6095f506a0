// SPDX-License-Identifier: MIT
#include <knotwork/metrics.hpp>

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "scoring/score_sums.hpp"

namespace knotwork {

using namespace scoring;

namespace {

template <class T>
Scores score_as(MatrixView<const double> predictions, MatrixView<const T> targets,
                std::span<const double> weights) {
  if (predictions.rows != targets.rows || predictions.columns != targets.columns) {
    fail(ErrorKind::bad_data,
         "Scores need as many predictions as targets: {} rows of {} against {} rows of {}.",
         predictions.rows, predictions.columns, targets.rows, targets.columns);
  }
  if (!weights.empty() && weights.size() != targets.rows) {
    fail(ErrorKind::bad_data, "Scores need a weight for each of the {} rows, not {} weights.",
         targets.rows, weights.size());
  }
  check_weights(weights, 0);
  NumberTotals totals;
  std::vector<double> truth(targets.rows);
  for (std::size_t c = 0; c < targets.columns; ++c) {
    for (std::size_t r = 0; r < targets.rows; ++r) truth[r] = double{targets(r, c)};
    MatrixView<const double> column = predictions;
    column.data += c * predictions.column_stride;
    NumberSums sums;
    sums.see_truth(truth, weights);
    sums.end_truth();
    sums.see(column, truth, weights);
    totals.add(sums);
  }
  Scores scores = totals.scores();
  scores.rows = targets.rows;
  return scores;
}

template <class Sums>
Scores score_column(Sums sums, MatrixView<const double> predictions, std::span<const double> truth,
                    std::span<const double> weights) {
  if (truth.size() != predictions.rows || (!weights.empty() && weights.size() != truth.size())) {
    fail(ErrorKind::bad_data,
         "Scores for {} rows of predictions do not fit {} targets and {} weights.",
         predictions.rows, truth.size(), weights.size());
  }
  check_weights(weights, 0);
  sums.see_truth(truth, weights);
  sums.end_truth();
  sums.see(predictions, truth, weights);
  return sums.scores();
}

}  // namespace

Scores score(MatrixView<const double> predictions, MatrixView<const double> targets,
             std::span<const double> weights) {
  return score_as(predictions, targets, weights);
}

Scores score(MatrixView<const double> predictions, MatrixView<const float> targets,
             std::span<const double> weights) {
  return score_as(predictions, targets, weights);
}

Scores score_classes(MatrixView<const double> probabilities, std::span<const double> truth,
                     std::span<const double> weights) {
  return score_column(ClassSums(probabilities.columns, truth.size()), probabilities, truth,
                      weights);
}

std::size_t middle_level(std::span<const double> levels) {
  const auto middle = std::min_element(levels.begin(), levels.end(), [](double a, double b) {
    return std::fabs(a - 0.5) < std::fabs(b - 0.5);
  });
  return static_cast<std::size_t>(middle - levels.begin());
}

Scores score_quantiles(MatrixView<const double> predictions, std::span<const double> levels,
                       std::span<const double> truth, std::span<const double> weights) {
  return score_column(QuantileSums(levels), predictions, truth, weights);
}

MeanDeviation mean_deviation(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  MeanDeviation result;
  for (double value : values) result.mean += value / n;
  if (values.size() < 2) return result;
  double squares = 0;
  for (double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  return result;
}

}  // namespace knotwork
