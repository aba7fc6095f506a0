// SPDX-License-Identifier: MIT
// Scores of predictions y against targets d, over the set that is being scored.
//
//   rmse   sqrt(mean (y - d)^2)
//   nrmse  sqrt(sum (y - d)^2 / sum (d - mean d)^2); 1 is as good as always predicting the mean
//   mae    mean |y - d|
//   r2     1 - nrmse^2
// With several outputs both sums run over all of them, each around its own mean. With sample
// weights every sum and mean is weighted. Where the targets do not vary nrmse is infinite (or 0
// when every prediction is exact). Where no row has weight every score is NaN.
#pragma once

#include <cstddef>
#include <span>

#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>

namespace knotwork {

struct Scores {
  std::size_t rows = 0;
  double rmse = 0;
  double nrmse = 0;
  double mae = 0;
  double r2 = 0;
};

KNOTWORK_API Scores score(MatrixView<const double> predictions, MatrixView<const double> targets,
                          std::span<const double> weights = {});
KNOTWORK_API Scores score(MatrixView<const double> predictions, MatrixView<const float> targets,
                          std::span<const double> weights = {});

}  // namespace knotwork
