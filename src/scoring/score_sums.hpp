// SPDX-License-Identifier: MIT
// These classes accumulate the sums for scores from rows that come in pieces and in any order;
// metrics.hpp defines the scores. The first pass sees all true values, the second all predictions
// with the true values:
//
//   for (each piece) sums.see_truth(truth, weights);
//   sums.end_truth();
//   for (each piece) sums.see(predictions, truth, weights);
//   sums.scores();
//
// Sums are exact, so that neither the order nor the pieces change a bit. The sums of other
// processes are merged at the end of each of the two passes; put() gives the sums of the pass so
// far. Numbers of any size are summed without a unit, see wide_number.hpp. Without weights all rows
// have weight 1.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "parallel/exact_sum.hpp"
#include "scoring/auc_sums.hpp"
#include "scoring/wide_number.hpp"

#include <knotwork/matrix_view.hpp>
#include <knotwork/metrics.hpp>

namespace knotwork::scoring {

// One column of numbers.
class NumberSums {
 public:
  void see_truth(std::span<const double> truth, std::span<const double> weights);
  void end_truth();
  void see(MatrixView<const double> predictions, std::span<const double> truth,
           std::span<const double> weights);
  Scores scores() const;

  void put(parallel::MergeState& state) const;
  void merge(parallel::StateReader& state);

  std::size_t rows() const { return rows_; }
  const parallel::ExactSum& mass() const { return mass_; }
  const parallel::ExactSum& squares() const { return squares_; }
  const parallel::ExactSum& sizes() const { return sizes_; }
  // The sum of squared deviations of the true values from their mean; exactly 0 if they do not
  // vary.
  WideNumber spread() const;

 private:
  bool truth_known_ = false;
  // Over the true values, without rows of weight 0.
  parallel::ExactSum mass_, sum_;
  double smallest_ = std::numeric_limits<double>::infinity();
  double largest_ = -std::numeric_limits<double>::infinity();
  double origin_ = 0;  // close to their mean
  // In the second pass: errors, and deviations from the origin.
  std::size_t rows_ = 0;
  parallel::ExactSum squares_, sizes_, departures_, squared_departures_;
};

// Several columns together, each around its own mean.
class NumberTotals {
 public:
  void add(const NumberSums& column);
  Scores scores() const;

 private:
  std::size_t rows_ = 0;
  parallel::ExactSum mass_, squares_, sizes_;
  WideNumber spread_;
};

// Quantiles of one target: one column of predictions for each level.
class QuantileSums {
 public:
  explicit QuantileSums(std::span<const double> levels);
  void see_truth(std::span<const double> truth, std::span<const double> weights) {
    numbers_.see_truth(truth, weights);
  }
  void end_truth();
  void see(MatrixView<const double> predictions, std::span<const double> truth,
           std::span<const double> weights);
  Scores scores() const;

  void put(parallel::MergeState& state) const;
  void merge(parallel::StateReader& state);

  const NumberSums& numbers() const { return numbers_; }  // for the middle level

 private:
  std::vector<double> levels_;
  bool truth_known_ = false;
  NumberSums numbers_;
  parallel::ExactSum within_, width_, loss_;
};

// Class probabilities: one column for each class.
class ClassSums {
 public:
  // `rows`, the number of rows of all pieces together, decides how the area under the curve is
  // computed.
  ClassSums(std::size_t classes, std::size_t rows);
  void see_truth(std::span<const double> truth, std::span<const double> weights);
  void end_truth();
  void see(MatrixView<const double> probabilities, std::span<const double> truth,
           std::span<const double> weights);
  Scores scores() const;

  void put(parallel::MergeState& state) const;
  void merge(parallel::StateReader& state);

 private:
  std::size_t classes_;
  bool truth_known_ = false;
  double heaviest_ = 0;
  std::size_t seen_ = 0, rows_ = 0;  // of the first pass, of the second pass
  parallel::ExactSum mass_, right_, loss_;
  std::vector<parallel::ExactSum> confusion_;  // one row for each true class
  AreaSums area_;
};

// Throws bad_data unless weights are finite and at least 0. Rows are counted from `first_row`.
void check_weights(std::span<const double> weights, std::size_t first_row);

inline double weight_of(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1.0 : weights[row];
}

}  // namespace knotwork::scoring
