// SPDX-License-Identifier: MIT
// Measures the effect of each choice about the splines: one choice changes at a time, the others
// are as in scenario 2 with the paper's optimum.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "experiments/protocols.hpp"
#include "experiments/rows.hpp"
#include "experiments/scenarios.hpp"

#include <knotwork/figures.hpp>
#include <knotwork/spline.hpp>

namespace knotwork::experiments {
namespace {

constexpr std::size_t kMostCalifornia = 3;  // splits, unless more are requested

enum class Axis { none, linear, logarithmic };

struct Factor {
  std::string option;
  std::vector<std::string> values;
  Axis axis;  // none: values that are not numbers have no figure
  std::string label;
};

// A basis with a tension equals Catmull-Rom at tension 0.
std::vector<std::string> bases() {
  std::vector<std::string> names;
  for (const SplineBasis& basis : spline_bases().entries()) {
    if (!basis.with_tension) names.push_back(basis.name);
  }
  return names;
}

const std::vector<Factor>& factors() {
  static const std::vector<Factor> all = {
      {"init-noise", {"0", "0.05", "0.1", "0.2", "0.4"}, Axis::linear, "deviation of the noise"},
      {"noise-share", {"0", "0.05", "0.2", "1"}, Axis::linear, "share of noisy control points"},
      {"knots", {"11", "21", "41", "81"}, Axis::logarithmic, "control points between -2 and 2"},
      {"tails", {"linear", "constant"}, Axis::none, ""},
      {"basis", bases(), Axis::none, ""},
      {"lambda-q",
       {"0", "1e-6", "1e-5", "1e-4", "1e-3", "0.01", "0.1"},
       Axis::logarithmic,
       "lambda_q, damping"},
      {"lambda-curvature",
       {"0", "1e-7", "1e-6", "1e-5", "1e-4", "1e-3"},
       Axis::logarithmic,
       "lambda_curvature"}};
  return all;
}

void apply(TrainOptions& options, const std::string& option, const std::string& value) {
  if (option == "noise-share") {  // not an option of the command line
    options.spline.noise_share = std::strtod(value.c_str(), nullptr);
  } else {
    set_option(options, option, value);
  }
}

LineSeries series_of(const std::vector<Row>& rows, const Factor& factor, const Dataset& dataset,
                     const std::string& part) {
  LineSeries series{dataset.title + ", " + part, {}};
  for (const Row& row : rows) {
    if (row.factor != factor.option || row.dataset != dataset.name) continue;
    const MeanDeviation& error = part == "test" ? row.errors.test : row.errors.train;
    series.points.push_back({std::strtod(row.value.c_str(), nullptr), error.mean});
  }
  return series;
}

std::vector<Figure> draw(const std::vector<Row>& rows, const std::vector<Dataset>& datasets) {
  std::vector<Figure> figures;
  for (const Factor& factor : factors()) {
    if (factor.axis == Axis::none) continue;
    LineFigure lines;
    lines.title = fmt::format("Error by {}", factor.option);
    lines.x_label = factor.label;
    lines.y_label = "NRMSE";
    lines.log_x = factor.axis == Axis::logarithmic;
    for (const Dataset& dataset : datasets) {
      for (const char* part : {"train", "test"}) {
        lines.series.push_back(series_of(rows, factor, dataset, part));
      }
    }
    figures.push_back(
        {fmt::format("ablation-{}.svg", factor.option), lines.title, line_figure(lines)});
  }
  return figures;
}

}  // namespace

Report run_ablation(const Experiment& experiment) {
  const ExperimentOptions& options = experiment.options;
  std::vector<PlannedRow> plan;
  for (const Factor& factor : factors()) {
    for (const std::string& value : factor.values) {
      for (const Dataset& dataset : experiment.datasets) {
        TrainOptions changed =
            network_options("spline", paper_optimum(dataset.name, "spline"), options.iterations);
        apply(changed, factor.option, value);
        plan.push_back(plan_row("ablation", dataset, "spline", "cg", changed,
                                splits_of(options, dataset, kMostCalifornia)));
        plan.back().row.factor = factor.option;
        plan.back().row.value = value;
      }
    }
  }
  Tally tally(experiment.watch, count_trainings(plan));
  Report report{.scenario = "ablation"};
  auto rows = fill_rows(std::move(plan), experiment.study, options.threads, tally);
  report.stopped = !rows;
  if (report.stopped) return report;
  report.rows = std::move(*rows);
  for (const Dataset& dataset : experiment.datasets) {
    const TrainOptions base =
        network_options("spline", paper_optimum(dataset.name, "spline"), options.iterations);
    report.notes.push_back(
        fmt::format("{}: from `lambda-w={:g} lambda-q={:g}`, init-noise 0.1 on "
                    "5 % of the control points, 21 knots, linear tails.",
                    dataset.title, base.lambda_w, base.lambda_q));
  }
  if (options.figures) report.figures = draw(report.rows, experiment.datasets);
  return report;
}

}  // namespace knotwork::experiments
