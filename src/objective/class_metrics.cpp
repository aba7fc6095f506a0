// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/fail.hpp"
#include "objective/units.hpp"

#include <knotwork/metrics.hpp>

namespace knotwork {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastProbability = 1e-15;

// The same sums with weights of any size.
class RelativeWeights {
 public:
  explicit RelativeWeights(std::span<const double> weights)
      : weights_(weights), unit_(unit_of_weights(weights)) {}

  double unit() const { return unit_; }
  double operator[](std::size_t row) const {
    return weights_.empty() ? 1.0 : weights_[row] / unit_;
  }

 private:
  std::span<const double> weights_;
  double unit_;
};

void check_sizes(std::size_t rows, std::size_t truth, std::size_t weights) {
  if (truth == rows && (weights == 0 || weights == rows)) return;
  fail(ErrorKind::bad_data,
       "Scores of {} rows of predictions were asked for with {} targets and {} weights.", rows,
       truth, weights);
}

// The area under the curve for one class against the others: rows in the order of its probability;
// every pair of a row of the class and one of another counts by its weights, equal ones half.
double area(const MatrixView<const double>& probabilities, std::size_t column,
            std::span<const double> truth, double own_class, const RelativeWeights& weights) {
  // What is no number has no place in an order.
  for (std::size_t r = 0; r < truth.size(); ++r) {
    if (std::isnan(probabilities(r, column))) return kNone;
  }
  std::vector<std::size_t> order(truth.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return probabilities(a, column) < probabilities(b, column);
  });
  double own = 0, others = 0, pairs = 0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    double equal_own = 0, equal_others = 0;
    while (last < order.size() &&
           probabilities(order[last], column) == probabilities(order[first], column)) {
      const std::size_t row = order[last++];
      (truth[row] == own_class ? equal_own : equal_others) += weights[row];
    }
    pairs += equal_own * (others + equal_others / 2);
    own += equal_own;
    others += equal_others;
    first = last;
  }
  return own > 0 && others > 0 ? pairs / (own * others) : kNone;
}

double mean_area(const MatrixView<const double>& probabilities, std::span<const double> truth,
                 const RelativeWeights& weights) {
  if (probabilities.columns == 2) return area(probabilities, 1, truth, 1, weights);
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < probabilities.columns; ++c) {
    const double own = area(probabilities, c, truth, static_cast<double>(c), weights);
    if (std::isnan(own)) continue;
    sum += own;
    ++count;
  }
  return sum / count;
}

}  // namespace

Scores score_classes(MatrixView<const double> probabilities, std::span<const double> truth,
                     std::span<const double> weights) {
  check_sizes(probabilities.rows, truth.size(), weights.size());
  const std::size_t classes = probabilities.columns;
  Scores scores{truth.size(), kNone, kNone, kNone, kNone};
  ClassScores& result = scores.classes.emplace();
  result.confusion.assign(classes, std::vector<double>(classes));
  const RelativeWeights relative(weights);
  double mass = 0, right = 0, loss = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const auto own = static_cast<std::size_t>(truth[r]);
    if (!(truth[r] >= 0) || own >= classes) {
      fail(ErrorKind::bad_data, "The class of row {} is {}; there are {} classes, from 0.", r,
           truth[r], classes);
    }
    std::size_t likely = 0;
    for (std::size_t c = 1; c < classes; ++c) {
      if (probabilities(r, c) > probabilities(r, likely)) likely = c;
    }
    const double weight = relative[r];
    mass += weight;
    if (likely == own) right += weight;
    loss -= weight * std::log(std::max(probabilities(r, own), kLeastProbability));
    result.confusion[own][likely] += weight * relative.unit();
  }
  result.accuracy = right / mass;
  result.log_loss = loss / mass;
  result.auc = mean_area(probabilities, truth, relative);
  return scores;
}

std::size_t middle_level(std::span<const double> levels) {
  const auto middle = std::min_element(levels.begin(), levels.end(), [](double a, double b) {
    return std::fabs(a - 0.5) < std::fabs(b - 0.5);
  });
  return static_cast<std::size_t>(middle - levels.begin());
}

Scores score_quantiles(MatrixView<const double> predictions, std::span<const double> levels,
                       std::span<const double> truth, std::span<const double> weights) {
  check_sizes(predictions.rows, truth.size(), weights.size());
  MatrixView<const double> median = predictions;
  median.data += middle_level(levels) * predictions.column_stride;
  median.columns = 1;
  Scores scores = score(median, column_major(truth, truth.size(), 1), weights);
  const RelativeWeights relative(weights);
  const double unit = unit_of_squares(predictions, column_major(truth, truth.size(), 1));
  // Departures from one of the targets, so that those that do not vary have no deviation.
  const double origin = truth.empty() ? 0 : truth.front() / unit;
  double mass = 0, sum = 0, within = 0, width = 0, loss = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const double low = predictions(r, 0), high = predictions(r, levels.size() - 1);
    const double weight = relative[r];
    mass += weight;
    sum += weight * (truth[r] / unit - origin);
    if (low <= truth[r] && truth[r] <= high) within += weight;
    width += weight * (high / unit - low / unit);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const double miss = truth[r] / unit - predictions(r, k) / unit;
      loss += weight * std::max(levels[k] * miss, (levels[k] - 1) * miss);
    }
  }
  double squares = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) {
    squares += relative[r] * std::pow(truth[r] / unit - origin - sum / mass, 2);
  }
  scores.pinball = {unit * (loss / mass / static_cast<double>(levels.size())),
                    unit * std::sqrt(squares / mass)};
  if (levels.size() > 1) {
    scores.intervals = {levels.back() - levels.front(), within / mass, unit * (width / mass)};
  }
  return scores;
}

}  // namespace knotwork
