// SPDX-License-Identifier: MIT
// This header lists the paper's experiments and our additional ones by name.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/report.hpp"
#include "experiments/trainings.hpp"

namespace knotwork::experiments {

struct ExperimentOptions {
  std::size_t splits = kPaperSplits;
  // Splits of California, which has 40 times the rows. Empty: the same number as for the other data
  // in scenario 1, at most 3 elsewhere.
  std::optional<std::size_t> california_splits;
  // Whether scenario 2 also searches the extended grid for California's splines: 676 settings
  // instead of 256.
  bool california_extended = false;
  std::size_t grid_step = 1;  // distance of exponents in scenario 2's grid
  std::size_t iterations = kPaperIterations;
  std::size_t rounds = 15;  // repetitions of the cost measurement
  bool figures = false;
  std::size_t threads = 0;  // 0: all cores
};
// Throws bad_option naming the option, its value and what is allowed.
void check(const ExperimentOptions& options);

struct Experiment {
  const std::vector<Dataset>& datasets;
  const ExperimentOptions& options;
  Study& study;
  const Watch& watch;
};

// The study that all experiments share; in memory only if the path is empty.
Study open_study(const std::filesystem::path& path);

struct ScenarioEntry {
  std::string name;
  std::string summary;
  bool needs_data = true;
  std::vector<std::string> options;  // the options of the command that affect it
  std::function<Report(const Experiment&)> run;
};
using ScenarioTable = NamedTable<ScenarioEntry>;
const ScenarioTable& scenarios();

Report run_scenario1(const Experiment& experiment);
Report run_scenario2(const Experiment& experiment);
Report run_ablation(const Experiment& experiment);
Report run_cost(const Experiment& experiment);

}  // namespace knotwork::experiments
