// SPDX-License-Identifier: MIT
#include "training/score_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "training/predict.hpp"
#include "training/samples.hpp"
#include "training/table_columns.hpp"

namespace knotwork {
namespace {

using Weights = std::span<const double>;

std::vector<double> column_of(const AnyMatrixView& view, std::size_t column) {
  std::vector<double> values(rows_of(view));
  for (std::size_t r = 0; r < values.size(); ++r) values[r] = element(view, r, column);
  return values;
}

Scores score_numbers(MatrixView<const double> predictions, const AnyMatrixView& truth,
                     std::size_t first, Weights weights) {
  return std::visit(
      [&](auto typed) {
        typed.data += first * typed.column_stride;
        typed.columns = predictions.columns;
        return score(predictions, typed, weights);
      },
      truth);
}

// One target by itself, its columns of predictions being those given.
Scores score_target(const TargetColumn& target, MatrixView<const double> predictions,
                    const AnyMatrixView& truth, std::size_t column, Weights weights) {
  if (!target.classes.empty()) return score_classes(predictions, column_of(truth, column), weights);
  if (!target.quantiles.empty()) {
    return score_quantiles(predictions, target.quantiles, column_of(truth, column), weights);
  }
  return score_numbers(predictions, truth, column, weights);
}

// Of quantiles the middle levels stand for their targets; pinball loss and coverage are those of
// all.
Scores score_together(std::span<const TargetColumn> targets, MatrixView<const double> predictions,
                      const AnyMatrixView& truth, Weights weights,
                      const std::vector<Scores>& single) {
  if (predictions.columns == targets.size()) return score_numbers(predictions, truth, 0, weights);
  std::vector<double> middle;
  std::size_t first = 0;
  for (const TargetColumn& target : targets) {
    const std::size_t level = first + middle_level(target.quantiles);
    for (std::size_t r = 0; r < predictions.rows; ++r) middle.push_back(predictions(r, level));
    first += target.predictions();
  }
  Scores scores =
      score_numbers(column_major(std::span<const double>(middle), predictions.rows, targets.size()),
                    truth, 0, weights);
  const auto count = static_cast<double>(single.size());
  PinballScores& pinball = scores.pinball.emplace();
  double variance = 0;
  for (const Scores& one : single) {
    pinball.loss += one.pinball->loss / count;
    variance += std::pow(one.pinball->deviation, 2) / count;
  }
  pinball.deviation = std::sqrt(variance);
  if (!single.front().intervals) return scores;
  IntervalScores& all = scores.intervals.emplace();
  for (const Scores& one : single) {
    all.share += one.intervals->share / count;
    all.coverage += one.intervals->coverage / count;
    all.width += one.intervals->width / count;
  }
  return scores;
}

[[noreturn]] void refuse_as_far_off(std::size_t count, std::size_t rows) {
  fail(ErrorKind::failed_run,
       "The trained model has no prediction with a finite error for {} of the {} rows that it was "
       "trained on; a lower rate, fewer iterations, or targets in larger units may mend that.",
       count, rows);
}

// A row far from those of training can be too much for the arithmetic; its part has no scores then.
// A model that cannot even predict what it was trained on is none.
void look_for_infinite(Summary& summary, const std::vector<double>& predictions, std::size_t rows,
                       std::optional<Scores> Summary::*part) {
  std::vector<bool> infinite(rows);
  for (std::size_t k = 0; k < predictions.size(); ++k) {
    if (!std::isfinite(predictions[k])) infinite[k % rows] = true;
  }
  const auto count = std::count(infinite.begin(), infinite.end(), true);
  if (count == 0) return;
  if (part == &Summary::train) {
    refuse_as_far_off(static_cast<std::size_t>(count), rows);
  }
  summary.remarks.push_back(
      fmt::format("{} of {} rows of the {} part {} no finite prediction, so that the part has no "
                  "scores; {} inputs may lie far from those of training.",
                  count, rows, part == &Summary::validation ? "validation" : "test",
                  count == 1 ? "has" : "have", count == 1 ? "its" : "their"));
}

}  // namespace

std::vector<double> true_columns(std::span<const TargetColumn> targets, const Table& table,
                                 std::span<const std::size_t> rows) {
  std::vector<double> all;
  for (const TargetColumn& target : targets) {
    const std::vector<double> column = true_values(table, target, rows);
    all.insert(all.end(), column.begin(), column.end());
  }
  return all;
}

Scores score_predictions(std::span<const TargetColumn> targets,
                         const std::vector<double>& predictions, const AnyMatrixView& truth,
                         Weights weights, std::vector<Scores>* each) {
  const std::size_t rows = rows_of(truth);
  std::size_t columns = 0;
  std::vector<Scores> single;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const std::size_t own = targets[t].predictions();
    const auto part = std::span<const double>(predictions).subspan(columns * rows, own * rows);
    single.push_back(score_target(targets[t], column_major(part, rows, own), truth, t, weights));
    columns += own;
  }
  if (each) *each = single;
  if (single.size() == 1) return single.front();
  return score_together(targets, column_major(std::span<const double>(predictions), rows, columns),
                        truth, weights, single);
}

void score_rows(Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                std::size_t threads, std::optional<Scores> Summary::*all,
                std::optional<Scores> TargetScores::*each) {
  const std::size_t count = rows.size(), targets = model.targets.size();
  std::vector<double> predictions(count * model.predictions()), weights;
  predict_rows(
      model, count, threads,
      [&](std::size_t k, std::size_t c) { return element(data.inputs, rows[k], c); },
      [&](std::size_t k, std::size_t c, double y) { predictions[c * count + k] = y; });
  look_for_infinite(model.training, predictions, count, all);
  // All rows are scored where they are, some of them in a copy.
  std::vector<double> copy;
  AnyMatrixView truth = data.targets;
  if (count != rows_of(data.targets)) {
    copy.resize(count * targets);
    for (std::size_t t = 0; t < targets; ++t) {
      for (std::size_t k = 0; k < count; ++k) {
        copy[t * count + k] = element(data.targets, rows[k], t);
      }
    }
    truth = column_major(std::span<const double>(copy), count, targets);
  }
  if (!data.weights.empty()) {
    for (std::size_t row : rows) weights.push_back(data.weights[row]);
  }
  Summary& summary = model.training;
  std::vector<Scores> single;
  summary.*all = score_predictions(model.targets, predictions, truth, weights, &single);
  if (all == &Summary::train && std::isinf(summary.train->rmse)) refuse_as_far_off(count, count);
  if (targets == 1) return;
  summary.target_scores.resize(targets);
  for (std::size_t t = 0; t < targets; ++t) {
    summary.target_scores[t].column = model.targets[t].column;
    summary.target_scores[t].*each = single[t];
  }
}

}  // namespace knotwork
