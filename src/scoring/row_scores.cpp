// SPDX-License-Identifier: MIT
#include "scoring/row_scores.hpp"

#include <algorithm>
#include <cmath>

#include "base/any_matrix.hpp"
#include "base/fail.hpp"

namespace knotwork::scoring {
namespace {

// Columns are read in pieces of this many rows, so that their copies stay small.
constexpr std::size_t kPieceRows = std::size_t{1} << 14;

const NumberSums* numbers_of(const NumberSums& sums) {
  return &sums;
}
const NumberSums* numbers_of(const QuantileSums& sums) {
  return &sums.numbers();
}
const NumberSums* numbers_of(const ClassSums&) {
  return nullptr;
}

std::span<const double> part_of(std::span<const double> weights, std::size_t first,
                                std::size_t rows) {
  return weights.empty() ? weights : weights.subspan(first, rows);
}

// Calls take(first row, cells) for pieces of a column.
template <class Take>
void for_each_piece(const AnyMatrixView& view, std::size_t column, const Take& take) {
  std::vector<double> cells;
  const std::size_t rows = rows_of(view);
  for (std::size_t first = 0; first < rows; first += kPieceRows) {
    cells.resize(std::min(kPieceRows, rows - first));
    std::visit(
        [&](const auto& typed) {
          for (std::size_t r = 0; r < cells.size(); ++r) cells[r] = typed(first + r, column);
        },
        view);
    take(first, std::span<const double>(cells));
  }
}

std::size_t infinite_rows_of(const MatrixView<const double>& predictions) {
  std::size_t count = 0;
  for (std::size_t r = 0; r < predictions.rows; ++r) {
    bool finite = true;
    for (std::size_t c = 0; c < predictions.columns; ++c) {
      finite &= std::isfinite(predictions(r, c));
    }
    if (!finite) ++count;
  }
  return count;
}

}  // namespace

RowScores::RowScores(std::span<const TargetColumn> targets, std::size_t rows) {
  for (const TargetColumn& target : targets) {
    if (!target.classes.empty()) {
      sums_.emplace_back(ClassSums(target.classes.size(), rows));
    } else if (!target.quantiles.empty()) {
      sums_.emplace_back(QuantileSums(target.quantiles));
    } else {
      sums_.emplace_back(NumberSums());
    }
    columns_.push_back(target.predictions());
    predictions_ += target.predictions();
  }
}

void RowScores::check_shape(std::size_t rows, std::size_t columns, const AnyMatrixView& truth,
                            std::span<const double> weights) const {
  if (rows == rows_of(truth) && columns == predictions_ && columns_of(truth) == sums_.size() &&
      (weights.empty() || weights.size() == rows)) {
    return;
  }
  fail(ErrorKind::bad_data,
       "Scores for {} rows with {} predictions each do not fit {} rows of {} targets and {} "
       "weights.",
       rows, columns, rows_of(truth), columns_of(truth), weights.size());
}

void RowScores::see_truth(const AnyMatrixView& truth, std::span<const double> weights) {
  const std::size_t rows = rows_of(truth);
  check_shape(rows, predictions_, truth, weights);
  check_weights(weights, seen_);
  for (const double weight : weights) mass_.add(weight);
  if (weights.empty()) mass_.add(static_cast<double>(rows));
  for (std::size_t t = 0; t < sums_.size(); ++t) {
    for_each_piece(truth, t, [&](std::size_t first, std::span<const double> cells) {
      const auto own = part_of(weights, first, cells.size());
      std::visit([&](auto& sums) { sums.see_truth(cells, own); }, sums_[t]);
    });
  }
  seen_ += rows;
}

void RowScores::begin_predictions() {
  truth_known_ = true;
  for (Sums& target : sums_) {
    std::visit([](auto& sums) { sums.end_truth(); }, target);
  }
}

void RowScores::see(MatrixView<const double> predictions, const AnyMatrixView& truth,
                    std::span<const double> weights) {
  check_shape(predictions.rows, predictions.columns, truth, weights);
  infinite_ += infinite_rows_of(predictions);
  std::size_t column = 0;
  for (std::size_t t = 0; t < sums_.size(); ++t) {
    for_each_piece(truth, t, [&](std::size_t first, std::span<const double> cells) {
      const auto own = part_of(weights, first, cells.size());
      MatrixView<const double> part = predictions;
      part.data += first * part.row_stride + column * part.column_stride;
      part.rows = cells.size();
      part.columns = columns_[t];
      std::visit([&](auto& sums) { sums.see(part, cells, own); }, sums_[t]);
    });
    column += columns_[t];
  }
}

parallel::MergeState RowScores::state() const {
  parallel::MergeState state;
  if (truth_known_) {
    parallel::put(state, infinite_);
  } else {
    parallel::put(state, seen_);
    mass_.put(state);
  }
  for (const Sums& target : sums_) {
    std::visit([&](const auto& sums) { sums.put(state); }, target);
  }
  return state;
}

void RowScores::merge(std::span<const std::int64_t> state) {
  parallel::StateReader reader(state);
  if (truth_known_) {
    infinite_ += reader.size();
  } else {
    seen_ += reader.size();
    mass_.merge(reader);
  }
  for (Sums& target : sums_) {
    std::visit([&](auto& sums) { sums.merge(reader); }, target);
  }
  reader.finish();
}

// For quantiles, the scores of numbers are for the middle levels; pinball loss and coverage are for
// all levels.
Scores RowScores::together(const std::vector<Scores>& single) const {
  NumberTotals totals;
  for (const Sums& target : sums_) {
    const NumberSums* const numbers =
        std::visit([](const auto& sums) { return numbers_of(sums); }, target);
    if (numbers) totals.add(*numbers);
  }
  Scores scores = totals.scores();
  if (predictions_ == sums_.size()) return scores;
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

Scores RowScores::finish(std::vector<Scores>* each) const {
  std::vector<Scores> single;
  for (const Sums& target : sums_) {
    single.push_back(std::visit([](const auto& sums) { return sums.scores(); }, target));
  }
  if (each) *each = single;
  return single.size() == 1 ? single.front() : together(single);
}

}  // namespace knotwork::scoring
