// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "objective/units.hpp"

#include <knotwork/metrics.hpp>

namespace knotwork {

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
  Scores scores;
  scores.rows = targets.rows;
  if (targets.rows == 0 || targets.columns == 0) {
    scores.rmse = scores.nrmse = scores.mae = scores.r2 = std::numeric_limits<double>::quiet_NaN();
    return scores;
  }
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (!(weights[r] >= 0) || !std::isfinite(weights[r])) {
      fail(ErrorKind::bad_data,
           "The weight of row {} is {}; weights must be finite and at least 0.", r, weights[r]);
    }
  }
  const double unit = unit_of_squares(predictions, targets);
  const double heaviest = unit_of_weights(weights);
  auto weight = [&](std::size_t r) { return weights.empty() ? 1.0 : weights[r] / heaviest; };
  auto target = [&](std::size_t r, std::size_t c) { return double{targets(r, c)} / unit; };
  double squared = 0, absolute = 0, spread = 0, total = 0;
  for (std::size_t c = 0; c < targets.columns; ++c) {
    // Summed as departures from one of the targets: the mean of equal numbers must be that number
    // to the last bit, or targets that do not vary would seem to.
    std::size_t origin_row = 0;
    while (origin_row + 1 < targets.rows && !(weight(origin_row) > 0)) ++origin_row;
    const double origin = target(origin_row, c);
    double sum = 0, mass = 0;
    for (std::size_t r = 0; r < targets.rows; ++r) {
      sum += weight(r) * (target(r, c) - origin);
      mass += weight(r);
    }
    const double mean = origin + sum / mass;
    for (std::size_t r = 0; r < targets.rows; ++r) {
      const double error = predictions(r, c) / unit - target(r, c);
      const double deviation = target(r, c) - mean;
      squared += weight(r) * error * error;
      absolute += weight(r) * std::fabs(error);
      spread += weight(r) * deviation * deviation;
    }
    total += mass;
  }
  scores.rmse = unit * std::sqrt(squared / total);
  scores.mae = unit * (absolute / total);
  const double ratio =
      squared == 0 ? 0 : (spread > 0 ? squared / spread : std::numeric_limits<double>::infinity());
  // Rows that all weigh nothing have no score: rmse is then 0 / 0.
  scores.nrmse = std::isnan(scores.rmse) ? scores.rmse : std::sqrt(ratio);
  scores.r2 = std::isnan(scores.rmse) ? scores.rmse : 1 - ratio;
  return scores;
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

}  // namespace knotwork
