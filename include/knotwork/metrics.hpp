// SPDX-License-Identifier: MIT
// The functions of this header score predictions y against targets d of a set of rows.
//
//   rmse   sqrt(mean (y - d)^2)
//   nrmse  sqrt(sum (y - d)^2 / sum (d - mean d)^2); 1 is as good as always predicting the mean
//   mae    mean |y - d|
//   r2     1 - nrmse^2
// With several outputs both sums run over all of them, each around its own mean. With sample
// weights every sum and mean is weighted. If the targets do not vary, nrmse is infinite (or 0 when
// every prediction is exact). If no row has weight, every score is NaN.
//
// For probabilities of classes:
//   accuracy  share of rows whose most probable class (the first of equal ones) is the true one
//   log_loss  mean of -log(probability of the true class), where a probability counts as at least
//             1e-15
//   auc       probability that a row of a class is given a higher probability of that class than a
//             row of another class (half if equal). For two classes it is the AUC of the second;
//             for more, the mean over the classes that some rows have and others do not. NaN if no
//             class qualifies. For more than kExactAucRows rows, values of p that differ by less
//             than 0.2 % of p and of 1 - p may count as equal; the error is then at most half the
//             share of such pairs.
// For quantiles y of level p: the pinball loss, mean of max(p (d - y), (p - 1) (d - y)) over rows
// and levels; the share of targets between the lowest and the highest quantile; and the mean width
// of that interval.
//
// No score depends on the order of the rows, not even in the last bit.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/matrix_view.hpp>

namespace knotwork {

inline constexpr std::size_t kExactAucRows = std::size_t{1} << 20;

struct ClassScores {
  double accuracy = 0;
  double log_loss = 0;
  double auc = 0;
  std::vector<std::vector<double>> confusion;  // [true class][predicted class], weights of rows
};

struct PinballScores {
  double loss = 0;       // in units of the target; the mean over several targets
  double deviation = 0;  // of the targets; the root of their mean variance
  // Infinite if the targets do not vary, unless every prediction is exact.
  double relative() const { return loss == 0 ? 0 : loss / deviation; }
};

struct IntervalScores {
  double share = 0;     // nominal share of the targets within their interval
  double coverage = 0;  // observed share
  double width = 0;     // mean width of the intervals
};

struct Scores {
  std::size_t rows = 0;
  double rmse = 0;
  double nrmse = 0;
  double mae = 0;
  double r2 = 0;
  std::optional<ClassScores> classes = {};       // the four scores above are then NaN
  std::optional<PinballScores> pinball = {};     // the four scores above are for the middle level
  std::optional<IntervalScores> intervals = {};  // for at least two levels

  // The score by which settings are compared; lower is better.
  double to_compare() const {
    if (classes) return classes->log_loss;
    return pinball ? pinball->relative() : nrmse;
  }
};

KNOTWORK_API Scores score(MatrixView<const double> predictions, MatrixView<const double> targets,
                          std::span<const double> weights = {});
KNOTWORK_API Scores score(MatrixView<const double> predictions, MatrixView<const float> targets,
                          std::span<const double> weights = {});

// `probabilities` has one column for each class; `truth` contains class numbers, from 0.
KNOTWORK_API Scores score_classes(MatrixView<const double> probabilities,
                                  std::span<const double> truth,
                                  std::span<const double> weights = {});
// Index of the level closest to 0.5.
KNOTWORK_API std::size_t middle_level(std::span<const double> levels);
// `predictions` has one column for each level, ascending.
KNOTWORK_API Scores score_quantiles(MatrixView<const double> predictions,
                                    std::span<const double> levels, std::span<const double> truth,
                                    std::span<const double> weights = {});

// --- Mean and deviation -------------------------------------------------------------------------
//
// Mean and standard deviation of a list of numbers.

struct MeanDeviation {
  double mean = 0;
  double deviation = 0;  // of a sample: divided by n - 1; 0 for a single value
};
KNOTWORK_API MeanDeviation mean_deviation(std::span<const double> values);

}  // namespace knotwork
