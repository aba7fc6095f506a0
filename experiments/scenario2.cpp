// SPDX-License-Identifier: MIT
// Scenario 2, well-chosen penalties: on every split a grid search within the training rows, then a
// training with the best setting. For comparison the paper's own optimum, without a search.
#include <fmt/format.h>

#include <cmath>

#include "experiments/grid_search.hpp"
#include "experiments/learned_figure.hpp"
#include "experiments/protocols.hpp"
#include "experiments/rows.hpp"
#include "experiments/scenarios.hpp"

namespace knotwork::experiments {
namespace {

constexpr std::size_t kMostSearchedCalifornia = 3;  // splits, unless more are requested

const std::vector<std::string> kSearchedNetworks = {"tanh", "spline"};

struct Job {
  GridTask task;
  std::size_t splits = 0;
};

std::vector<Job> plan_searches(const Experiment& experiment) {
  const ExperimentOptions& options = experiment.options;
  std::vector<Job> jobs;
  for (const Dataset& dataset : experiment.datasets) {
    for (const std::string& network : kSearchedNetworks) {
      Job& job = jobs.emplace_back();
      job.task.dataset = &dataset;
      job.task.network = network;
      const bool costly = dataset.name == "california" && network == "spline";
      job.task.grid = costly && !options.california_extended ? Grid::printed : Grid::extended;
      job.task.step = options.grid_step;
      job.task.iterations = options.iterations;
      job.splits = splits_of(options, dataset, kMostSearchedCalifornia);
    }
  }
  return jobs;
}

LambdaSummary summarize_exponents(const std::vector<double>& exponents) {
  return {std::exp2(mean_deviation(exponents).mean), median(exponents)};
}

// The row of one grid: every split is trained with its own best setting.
PlannedRow row_of(const Job& job, Grid grid, const std::vector<GridResult>& results) {
  PlannedRow planned =
      plan_row("scenario2", *job.task.dataset, job.task.network, "cg", {}, job.splits);
  planned.row.grid = grid == Grid::printed ? "printed" : "extended";
  std::vector<double> weights, points;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const GridWinner& winner = grid == Grid::printed ? results[k].printed : *results[k].extended;
    weights.push_back(winner.lambda_w);
    PaperOptimum lambdas{std::ldexp(1.0, winner.lambda_w), std::nullopt};
    if (winner.lambda_q) {
      points.push_back(*winner.lambda_q);
      lambdas.lambda_q = std::ldexp(1.0, *winner.lambda_q);
    }
    planned.trainings[k].options = network_options(job.task.network, lambdas, job.task.iterations);
    if (grid == job.task.grid) planned.row.seconds += results[k].seconds;
  }
  planned.row.lambda_w = summarize_exponents(weights);
  if (!points.empty()) planned.row.lambda_q = summarize_exponents(points);
  return planned;
}

// The paper's optimum, which needs no search.
PlannedRow paper_row(const Job& job) {
  const PaperOptimum paper = paper_optimum(job.task.dataset->name, job.task.network);
  PlannedRow planned =
      plan_row("scenario2", *job.task.dataset, job.task.network, "cg",
               network_options(job.task.network, paper, job.task.iterations), job.splits);
  planned.row.grid = "none";
  planned.row.lambda_w = LambdaSummary{paper.lambda_w, std::log2(paper.lambda_w)};
  if (paper.lambda_q) {
    planned.row.lambda_q = LambdaSummary{*paper.lambda_q, std::log2(*paper.lambda_q)};
  }
  return planned;
}

std::optional<std::vector<GridResult>> search_all(const Job& job, const Experiment& experiment,
                                                  Tally& tally) {
  std::vector<GridResult> results;
  for (std::size_t split = 1; split <= job.splits; ++split) {
    GridTask task = job.task;
    task.split = split;
    const auto result = search_grid(task, experiment.study, experiment.options.threads, tally);
    if (!result) return std::nullopt;
    results.push_back(*result);
  }
  return results;
}

void add_notes(Report& report, const std::vector<Job>& jobs) {
  report.notes.push_back(fmt::format(
      "grid: `printed` is 2^{} to 2^{} as in the paper, `extended` 2^{} to 2^{}, `none` the "
      "paper's "
      "own optimum; λ_q is for splines only. Every point is scored by {} folds inside the training "
      "rows, the winner is trained on all of them.",
      kPrintedLow, kGridHigh, kExtendedLow, kGridHigh, kPaperFolds));
  for (const Job& job : jobs) {
    if (job.task.network != "spline") continue;
    const std::size_t step = job.task.step;
    report.notes.push_back(
        fmt::format("{}: {} split{}, every {}power of 2{} ({} trainings for a split's splines).",
                    job.task.dataset->title, job.splits, job.splits == 1 ? "" : "s",
                    step == 1 ? "" : fmt::format("{}th ", step),
                    job.task.grid == Grid::printed ? ", for splines of the printed grid only" : "",
                    grid_folds(job.task)));
  }
  report.notes.push_back(
      "mean of λ: geometric mean over the splits. seconds: processor seconds of one core for all "
      "trainings; the seconds of the search are in the rows of the largest grid.");
}

}  // namespace

Report run_scenario2(const Experiment& experiment) {
  const std::vector<Job> jobs = plan_searches(experiment);
  std::size_t planned = experiment.options.figures ? experiment.datasets.size() : 0;
  for (const Job& job : jobs) {
    const std::size_t rows = job.task.grid == Grid::extended ? 3 : 2;  // one row is without a grid
    planned += job.splits * (grid_folds(job.task) + rows);
  }
  Tally tally(experiment.watch, planned);
  Report report{.scenario = "scenario2"};
  std::vector<PlannedRow> plan;
  std::vector<Training> drawn;
  for (const Job& job : jobs) {
    const auto results = search_all(job, experiment, tally);
    report.stopped = !results;
    if (report.stopped) return report;
    plan.push_back(row_of(job, Grid::printed, *results));
    if (job.task.grid == Grid::extended) plan.push_back(row_of(job, Grid::extended, *results));
    const bool shown = experiment.options.figures && job.task.network == "spline";
    if (shown) drawn.push_back(plan.back().trainings.front());
    plan.push_back(paper_row(job));
  }
  const std::size_t threads = experiment.options.threads;
  auto rows = fill_rows(std::move(plan), experiment.study, threads, tally);
  if (rows) report.figures = learned_figures(report.scenario, drawn, threads, tally);
  report.stopped = !rows || report.figures.size() != drawn.size();
  if (report.stopped) return report;
  report.rows = std::move(*rows);
  add_notes(report, jobs);
  return report;
}

}  // namespace knotwork::experiments
