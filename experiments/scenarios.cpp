// SPDX-License-Identifier: MIT
#include "experiments/scenarios.hpp"

#include "base/fail.hpp"

#include <knotwork/version.hpp>

namespace knotwork::experiments {

void check(const ExperimentOptions& options) {
  const auto positive = [](std::string_view name, std::size_t value) {
    if (value == 0) fail(ErrorKind::bad_option, "{} must be at least 1, not 0.", name);
  };
  positive("splits", options.splits);
  positive("rounds", options.rounds);
  if (options.california_splits) positive("california-splits", *options.california_splits);
  constexpr std::size_t kShortestRun = 3;  // the stages of the warm path
  if (options.iterations < kShortestRun) {
    fail(ErrorKind::bad_option, "iterations must be at least {}, not {}.", kShortestRun,
         options.iterations);
  }
  constexpr std::size_t kWidestStep = kGridHigh - kPrintedLow;
  if (options.grid_step < 1 || options.grid_step > kWidestStep) {
    fail(ErrorKind::bad_option, "grid-step must be from 1 to {}, not {}.", kWidestStep,
         options.grid_step);
  }
}

Study open_study(const std::filesystem::path& path) {
  // The study names trainings and searches by their data and options, so one study serves all
  // experiments.
  return {path, {{"experiment", "reproduce"}, {"version", KNOTWORK_VERSION_STRING}}};
}

const ScenarioTable& scenarios() {
  const std::vector<std::string> common = {"datasets", "data-dir",   "splits",  "california-splits",
                                           "study",    "iterations", "threads", "figures"};
  std::vector<std::string> searching = common;
  searching.insert(searching.end(), {"grid-step", "california-extended"});
  static const ScenarioTable table(
      "scenario",
      {{"scenario1", "a penalty on the weights that is far too strong", true, common,
        run_scenario1},
       {"scenario2", "penalties chosen by a grid search", true, searching, run_scenario2},
       {"ablation", "what noise, knots, tails, basis and penalties of the splines do", true, common,
        run_ablation},
       {"cost", "the time of a gradient, splines beside tanh", false, {"rounds"}, run_cost}});
  return table;
}

}  // namespace knotwork::experiments
