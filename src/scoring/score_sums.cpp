// SPDX-License-Identifier: MIT
#include "scoring/score_sums.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"

namespace knotwork::scoring {
namespace {

double ratio_of(const parallel::ExactSum& a, const parallel::ExactSum& b) {
  return (WideNumber(a) / WideNumber(b)).value();
}

}  // namespace

void check_weights(std::span<const double> weights, std::size_t first_row) {
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (weights[r] >= 0 && std::isfinite(weights[r])) continue;
    fail(ErrorKind::bad_data, "The weight of row {} is {}; weights must be finite and at least 0.",
         first_row + r, weights[r]);
  }
}

void NumberSums::see_truth(std::span<const double> truth, std::span<const double> weights) {
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const double weight = weight_of(weights, r);
    if (weight == 0) continue;
    mass_.add(weight);
    add_product(sum_, weight, truth[r]);
    smallest_ = std::min(smallest_, truth[r]);
    largest_ = std::max(largest_, truth[r]);
  }
}

void NumberSums::end_truth() {
  truth_known_ = true;
  // The mean of equal numbers must be exactly that number, or constant targets would seem to vary.
  origin_ = smallest_;
  if (smallest_ < largest_) origin_ = std::clamp(ratio_of(sum_, mass_), smallest_, largest_);
}

void NumberSums::see(MatrixView<const double> predictions, std::span<const double> truth,
                     std::span<const double> weights) {
  rows_ += truth.size();
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const double weight = weight_of(weights, r);
    const WideDifference error(predictions(r, 0), truth[r]);
    add_product(squares_, weight, error.value, error.value, 2 * error.exponent);
    add_product(sizes_, weight, std::fabs(error.value), 1, error.exponent);
    if (weight == 0) continue;
    const WideDifference departure(truth[r], origin_);
    add_product(departures_, weight, departure.value, 1, departure.exponent);
    add_product(squared_departures_, weight, departure.value, departure.value,
                2 * departure.exponent);
  }
}

WideNumber NumberSums::spread() const {
  // Corrects for the rounding error of the origin, which is not exactly the mean.
  const WideNumber shift(departures_);
  const WideNumber spread = WideNumber(squared_departures_) - shift * shift / WideNumber(mass_);
  return spread.sign() <= 0 ? WideNumber() : spread;
}

Scores NumberSums::scores() const {
  NumberTotals totals;
  totals.add(*this);
  return totals.scores();
}

void NumberSums::put(parallel::MergeState& state) const {
  if (!truth_known_) {
    mass_.put(state);
    sum_.put(state);
    parallel::put(state, smallest_);
    parallel::put(state, largest_);
    return;
  }
  parallel::put(state, rows_);
  for (const parallel::ExactSum* sum : {&squares_, &sizes_, &departures_, &squared_departures_}) {
    sum->put(state);
  }
}

void NumberSums::merge(parallel::StateReader& state) {
  if (!truth_known_) {
    mass_.merge(state);
    sum_.merge(state);
    smallest_ = std::min(smallest_, state.number());
    largest_ = std::max(largest_, state.number());
    return;
  }
  rows_ += state.size();
  for (parallel::ExactSum* sum : {&squares_, &sizes_, &departures_, &squared_departures_}) {
    sum->merge(state);
  }
}

void NumberTotals::add(const NumberSums& column) {
  rows_ = column.rows();
  mass_.merge(column.mass());
  squares_.merge(column.squares());
  sizes_.merge(column.sizes());
  spread_ = spread_ + column.spread();
}

Scores NumberTotals::scores() const {
  const WideNumber mass(mass_), squares(squares_);
  Scores scores;
  scores.rows = rows_;
  scores.rmse = (squares / mass).root().value();
  scores.mae = ratio_of(sizes_, mass_);
  // If all rows have weight 0 there is no score: rmse is then 0 / 0.
  if (std::isnan(scores.rmse)) {
    scores.nrmse = scores.r2 = scores.rmse;
    return scores;
  }
  WideNumber ratio;
  if (squares.sign() != 0) {
    ratio = spread_.sign() > 0 ? squares / spread_ : std::numeric_limits<double>::infinity();
  }
  scores.nrmse = ratio.root().value();
  scores.r2 = (1 - ratio).value();
  return scores;
}

QuantileSums::QuantileSums(std::span<const double> levels)
    : levels_(levels.begin(), levels.end()) {}

void QuantileSums::end_truth() {
  truth_known_ = true;
  numbers_.end_truth();
}

void QuantileSums::see(MatrixView<const double> predictions, std::span<const double> truth,
                       std::span<const double> weights) {
  MatrixView<const double> median = predictions;
  median.data += middle_level(levels_) * predictions.column_stride;
  median.columns = 1;
  numbers_.see(median, truth, weights);
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const double low = predictions(r, 0), high = predictions(r, levels_.size() - 1);
    const double weight = weight_of(weights, r);
    if (low <= truth[r] && truth[r] <= high) within_.add(weight);
    const WideDifference width(high, low);
    add_product(width_, weight, width.value, 1, width.exponent);
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const WideDifference miss(truth[r], predictions(r, k));
      const double level = miss.value < 0 ? levels_[k] - 1 : levels_[k];
      add_product(loss_, level, miss.value, weight, miss.exponent);
    }
  }
}

Scores QuantileSums::scores() const {
  Scores scores = numbers_.scores();
  const WideNumber mass(numbers_.mass());
  const WideNumber loss = WideNumber(loss_) / mass / static_cast<double>(levels_.size());
  scores.pinball = {loss.value(), (numbers_.spread() / mass).root().value()};
  if (levels_.size() > 1) {
    scores.intervals = {levels_.back() - levels_.front(), ratio_of(within_, numbers_.mass()),
                        ratio_of(width_, numbers_.mass())};
  }
  return scores;
}

void QuantileSums::put(parallel::MergeState& state) const {
  numbers_.put(state);
  if (!truth_known_) return;
  for (const parallel::ExactSum* sum : {&within_, &width_, &loss_}) sum->put(state);
}

void QuantileSums::merge(parallel::StateReader& state) {
  numbers_.merge(state);
  if (!truth_known_) return;
  for (parallel::ExactSum* sum : {&within_, &width_, &loss_}) sum->merge(state);
}

}  // namespace knotwork::scoring
