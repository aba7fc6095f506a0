// SPDX-License-Identifier: MIT
// check_predictions() compares predictions with true targets: the scores, points to draw, and for
// classes the calibration of their probabilities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// A numeric target. predicted[level][k] belongs to truth[k]; there is one level unless quantiles
// are predicted.
struct PredictedTarget {
  std::string column;
  std::vector<double> levels;  // the levels of quantiles; otherwise empty
  std::vector<double> truth;
  std::vector<std::vector<double>> predicted;
  // Counts of truth - predicted (the middle level) over all rows, in bins of equal width.
  std::vector<double> residual_edges, residual_counts;
};

// The rows with about the same predicted probability of a class: their mean probability, the share
// of them that has the class, and their number. In a well calibrated model the mean probability and
// the share are equal.
struct ReliabilityBin {
  double predicted = 0;
  double observed = 0;
  std::size_t rows = 0;
};
struct Reliability {
  std::string label;                 // of the class
  std::vector<ReliabilityBin> bins;  // ascending; empty bins are left out
};

struct PredictionCheck {
  std::size_t rows = 0;  // number of predicted rows
  Scores scores;
  std::vector<TargetScores> targets;     // `test` of each target, if there are several
  std::vector<Scores> members;           // of each network of an ensemble alone
  std::vector<PredictedTarget> numbers;  // for regression
  std::vector<Reliability> reliability;  // for classes; if there are two, only the second
};

struct CheckOptions {
  std::size_t most_points = 1000;  // of truth and predicted; larger sets are sampled
  std::size_t bins = 10;           // of reliability, equally wide
  std::size_t residual_bins = 40;
  std::string weight_column = "";  // sample weights for the scores; empty: all 1
  std::uint64_t seed = 0;
  std::size_t threads = 1;  // 0: all cores; the bits do not depend on it
  std::shared_ptr<Monitor> monitor = {};
};

// Checks the given rows of the table (empty: all rows), which must contain the targets too; rows
// whose target is missing are refused as in Model::evaluate(). Throws bad_data when a column or a
// row does not exist in the table, bad_option for histograms without bins.
KNOTWORK_API PredictionCheck check_predictions(const Model& model, const Table& table,
                                               std::span<const std::size_t> rows = {},
                                               const CheckOptions& options = {});

}  // namespace knotwork
