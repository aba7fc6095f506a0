// SPDX-License-Identifier: MIT
// Scenario 1, strong underfitting: lambda_w = 1 and lambda_q = 1e-5. A tanh network becomes a
// constant; splines can compensate for small weights by steep curves, if training finds them.
#include <fmt/format.h>

#include "experiments/learned_figure.hpp"
#include "experiments/protocols.hpp"
#include "experiments/rows.hpp"
#include "experiments/scenarios.hpp"

namespace knotwork::experiments {

Report run_scenario1(const Experiment& experiment) {
  const ExperimentOptions& options = experiment.options;
  const std::vector<Protocol> protocols = scenario1_protocols(options.iterations);
  Report report{.scenario = "scenario1"};
  std::vector<PlannedRow> plan;
  std::vector<Training> drawn;
  for (const Dataset& dataset : experiment.datasets) {
    const std::size_t splits = splits_of(options, dataset, options.splits);
    for (const Protocol& protocol : protocols) {
      plan.push_back(plan_row(report.scenario, dataset, protocol.network, protocol.optimizer,
                              protocol.options, splits));
      if (!protocol.is_papers) plan.back().row.paper.reset();
      const bool shown = options.figures && protocol.optimizer == "cg-path";
      if (shown) drawn.push_back(plan.back().trainings.front());
    }
  }
  Tally tally(experiment.watch, count_trainings(plan) + drawn.size());
  auto rows = fill_rows(std::move(plan), experiment.study, options.threads, tally);
  if (rows) report.figures = learned_figures(report.scenario, drawn, options.threads, tally);
  report.stopped = !rows || report.figures.size() != drawn.size();
  if (report.stopped) return report;
  report.rows = std::move(*rows);
  for (const Protocol& protocol : protocols) {
    report.notes.push_back(fmt::format("{}, {}: {} (`{}`).", protocol.network, protocol.optimizer,
                                       protocol.summary, setting_text(protocol.options)));
  }
  return report;
}

}  // namespace knotwork::experiments
