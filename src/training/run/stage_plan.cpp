// SPDX-License-Identifier: MIT
#include "training/run/stage_plan.hpp"

#include <algorithm>
#include <numeric>

namespace knotwork::training {

std::vector<Stage> plan_stages(const TrainOptions& options, const StageIterations& iterations) {
  const std::size_t path =
      std::max({std::size_t{1}, options.warm_path.size(), options.warm_path_q.size()});
  const std::size_t ranges = options.refit_range + 1, steps = options.halve_step + 1;
  // Cuts are counted in parts so small that all of them fall between two.
  const std::size_t parts = std::lcm(path, std::lcm(ranges, steps));
  std::vector<std::size_t> cuts;
  for (std::size_t count : {path, ranges, steps}) {
    for (std::size_t k = 0; k < count; ++k) cuts.push_back(k * (parts / count));
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  cuts.push_back(parts);
  // floor(iterations * cut / parts), in pieces that cannot overflow.
  const auto before = [&](std::size_t cut) {
    return options.iterations / parts * cut + options.iterations % parts * cut / parts;
  };

  std::vector<Stage> stages;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const std::size_t cut = cuts[k], on_path = cut / (parts / path);
    Stage stage;
    stage.lambda_w = options.warm_path.empty() ? options.lambda_w : options.warm_path[on_path];
    stage.lambda_q = options.warm_path_q.empty() ? options.lambda_q : options.warm_path_q[on_path];
    stage.iterations = iterations.empty() ? before(cuts[k + 1]) - before(cut) : iterations.at(k);
    stage.halves_step = cut > 0 && cut % (parts / steps) == 0;
    stage.fits_range =
        options.fit_range != FitRange::none && (cut == 0 || cut % (parts / ranges) == 0);
    stages.push_back(stage);
  }
  return stages;
}

}  // namespace knotwork::training
