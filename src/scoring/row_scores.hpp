// SPDX-License-Identifier: MIT
// RowScores scores a model on rows that come in pieces, in one process or in several that each have
// a part of the rows:
//
//   RowScores scores(model.targets, rows);
//   for (each piece) scores.see_truth(truth, weights);
//   // with several processes: scores.merge(state) with the state() of each other process
//   scores.begin_predictions();
//   for (each piece) scores.see(predictions, truth, weights);
//   // with several processes: merge again
//   scores.finish(&each);
//
// Neither the order of the rows nor the pieces change any bit of the scores.
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
  // `rows`, the number of rows of all pieces and processes, decides how the area under the curve is
  // computed.
  RowScores(std::span<const TargetColumn> targets, std::size_t rows);

  // `truth` has one column for each target. Either every piece has one weight per row, or none has
  // weights. Throws bad_data unless the shapes match, classes are those of the target, and weights
  // are finite and at least 0.
  void see_truth(const AnyMatrixView& truth, std::span<const double> weights);
  void begin_predictions();
  // Adds the same rows in any order, with columns of predictions as in Model::predict().
  void see(MatrixView<const double> predictions, const AnyMatrixView& truth,
           std::span<const double> weights);

  // The sums of this pass so far.
  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  // The weight of all rows, after the first pass; the number of rows if there are no weights.
  double total_weight() const { return mass_.value(); }
  // Rows with a prediction that is not finite.
  std::size_t infinite_rows() const { return infinite_; }
  // The scores of all targets together; unless `each` is null, also the scores of each target.
  Scores finish(std::vector<Scores>* each) const;

 private:
  using Sums = std::variant<NumberSums, QuantileSums, ClassSums>;
  void check_shape(std::size_t rows, std::size_t columns, const AnyMatrixView& truth,
                   std::span<const double> weights) const;
  Scores together(const std::vector<Scores>& single) const;

  std::vector<Sums> sums_;            // one for each target
  std::vector<std::size_t> columns_;  // number of prediction columns of each target
  std::size_t predictions_ = 0;       // number of prediction columns in total
  bool truth_known_ = false;
  std::size_t seen_ = 0;  // rows seen in the first pass
  parallel::ExactSum mass_;
  std::size_t infinite_ = 0;
};

}  // namespace knotwork::scoring
