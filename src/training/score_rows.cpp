// SPDX-License-Identifier: MIT
#include "training/score_rows.hpp"

#include "training/predict.hpp"
#include "training/samples.hpp"

namespace knotwork {

Scores score_rows(const Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                  std::size_t threads) {
  const std::size_t outputs = model.targets.size();
  std::vector<double> predictions(rows.size() * outputs), truth(rows.size() * outputs), weights;
  predict_rows(
      model, rows.size(), threads,
      [&](std::size_t k, std::size_t c) { return element(data.inputs, rows[k], c); },
      [&](std::size_t k, std::size_t o, double y) { predictions[o * rows.size() + k] = y; });
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      truth[o * rows.size() + k] = element(data.targets, rows[k], o);
    }
  }
  if (!data.weights.empty()) {
    for (std::size_t row : rows) weights.push_back(data.weights[row]);
  }
  return score(column_major(std::span<const double>(predictions), rows.size(), outputs),
               column_major(std::span<const double>(truth), rows.size(), outputs), weights);
}

}  // namespace knotwork
