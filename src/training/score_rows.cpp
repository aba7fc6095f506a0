// SPDX-License-Identifier: MIT
#include "training/score_rows.hpp"

#include "training/predict.hpp"
#include "training/samples.hpp"

namespace knotwork {

void score_rows(Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                std::size_t threads, std::optional<Scores> Summary::*all,
                std::optional<Scores> TargetScores::*each) {
  const std::size_t count = rows.size(), outputs = model.targets.size();
  std::vector<double> predictions(count * outputs), truth(count * outputs), weights;
  predict_rows(
      model, count, threads,
      [&](std::size_t k, std::size_t c) { return element(data.inputs, rows[k], c); },
      [&](std::size_t k, std::size_t o, double y) { predictions[o * count + k] = y; });
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t k = 0; k < count; ++k) {
      truth[o * count + k] = element(data.targets, rows[k], o);
    }
  }
  if (!data.weights.empty()) {
    for (std::size_t row : rows) weights.push_back(data.weights[row]);
  }
  const auto score_columns = [&](std::size_t first, std::size_t columns) {
    const auto part = [&](const std::vector<double>& values) {
      return column_major(std::span(values).subspan(first * count, columns * count), count,
                          columns);
    };
    return score(part(predictions), part(truth), weights);
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
