// SPDX-License-Identifier: MIT
#include "training/score_rows.hpp"

#include "training/predict.hpp"
#include "training/samples.hpp"

namespace knotwork {

void score_rows(Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                std::size_t threads, std::optional<Scores> Summary::*all,
                std::optional<Scores> TargetScores::*each) {
  const std::size_t count = rows.size(), outputs = model.targets.size();
  std::vector<double> predictions(count * outputs), weights;
  predict_rows(
      model, count, threads,
      [&](std::size_t k, std::size_t c) { return element(data.inputs, rows[k], c); },
      [&](std::size_t k, std::size_t o, double y) { predictions[o * count + k] = y; });
  // All rows are scored where they are, some of them in a copy.
  std::vector<double> truth;
  AnyMatrixView targets = data.targets;
  if (count != rows_of(data.targets)) {
    truth.resize(count * outputs);
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t k = 0; k < count; ++k) {
        truth[o * count + k] = element(data.targets, rows[k], o);
      }
    }
    targets = column_major(std::span<const double>(truth), count, outputs);
  }
  if (!data.weights.empty()) {
    for (std::size_t row : rows) weights.push_back(data.weights[row]);
  }
  const auto score_columns = [&](std::size_t first, std::size_t columns) {
    const auto predicted =
        column_major(std::span<const double>(predictions).subspan(first * count, columns * count),
                     count, columns);
    return std::visit(
        [&](auto typed) {
          typed.data += first * typed.column_stride;
          typed.columns = columns;
          return score(predicted, typed, weights);
        },
        targets);
  };
  Summary& summary = model.training;
  summary.*all = score_columns(0, outputs);
  if (outputs == 1) return;
  summary.target_scores.resize(outputs);
  for (std::size_t o = 0; o < outputs; ++o) {
    summary.target_scores[o].column = model.targets[o].column;
    summary.target_scores[o].*each = score_columns(o, 1);
  }
}

}  // namespace knotwork
