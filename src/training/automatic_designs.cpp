// SPDX-License-Identifier: MIT
#include "training/automatic_designs.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/contains.hpp"
#include "base/fail.hpp"
#include "training/constraints.hpp"

#include <knotwork/automatic.hpp>

namespace knotwork {
namespace {

// The rule: what the number of training rows says about the options that are neither given nor left
// to cross-validation. Found by cross-validation on a dozen tables; docs/defaults.md tells more.
struct Rule {
  std::size_t most_rows;
  std::size_t hidden, ensemble, iterations;
  std::size_t choosing_members, choosing_rows;
  bool mini_batches = false;
};
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::array<Rule, 4> kRules = {{
    {2'000, 20, 8, 500, 2, kAll},
    {20'000, 40, 6, 300, 1, 10'000},
    {100'000, 40, 4, 200, 1, 10'000},
    {kAll, 40, 2, 200, 1, 10'000, true},
}};
constexpr std::size_t kEpochs = 20;  // with mini-batches, instead of iterations

const Rule& rule_for(std::size_t rows) {
  return *std::find_if(kRules.begin(), kRules.end(),
                       [&](const Rule& rule) { return rows <= rule.most_rows; });
}

// Without hidden layers and with a plain output every start leads to the same network.
bool is_linear(const TrainOptions& options) {
  return options.hidden.empty() && options.output_activation == "identity";
}

template <class Open>
void choose_optimizer(const Rule& rule, const Open& open, TrainOptions& options) {
  const bool batches = rule.mini_batches && (open("batch") || options.batch > 0);
  options.optimizer = batches ? "adam" : "lbfgs";
  if (open("iterations") && options.warm_path.empty() && options.warm_path_q.empty()) {
    options.iterations = batches ? kEpochs : rule.iterations;
  }
  if (!batches) return;
  if (open("batch")) options.batch = 256;
  if (open("rate")) options.rate = 3e-3;
  if (open("schedule")) options.schedule = RateSchedule::one_cycle;
}

// Said here, where it is known why it is that optimizer.
void check_optimizer(std::size_t rows, const TrainOptions& options) {
  if (options.optimizer == "adam") return;
  if (const std::string option = option_for_adam(options); !option.empty()) {
    fail(
        ErrorKind::bad_option,
        "{} needs what follows an update of adam or adamw, but the optimizer that is chosen for {} "
        "training rows is {}; use --optimizer adam.",
        option, rows, options.optimizer);
  }
  if (options.batch > 0) {
    fail(ErrorKind::bad_option,
         "batch is {}, but the optimizer that is chosen for {} training rows is {}, which needs "
         "all rows at once; mini-batches are for optimizer adam, adamw or sgd.",
         options.batch, rows, options.optimizer);
  }
  if (options.schedule != RateSchedule::constant) {
    fail(ErrorKind::bad_option,
         "A schedule of the rate is for optimizer adam, adamw or sgd, but the one that is chosen "
         "for {} training rows is {}.",
         rows, options.optimizer);
  }
}

// Input splines before wide layers, trained by mini-batches. They are far better where single
// inputs have sharp effects, such as coordinates, and want many rows.
constexpr std::size_t kRowsForInputSplines = 2'000;

// Only where nothing is said about network and optimizer, so that what is asked for stays simple.
bool may_have_input_splines(std::span<const std::string> given, std::size_t rows) {
  constexpr std::array kFree = {
      "class-weights", "ensemble", "free-bias", "gradient-norm", "huber-delta",
      "loss",          "patience", "precision", "quantiles",     "refit",
      "scale-target",  "seed",     "threads",   "time-limit",    "validation-fraction"};
  return rows > kRowsForInputSplines &&
         std::all_of(given.begin(), given.end(), [&](const std::string& name) {
           return std::find(kFree.begin(), kFree.end(), name) != kFree.end();
         });
}

Design with_input_splines(std::size_t inputs, std::size_t rows, TrainOptions options) {
  options.input_splines = std::clamp<std::size_t>(128 / inputs, 2, 16);
  options.input_knots = 97;
  options.hidden = {128, 64};
  options.scale_inputs = ScalingKind::uniform;
  options.lambda_w = 1e-4;
  options.lambda_curvature = 1e-4;
  options.optimizer = "adam";
  options.batch = 256;
  options.rate = 1e-2;
  options.control_point_rate = 3;
  options.dropout = 0.1;
  options.schedule = RateSchedule::one_cycle;
  options.iterations = rows > 100'000 ? 15 : 40;
  return {options, {{"lambda-bank", {"1e-10", "1e-09", "1e-08", "1e-07", "1e-06"}, {2}}}};
}

std::vector<Axis> open_axes(std::span<const std::string> given, const TrainOptions& options) {
  const std::vector<Axis> all = {
      {"scale-inputs", {"standard", "quantile"}, {0}},
      {"lambda-w", {"1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1", "1"}, {2, 4}},
      {"lambda-curvature", {"1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1"}, {1, 3}},
  };
  std::vector<Axis> open;
  for (const Axis& axis : all) {
    if (axis.option == "scale-inputs" && options.input_splines > 0) continue;
    if (!contains(given, axis.option) &&
        option_field(axis.option).unused_because(options).empty()) {
      open.push_back(axis);
    }
  }
  return open;
}

}  // namespace

const std::vector<std::string>& automatic_options() {
  static const std::vector<std::string> names = {
      "hidden", "ensemble", "output-activation", "free-bias",    "optimizer", "batch",
      "rate",   "schedule", "iterations",        "scale-inputs", "lambda-w",  "lambda-curvature"};
  return names;
}

const std::vector<std::string>& input_spline_options() {
  static const std::vector<std::string> names = {"input-splines", "input-knots", "lambda-bank",
                                                 "dropout", "control-point-rate"};
  return names;
}

TrainOptions options_by_rule(std::size_t rows, const TrainOptions& options,
                             std::span<const std::string> given) {
  for (const std::string& name : given) option_field(name);  // refuses a misspelt one
  const auto open = [&](std::string_view name) { return !contains(given, name); };
  const Rule& rule = rule_for(rows);
  TrainOptions chosen = options;
  if (open("hidden")) chosen.hidden = {rule.hidden};
  if (open("output-activation")) chosen.output_activation = "identity";
  // Knots of input splines are then at quantiles.
  if (open("scale-inputs") && options.input_splines > 0) {
    chosen.scale_inputs = ScalingKind::uniform;
  }
  if (open("ensemble")) chosen.ensemble = is_linear(chosen) ? 1 : rule.ensemble;
  if (open("free-bias")) chosen.free_bias = true;
  if (open("optimizer")) {
    choose_optimizer(rule, open, chosen);
    check_optimizer(rows, chosen);
  }
  check(chosen);
  return chosen;
}

std::vector<Design> designs_for(std::size_t rows, std::size_t inputs, const TrainOptions& options,
                                std::span<const std::string> given) {
  const TrainOptions usual = options_by_rule(rows, options, given);
  std::vector<Design> designs = {{usual, open_axes(given, usual)}};
  if (may_have_input_splines(given, rows)) {
    designs.push_back(with_input_splines(inputs, rows, usual));
  }
  return designs;
}

ComparisonRule comparison_rule(std::size_t rows) {
  const Rule& rule = rule_for(rows);
  return {3, rule.choosing_members, rule.choosing_rows};
}

}  // namespace knotwork
