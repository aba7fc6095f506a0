// SPDX-License-Identifier: MIT
// Predictions beside what was true: the scores, rows to draw, and for classes how far their
// probabilities can be relied on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// Of a target that is a number. predicted[level][k] belongs to truth[k]; there is one level unless
// quantiles are predicted.
struct PredictedTarget {
  std::string column;
  std::vector<double> levels;  // of quantiles; empty otherwise
  std::vector<double> truth;
  std::vector<std::vector<double>> predicted;
  // Counts of truth - predicted (the middle level) over all rows, in bins of one width.
  std::vector<double> residual_edges, residual_counts;
};

// Of the rows that were given about the same probability of a class: what it was in the mean, and
// how many of them had the class. A well calibrated model has the two equal.
struct ReliabilityBin {
  double predicted = 0;
  double observed = 0;
  std::size_t rows = 0;
};
struct Reliability {
  std::string label;                 // of the class
  std::vector<ReliabilityBin> bins;  // ascending; those without rows are left out
};

struct PredictionCheck {
  std::size_t rows = 0;  // all that were predicted
  Scores scores;
  std::vector<TargetScores> targets;     // `test` of each, if there is more than one target
  std::vector<Scores> members;           // of each network of an ensemble by itself
  std::vector<PredictedTarget> numbers;  // of regression
  std::vector<Reliability> reliability;  // of classes; of two only the second
};

struct CheckOptions {
  std::size_t most_points = 1000;  // of truth and predicted; of more rows so many are drawn
  std::size_t bins = 10;           // of reliability, equally wide
  std::size_t residual_bins = 40;
  std::string weight_column = "";  // of sample weights, for the scores; empty: all 1
  std::uint64_t seed = 0;
  std::size_t threads = 1;  // 0: all cores; the bits do not depend on it
};

// Over the given rows of the table (none given: all of them), which must hold the targets too; rows
// whose target is missing are refused as Model::evaluate() does. Throws bad_data when the table
// lacks a column or a row, bad_option for histograms without bins.
KNOTWORK_API PredictionCheck check_predictions(const Model& model, const Table& table,
                                               std::span<const std::size_t> rows = {},
                                               const CheckOptions& options = {});

}  // namespace knotwork
