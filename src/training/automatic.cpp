// SPDX-License-Identifier: MIT
#include <knotwork/automatic.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/fail.hpp"
#include "training/choice.hpp"
#include "training/option_record.hpp"
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
  if (options.batch > 0) {
    fail(ErrorKind::bad_option,
         "batch is {}, but the optimizer that is chosen for {} training rows is {}, which needs "
         "all rows at once; mini-batches are for optimizer adam.",
         options.batch, rows, options.optimizer);
  }
  if (options.schedule != RateSchedule::constant) {
    fail(ErrorKind::bad_option,
         "A schedule of the rate is for optimizer adam, but the one that is chosen for {} training "
         "rows is {}.",
         rows, options.optimizer);
  }
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

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The best network of the comparison stands in for the model that there was no time for.
Model end_choice(const Choice& choice, const TrainingData& data, const Partition& partition,
                 std::span<const std::size_t> rows, const TrainOptions& options) {
  if (!choice.best_model()) {
    fail(ErrorKind::failed_run,
         "Training was ended while options were being chosen, before there was a model.");
  }
  Model model = *choice.best_model();
  Summary& summary = model.training;
  summary.validation.reset();  // those of the comparison were parts of the training rows
  summary.test.reset();
  summary.target_scores.clear();
  score_rows(model, data, rows, options.threads, &Summary::train, &TargetScores::train);
  if (!partition.test.empty()) {
    score_rows(model, data, partition.test, options.threads, &Summary::test, &TargetScores::test);
  }
  summary.reason = StopReason::requested;
  summary.tried = choice.tried();
  for (const char* option : {"threads", "time-limit", "refit"}) {
    record_option(summary, option, options);  // the comparison had its own
  }
  summary.remarks.push_back(fmt::format(
      "Training was ended while options were being chosen, after {} of {} trainings to compare "
      "them; the model is the best network of these, which saw a part of the training rows.",
      choice.done(), choice.planned()));
  return model;
}

std::string remark_on(const Choice& choice, bool compared) {
  if (choice.out_of_time()) {
    return fmt::format(
        "Half of the time limit was over after {} of {} trainings to compare settings; {}.",
        choice.done(), choice.planned(),
        compared ? "the best so far were taken" : "the usual ones were taken");
  }
  if (compared) return "";
  return "The rows are too few or too uneven to compare settings by cross-validation; the usual "
         "ones were taken.";
}

}  // namespace

const std::vector<std::string>& automatic_options() {
  static const std::vector<std::string> names = {
      "hidden", "ensemble", "output-activation", "free-bias",    "optimizer", "batch",
      "rate",   "schedule", "iterations",        "scale-inputs", "lambda-w",  "lambda-curvature"};
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
  if (open("ensemble")) chosen.ensemble = is_linear(chosen) ? 1 : rule.ensemble;
  if (open("free-bias")) chosen.free_bias = true;
  if (open("optimizer")) {
    choose_optimizer(rule, open, chosen);
    check_optimizer(rows, chosen);
  }
  check(chosen);
  return chosen;
}

Model train_automatically(const TrainingData& data, const Partition& partition,
                          const TrainOptions& options, std::span<const std::string> given,
                          const TrainObserver& observer) {
  const auto begin = Clock::now();
  const std::vector<std::size_t> rows = training_rows(data, partition);
  TrainOptions chosen = options_by_rule(rows.size(), options, given);
  std::vector<Axis> axes = open_axes(given, chosen);
  std::vector<TriedSetting> tried;
  std::string remark;
  if (!axes.empty()) {
    const Rule& rule = rule_for(rows.size());
    Choice choice(data, rows, chosen,
                  {std::move(axes), 3, rule.choosing_members, rule.choosing_rows}, begin, observer);
    const std::optional<TrainOptions> best = choice.choose();
    if (choice.ended_by_observer()) return end_choice(choice, data, partition, rows, options);
    if (best) {
      chosen = *best;
      tried = choice.tried();
    }
    remark = remark_on(choice, best.has_value());
    if (chosen.time_limit > 0) {
      chosen.time_limit = std::max(1e-9, chosen.time_limit - seconds_since(begin));
    }
  }
  Model model = train(data, partition, chosen, observer);
  model.training.tried = std::move(tried);
  if (!remark.empty()) model.training.remarks.push_back(remark);
  record_option(model.training, "time-limit", options);  // as it was asked for
  model.training.seconds = seconds_since(begin);
  return model;
}

Model train_automatically(const PreparedTable& prepared, const TrainOptions& options,
                          std::span<const std::string> given, const TrainObserver& observer) {
  Model model =
      train_automatically(prepared.data(), prepared.partition(), options, given, observer);
  prepared.complete(model, options.threads);
  return model;
}

Model train_automatically(const Table& table, const TableTask& task, const TrainOptions& options,
                          std::span<const std::string> given, const TrainObserver& observer) {
  return train_automatically(PreparedTable(table, task, options.seed), options, given, observer);
}

namespace {

// Always the fitted one, however the run itself is trained: the objective has one minimum, and the
// penalty only decides between equal solutions.
TrainOptions linear_baseline(const TrainOptions& run) {
  TrainOptions linear;
  linear.hidden.clear();
  linear.output_activation = "identity";
  linear.loss = run.loss;
  linear.losses = run.losses;
  linear.lambda_w = 1e-8;
  linear.lambda_curvature = 0;
  linear.free_bias = true;
  linear.seed = run.seed;
  linear.threads = run.threads;
  return linear;
}

TrainOptions tanh_baseline(const TrainOptions& run) {
  TrainOptions tanh = run;
  tanh.activation = "tanh";
  tanh.output_activation = "identity";
  tanh.lambda_q = tanh.lambda_slope = tanh.lambda_curvature = 0;
  tanh.warm_path.clear();
  tanh.warm_path_q.clear();
  tanh.refit = false;
  return tanh;
}

std::vector<std::string> all_options() {
  std::vector<std::string> names;
  for (const TrainOptionField& field : train_option_fields()) names.push_back(field.name);
  return names;
}

}  // namespace

std::vector<Baseline> train_baselines(const PreparedTable& prepared, const TrainOptions& options,
                                      const TrainObserver& observer) {
  const auto begin = Clock::now();
  const std::vector<std::string> all_given = all_options();
  std::vector<std::string> all_but_penalty = all_given;
  std::erase(all_but_penalty, "lambda-w");
  struct Simpler {
    std::string name;
    TrainOptions options;
    const std::vector<std::string>& given;
  };
  std::vector<Simpler> simpler = {{"linear model", linear_baseline(options), all_given}};
  if (!options.hidden.empty()) {
    simpler.push_back({"tanh network", tanh_baseline(options), all_but_penalty});
  }
  bool ended = false;
  const TrainObserver watch = [&](const TrainIteration& iteration) {
    ended = observer && !observer(iteration);
    return !ended;
  };
  std::vector<Baseline> baselines;
  for (auto& [name, its_options, given] : simpler) {
    if (options.time_limit > 0) {
      its_options.time_limit = std::max(1e-9, options.time_limit - seconds_since(begin));
    }
    try {
      const Summary summary = train_automatically(prepared, its_options, given, watch).training;
      if (summary.reason == StopReason::requested || summary.reason == StopReason::time) break;
      baselines.push_back({name, summary.train, summary.test});
    } catch (const Error&) {
      if (!ended) throw;
      break;
    }
  }
  return baselines;
}

}  // namespace knotwork
