// SPDX-License-Identifier: MIT
#include <knotwork/automatic.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/fail.hpp"
#include "training/choice.hpp"
#include "training/samples.hpp"
#include "training/score_rows.hpp"

namespace knotwork {
namespace {

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

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
    {kAll, 40, 2, 20, 1, 10'000, true},
}};

const Rule& rule_for(std::size_t rows) {
  return *std::find_if(kRules.begin(), kRules.end(),
                       [&](const Rule& rule) { return rows <= rule.most_rows; });
}

void apply_rule(const Rule& rule, std::span<const std::string> given, TrainOptions& options) {
  const auto open = [&](std::string_view name) { return !contains(given, name); };
  if (open("hidden")) options.hidden = {rule.hidden};
  if (open("ensemble")) options.ensemble = rule.ensemble;
  if (open("output-activation")) options.output_activation = "identity";
  if (open("free-bias")) options.free_bias = true;
  if (!open("optimizer")) return;  // the rest is about the one that the rule takes
  if (open("iterations") && options.warm_path.empty() && options.warm_path_q.empty()) {
    options.iterations = rule.iterations;
  }
  if (!rule.mini_batches || !open("batch")) return;
  options.optimizer = "adam";
  options.batch = 256;
  if (open("rate")) options.rate = 3e-3;
  if (open("schedule")) options.schedule = RateSchedule::one_cycle;
}

std::vector<Axis> open_axes(std::span<const std::string> given, const TrainOptions& options) {
  const std::vector<Axis> all = {
      {"scale-inputs", {"standard", "quantile"}, {0}},
      {"lambda-w", {"1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1", "1"}, {2, 4}},
      {"lambda-curvature", {"1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1"}, {1, 3}},
  };
  std::vector<Axis> open;
  for (const Axis& axis : all) {
    if (!contains(given, axis.option) &&
        option_field(axis.option).unused_because(options).empty()) {
      open.push_back(axis);
    }
  }
  return open;
}

std::vector<std::size_t> training_rows(const TrainingData& data, const Partition& partition) {
  if (!partition.train.empty() || !partition.test.empty()) return partition.train;
  std::vector<std::size_t> all(rows_of(data.inputs));
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

const std::vector<std::string>& automatic_options() {
  static const std::vector<std::string> names = {
      "hidden", "ensemble", "output-activation", "free-bias",    "optimizer", "batch",
      "rate",   "schedule", "iterations",        "scale-inputs", "lambda-w",  "lambda-curvature"};
  return names;
}

Model train_automatically(const TrainingData& data, const Partition& partition,
                          const TrainOptions& options, std::span<const std::string> given,
                          const TrainObserver& observer) {
  const auto begin = Clock::now();
  check(options);
  for (const std::string& name : given) option_field(name);  // refuses a misspelt one
  const std::vector<std::size_t> rows = training_rows(data, partition);
  const Rule rule = rule_for(rows.size());
  TrainOptions chosen = options;
  apply_rule(rule, given, chosen);
  std::vector<Axis> axes = open_axes(given, chosen);
  std::vector<TriedSetting> tried;
  std::string remark;
  if (!axes.empty()) {
    Choice choice(data, rows, chosen,
                  {std::move(axes), 3, rule.choosing_members, rule.choosing_rows}, begin, observer);
    if (const std::optional<TrainOptions> best = choice.choose()) {
      chosen = *best;
      tried = choice.tried();
    } else {
      remark =
          "The rows are too few or too uneven to compare settings by cross-validation; the usual "
          "ones were taken.";
    }
    if (choice.ended_by_observer() && choice.best_model()) {
      Model model = *choice.best_model();
      model.training.train = score_rows(model, data, rows, options.threads);
      model.training.test.reset();
      if (!partition.test.empty()) {
        model.training.test = score_rows(model, data, partition.test, options.threads);
      }
      model.training.reason = StopReason::requested;
      model.training.tried = std::move(tried);
      return model;
    }
    if (chosen.time_limit > 0) {
      const double used = std::chrono::duration<double>(Clock::now() - begin).count();
      chosen.time_limit = std::max(1e-9, chosen.time_limit - used);
    }
  }
  Model model = train(data, partition, chosen, observer);
  model.training.tried = std::move(tried);
  if (!remark.empty()) model.training.remarks.push_back(remark);
  for (auto& [name, text] : model.training.options) {
    if (name == "time-limit") text = option_field(name).get(options);  // as it was asked for
  }
  model.training.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return model;
}

Model train_automatically(const Table& table, const TableTask& task, const TrainOptions& options,
                          std::span<const std::string> given, const TrainObserver& observer) {
  const PreparedTable prepared(table, task, options.seed);
  Model model =
      train_automatically(prepared.data(), prepared.partition(), options, given, observer);
  model.training.remarks.insert(model.training.remarks.begin(), prepared.remarks().begin(),
                                prepared.remarks().end());
  if (task.test_data) {
    model.training.test = model.evaluate(*task.test_data, options.threads, task.weight_column);
  }
  return model;
}

std::vector<Baseline> train_baselines(const Table& table, const TableTask& task,
                                      const TrainOptions& options, const TrainObserver& observer) {
  std::vector<std::string> given;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.name != "lambda-w") given.push_back(field.name);
  }
  TrainOptions own = options;
  own.output_activation = "identity";
  own.lambda_q = own.lambda_slope = own.lambda_curvature = 0;
  own.warm_path.clear();
  own.warm_path_q.clear();
  own.refit = false;
  TrainOptions linear = own, tanh = own;
  linear.hidden.clear();
  linear.ensemble = 1;
  tanh.activation = "tanh";
  std::vector<Baseline> baselines;
  for (const auto& [name, its_options] :
       {std::pair{"linear model", &linear}, std::pair{"tanh network", &tanh}}) {
    const Summary summary =
        train_automatically(table, task, *its_options, given, observer).training;
    if (summary.reason == StopReason::requested) break;
    baselines.push_back({name, summary.train, summary.test});
  }
  return baselines;
}

}  // namespace knotwork
