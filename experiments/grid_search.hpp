// SPDX-License-Identifier: MIT
// search_grid() is the search of scenario 2: lambda_w, and for splines lambda_q, over powers of 2,
// scored by 3-fold cross-validation within the training rows of a split.
//
// A search of the extended grid includes the printed one, whose best setting is taken from the same
// trials. With a step above 1 the exponents are -10, -10 + step, ... and, for the extended grid,
// -10 - step, ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/trainings.hpp"

namespace knotwork::experiments {

enum class Grid { printed, extended };
std::vector<int> grid_exponents(Grid grid, std::size_t step);  // ascending

struct GridWinner {
  int lambda_w = 0;  // exponents of 2
  std::optional<int> lambda_q;
  double nrmse = 0;  // mean over the folds
};
struct GridResult {
  GridWinner printed;
  std::optional<GridWinner> extended;  // if that grid was searched
  double seconds = 0;                  // of all its trainings
};

struct GridTask {
  const Dataset* dataset = nullptr;
  std::string network;  // tanh, spline
  std::uint64_t split = 1;
  Grid grid = Grid::extended;
  std::size_t step = 1;
  std::size_t iterations = 0;
};
std::size_t grid_folds(const GridTask& task);  // number of trainings in a search
// Empty if the tally stopped the search.
std::optional<GridResult> search_grid(const GridTask& task, Study& study, std::size_t threads,
                                      Tally& tally);

}  // namespace knotwork::experiments
