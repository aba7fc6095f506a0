// SPDX-License-Identifier: MIT
// Scores of a model on rows that come in pieces, by one process or several that each see some of
// them:
//
//   RowScores scores(model.targets, rows);
//   for (each piece) scores.see_truth(truth, weights);
//   // among several: scores.merge(state) with what state() is in each of the others
//   scores.begin_predictions();
//   for (each piece) scores.see(predictions, truth, weights);
//   // and once more
//   scores.finish(&each);
//
// Neither the order of the rows nor the pieces change a bit of the scores.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "scoring/score_sums.hpp"

#include <knotwork/columns.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/metrics.hpp>

namespace knotwork::scoring {

class RowScores {
 public:
  // `rows` of all pieces and processes decide how the area under the curve is computed.
  RowScores(std::span<const TargetColumn> targets, std::size_t rows);

  // A column for each target; as many weights as rows, or none in every piece. Throws bad_data
  // unless the shapes fit, classes are those of the target and weights are finite and at least 0.
  void see_truth(const AnyMatrixView& truth, std::span<const double> weights);
  void begin_predictions();
  // The same rows in any order. Columns of predictions as Model::predict() has them.
  void see(MatrixView<const double> predictions, const AnyMatrixView& truth,
           std::span<const double> weights);

  // What the pass has gathered so far.
  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  // Of all rows, after the first pass; their number if there are no weights.
  double total_weight() const { return mass_.value(); }
  // Rows with a prediction that is not finite.
  std::size_t infinite_rows() const { return infinite_; }
  // All targets together; each by itself unless `each` is null.
  Scores finish(std::vector<Scores>* each) const;

 private:
  using Sums = std::variant<NumberSums, QuantileSums, ClassSums>;
  void check_shape(std::size_t rows, std::size_t columns, const AnyMatrixView& truth,
                   std::span<const double> weights) const;
  Scores together(const std::vector<Scores>& single) const;

  std::vector<Sums> sums_;            // of the targets
  std::vector<std::size_t> columns_;  // of predictions of each
  std::size_t predictions_ = 0;       // columns of all
  bool truth_known_ = false;
  std::size_t seen_ = 0;  // rows of the first pass
  parallel::ExactSum mass_;
  std::size_t infinite_ = 0;
};

}  // namespace knotwork::scoring
