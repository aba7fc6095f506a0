// SPDX-License-Identifier: MIT
#include <knotwork/automatic.hpp>

#include <algorithm>
#include <limits>
#include <list>
#include <numeric>

#include "base/fail.hpp"
#include "training/automatic_designs.hpp"
#include "training/option_record.hpp"
#include "training/samples.hpp"
#include "training/score_rows.hpp"

namespace knotwork {
namespace {

std::vector<std::size_t> training_rows(const TrainingData& data, const Partition& partition) {
  if (!partition.train.empty() || !partition.test.empty()) return partition.train;
  std::vector<std::size_t> all(rows_of(data.inputs));
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::size_t done(const std::list<Choice>& choices) {
  std::size_t sum = 0;
  for (const Choice& choice : choices) sum += choice.done();
  return sum;
}

std::size_t planned(const std::list<Choice>& choices) {
  std::size_t sum = 0;
  for (const Choice& choice : choices) sum += choice.planned();
  return sum;
}

std::vector<TriedSetting> tried_settings(const Choice& choice, bool name_design,
                                         const TrainOptions& design) {
  std::vector<TriedSetting> tried = choice.tried();
  for (TriedSetting& setting : tried) {
    if (!name_design) continue;
    setting.options.insert(setting.options.begin(),
                           {"input-splines", option_field("input-splines").get(design)});
  }
  return tried;
}

// The best network of the comparison stands in for the model that there was no time for.
Model end_choice(const std::list<Choice>& choices, const TrainingData& data,
                 const Partition& partition, std::span<const std::size_t> rows,
                 const TrainOptions& options) {
  const Choice& choice = choices.front();  // it had the most time
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
      done(choices), planned(choices)));
  return model;
}

std::string remark_on(const std::list<Choice>& choices, bool compared) {
  if (choices.back().out_of_time()) {
    return fmt::format(
        "Half of the time limit was over after {} of {} trainings to compare settings; {}.",
        done(choices), planned(choices),
        compared ? "the best so far were taken" : "the usual ones were taken");
  }
  if (compared) return "";
  return "The rows are too few or too uneven to compare settings by cross-validation; the usual "
         "ones were taken.";
}

}  // namespace

Model train_best_design(const TrainingData& data, const Partition& partition,
                        const std::vector<Design>& designs, const ComparisonRule& rule,
                        const TrainOptions& asked, const TrainObserver& observer) {
  const auto begin = Clock::now();
  const std::vector<std::size_t> rows = training_rows(data, partition);
  TrainOptions chosen = designs[0].options;
  double best_score = std::numeric_limits<double>::infinity();
  std::list<Choice> choices;
  std::vector<TriedSetting> tried;
  for (const Design& design : designs) {
    if (design.axes.empty()) continue;
    const std::size_t before = choices.empty() ? 0 : choices.front().done();
    Choice& choice = choices.emplace_back(
        data, rows, design.options,
        ChoiceRule{design.axes, rule.folds, rule.members, rule.rows, before}, begin, observer);
    const std::optional<TrainOptions> best = choice.choose();
    if (choice.ended_by_observer()) return end_choice(choices, data, partition, rows, asked);
    if (!best) continue;
    for (TriedSetting& setting : tried_settings(choice, designs.size() > 1, design.options)) {
      tried.push_back(std::move(setting));
    }
    if (choice.best_score() < best_score) {
      best_score = choice.best_score();
      chosen = *best;
    }
  }
  const std::string remark = choices.empty() ? "" : remark_on(choices, !tried.empty());
  if (!choices.empty() && chosen.time_limit > 0) {
    chosen.time_limit = std::max(1e-9, chosen.time_limit - seconds_since(begin));
  }
  Model model = train(data, partition, chosen, observer);
  model.training.tried = std::move(tried);
  if (!remark.empty()) model.training.remarks.push_back(remark);
  record_option(model.training, "time-limit", asked);  // as it was asked for
  model.training.seconds = seconds_since(begin);
  return model;
}

Model train_automatically(const TrainingData& data, const Partition& partition,
                          const TrainOptions& options, std::span<const std::string> given,
                          const TrainObserver& observer) {
  const std::size_t rows = training_rows(data, partition).size();
  return train_best_design(data, partition,
                           designs_for(rows, columns_of(data.inputs), options, given),
                           comparison_rule(rows), options, observer);
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
// penalty only decides between equal solutions. Classes that a plane parts have none without a
// penalty; it is chosen then.
TrainOptions linear_baseline(const TrainOptions& run) {
  TrainOptions linear;
  linear.hidden.clear();
  linear.output_activation = "identity";
  linear.loss = run.loss;
  linear.huber_delta = run.huber_delta;
  linear.quantiles = run.quantiles;
  linear.class_weights = run.class_weights;
  linear.scale_target = run.scale_target;
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
  tanh.input_splines = 0;
  tanh.lambda_q = tanh.lambda_slope = tanh.lambda_curvature = tanh.lambda_kinks = 0;
  // What a network without these bounds would be worth.
  tanh.penalty_schedule.clear();
  tanh.monotone = false;
  tanh.max_slope = 0;
  tanh.monotone_in.clear();
  tanh.warm_path.clear();
  tanh.warm_path_q.clear();
  tanh.fit_range = FitRange::none;  // it has no knots
  tanh.refit_range = tanh.halve_step = 0;
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
  const bool classes = !prepared.data().classes.empty();
  std::vector<Simpler> simpler = {
      {"linear model", linear_baseline(options), classes ? all_but_penalty : all_given}};
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
