// SPDX-License-Identifier: MIT
#include "training/run/stage_plan.hpp"

#include <algorithm>
#include <numeric>

#include "base/fail.hpp"
#include "network/same_structure.hpp"
#include "training/run/stage_setup.hpp"

namespace knotwork::training {

std::vector<Stage> plan_stages(const TrainOptions& options, const StageIterations& iterations) {
  const std::size_t path =
      std::max({std::size_t{1}, options.warm_path.size(), options.warm_path_q.size()});
  const std::size_t ranges = options.refit_range + 1, steps = options.halve_step + 1;
  // Divisions are measured in parts so small that each division is a whole number of parts.
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

std::size_t total_iterations(const std::vector<Stage>& planned, std::size_t stages) {
  std::size_t sum = 0;
  for (std::size_t k = 0; k < stages; ++k) sum += planned[k].iterations;
  return sum;
}

namespace {

// Whether these finished stages fit the plan: none is longer than planned.
bool fit(const std::vector<StageSummary>& over, const std::vector<Stage>& planned) {
  if (over.size() > planned.size()) return false;
  for (std::size_t s = 0; s < over.size(); ++s) {
    if (over[s].iterations > planned[s].iterations ||
        over[s].best_iteration.value_or(0) > over[s].iterations) {
      return false;
    }
  }
  return true;
}

}  // namespace

void check_state(const MemberState& state, const Network& network, const TrainOptions& options,
                 const StageIterations& iterations) {
  const std::size_t size = state.network.parameters().size();
  const auto fits = [&](const std::vector<double>& point) {
    return point.empty() || point.size() == size;
  };
  const std::vector<Stage> planned = plan_stages(with_last_penalties(options), iterations);
  const bool sound =
      same_structure(state.network, network) && fit(state.summary.stages, planned) &&
      (state.done || (state.stage < planned.size() && state.summary.stages.size() == state.stage &&
                      state.iteration <= planned[state.stage].iterations &&
                      state.best_iteration <= state.iteration && fits(state.best_point) &&
                      fits(state.latest) && fits(state.before_latest)));
  if (sound) return;
  fail(ErrorKind::bad_model, Where{.subject = kCheckpointSubject},
       "contradicts itself, so training cannot resume from it.");
}

}  // namespace knotwork::training
