// SPDX-License-Identifier: MIT
// plan_stages() divides a training into stages: along a warm path, and between changes of the
// knots.
#pragma once

#include <cstddef>
#include <vector>

#include <knotwork/checkpoint.hpp>
#include <knotwork/network.hpp>
#include <knotwork/options.hpp>

namespace knotwork::training {

struct Stage {
  double lambda_w = 0, lambda_q = 0;
  std::size_t iterations = 0;
  // Changes of the network before the stage, in this order.
  bool halves_step = false;
  bool fits_range = false;
};

// The iterations of each stage, if they are not divided equally.
using StageIterations = std::vector<std::size_t>;

// A warm path of W values, N changes of the range and M halvings of the step each divide the
// iterations into equal parts (W, N + 1 and M + 1 parts). A stage lies between two neighboring
// divisions. The number of stages does not depend on the number of iterations.
std::vector<Stage> plan_stages(const TrainOptions& options, const StageIterations& iterations = {});

// The planned iterations of the first stages.
std::size_t total_iterations(const std::vector<Stage>& planned, std::size_t stages);

// Throws bad_model unless the state fits a training of this network with these options. Only a
// forged state can fail here, because its training has already been compared with this one.
void check_state(const MemberState& state, const Network& network, const TrainOptions& options,
                 const StageIterations& iterations);

}  // namespace knotwork::training
