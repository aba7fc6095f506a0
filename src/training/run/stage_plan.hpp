// SPDX-License-Identifier: MIT
// The stages of a training: along a warm path, and between changes of the knots.
#pragma once

#include <cstddef>
#include <vector>

#include <knotwork/options.hpp>

namespace knotwork::training {

struct Stage {
  double lambda_w = 0, lambda_q = 0;
  std::size_t iterations = 0;
  // What happens to the network before it, in this order.
  bool halves_step = false;
  bool fits_range = false;
};

// Iterations of each stage, if they are not to be shared equally.
using StageIterations = std::vector<std::size_t>;

// Each of a warm path of W values, N changes of the range and M of the step cuts the iterations
// into equal parts (W, N + 1, M + 1), and a stage lies between two neighboring cuts. How many
// stages there are does not depend on the iterations.
std::vector<Stage> plan_stages(const TrainOptions& options, const StageIterations& iterations = {});

}  // namespace knotwork::training
