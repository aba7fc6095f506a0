// SPDX-License-Identifier: MIT
#include "training/choose/default_rules.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "options/check_options.hpp"
#include "options/optimizer_traits.hpp"
#include "options/option_errors.hpp"
#include "training/run/projections.hpp"

#include <knotwork/training.hpp>

namespace knotwork {

using namespace training;
namespace {

// The rule: values that depend on the number of training rows, for options that are neither given
// nor chosen by cross-validation. Found by cross-validation on a dozen tables; see
// docs/defaults.md.
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

// Without hidden layers and with a plain output every start leads to the same network, so one is
// enough.
bool is_linear(const TrainOptions& options) {
  return options.hidden.empty() && options.output_activation == "identity";
}

template <class Open>
void choose_optimizer(const Rule& rule, const Open& open, TrainOptions& options) {
  const bool batches = rule.mini_batches && (open(&TrainOptions::batch) || options.batch > 0);
  options.optimizer = batches ? "adam" : "lbfgs";
  if (open(&TrainOptions::iterations) && options.warm_path.empty() && options.warm_path_q.empty()) {
    options.iterations = batches ? kEpochs : rule.iterations;
  }
  if (!batches) return;
  if (open(&TrainOptions::batch)) options.batch = 256;
  if (open(&TrainOptions::rate)) options.rate = 3e-3;
  if (open(&TrainOptions::schedule)) options.schedule = RateSchedule::one_cycle;
}

// The error is thrown here, where the reason for this optimizer is known.
void check_optimizer(std::size_t rows, const TrainOptions& options) {
  const std::string option = option_for_adam(options);
  if (!option.empty() && !optimizer_has(options, &OptimizerEntry::has_proximal_steps)) {
    fail(ErrorKind::bad_option, of_option(option), use_adam(),
         "{} needs the optimizer {}, but the optimizer chosen for {} training rows is {}.", option,
         optimizers_with(&OptimizerEntry::has_proximal_steps, "or"), rows, options.optimizer);
  }
  if (options.batch > 0 && !optimizer_has(options, &OptimizerEntry::by_batches)) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::batch),
         "batch is {}, but the optimizer chosen for {} training rows is {}, which needs all rows "
         "at once; mini-batches need the optimizer {}.",
         options.batch, rows, options.optimizer,
         optimizers_with(&OptimizerEntry::by_batches, "or"));
  }
  if (options.schedule != RateSchedule::constant &&
      !optimizer_has(options, &OptimizerEntry::has_rate)) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::schedule),
         "A rate schedule needs the optimizer {}, but the optimizer chosen for {} training rows is "
         "{}.",
         optimizers_with(&OptimizerEntry::has_rate, "or"), rows, options.optimizer);
  }
}

// Input splines before wide layers, trained by mini-batches. They are far better where single
// inputs have sharp effects, such as coordinates, and need many rows.
constexpr std::size_t kRowsForInputSplines = 2'000;

// Only if no option of network and optimizer is given, so that requested networks stay simple.
bool may_have_input_splines(std::span<const std::string> given, std::size_t rows) {
  return rows > kRowsForInputSplines &&
         std::none_of(given.begin(), given.end(),
                      [](const std::string& name) { return option_field(name).fixes_design; });
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
  return {options,
          {{option_field(&TrainOptions::lambda_bank).name,
            {"1e-10", "1e-09", "1e-08", "1e-07", "1e-06"},
            {2}}}};
}

std::vector<OptionAxis> open_axes(std::span<const std::string> given, const TrainOptions& options) {
  const std::string& scaling = option_field(&TrainOptions::scale_inputs).name;
  const std::vector<OptionAxis> all = {
      {scaling, {"standard", "quantile"}, {0}},
      {option_field(&TrainOptions::lambda_w).name,
       {"1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1", "1"},
       {2, 4}},
      {option_field(&TrainOptions::lambda_curvature).name,
       {"1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1"},
       {1, 3}},
  };
  std::vector<OptionAxis> open;
  for (const OptionAxis& axis : all) {
    if (axis.option == scaling && options.input_splines > 0) continue;
    if (!contains(given, axis.option) &&
        option_field(axis.option).unused_because(options).empty()) {
      open.push_back(axis);
    }
  }
  return open;
}

std::vector<std::string> options_chosen_by(std::initializer_list<ChosenBy> choosers) {
  std::vector<std::string> names;
  for (const ChosenBy chooser : choosers) {
    for (const TrainOptionField& field : train_option_fields()) {
      if (field.chosen_by == chooser) names.push_back(field.name);
    }
  }
  return names;
}

}  // namespace

const std::vector<std::string>& automatic_options() {
  static const auto names = options_chosen_by({ChosenBy::rule, ChosenBy::cross_validation});
  return names;
}

const std::vector<std::string>& input_spline_options() {
  static const auto names = options_chosen_by({ChosenBy::input_splines});
  return names;
}

TrainOptions options_by_rule(std::size_t rows, const TrainOptions& options,
                             std::span<const std::string> given) {
  for (const std::string& name : given) option_field(name);  // refuses a misspelt one
  const auto open = [&](auto member) { return !contains(given, option_field(member).name); };
  const Rule& rule = rule_for(rows);
  TrainOptions chosen = options;
  if (open(&TrainOptions::hidden)) chosen.hidden = {rule.hidden};
  if (open(&TrainOptions::output_activation)) chosen.output_activation = "identity";
  // Knots of input splines are then at quantiles.
  if (open(&TrainOptions::scale_inputs) && options.input_splines > 0) {
    chosen.scale_inputs = ScalingKind::uniform;
  }
  if (open(&TrainOptions::ensemble)) chosen.ensemble = is_linear(chosen) ? 1 : rule.ensemble;
  if (open(&TrainOptions::free_bias)) chosen.free_bias = true;
  if (open(&TrainOptions::optimizer)) {
    choose_optimizer(rule, open, chosen);
    check_optimizer(rows, chosen);
  }
  check(chosen);
  return chosen;
}

std::vector<Design> training::designs_for(std::size_t rows, std::size_t inputs,
                                          const TrainOptions& options,
                                          std::span<const std::string> given) {
  const TrainOptions usual = options_by_rule(rows, options, given);
  std::vector<Design> designs = {{usual, open_axes(given, usual)}};
  if (may_have_input_splines(given, rows)) {
    designs.push_back(with_input_splines(inputs, rows, usual));
  }
  return designs;
}

ComparisonRule training::comparison_rule(std::size_t rows) {
  const Rule& rule = rule_for(rows);
  return {3, rule.choosing_members, rule.choosing_rows};
}

}  // namespace knotwork
