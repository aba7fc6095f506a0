// SPDX-License-Identifier: MIT
#include <knotwork/training.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <list>

#include "base/fail.hpp"
#include "options/option_text.hpp"
#include "training/choose/default_rules.hpp"
#include "training/data/prepared_state.hpp"
#include "training/data/training_rows.hpp"
#include "training/resume/checkpoint_state.hpp"
#include "training/resume/fingerprint.hpp"
#include "training/run/train.hpp"

namespace knotwork {

using namespace training;
namespace {

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::size_t done(const std::list<OptionDescent>& choices) {
  std::size_t sum = 0;
  for (const OptionDescent& choice : choices) sum += choice.done();
  return sum;
}

std::size_t planned(const std::list<OptionDescent>& choices) {
  std::size_t sum = 0;
  for (const OptionDescent& choice : choices) sum += choice.planned();
  return sum;
}

std::vector<TriedSetting> tried_settings(const OptionDescent& choice, bool name_design,
                                         const TrainOptions& design) {
  std::vector<TriedSetting> tried = choice.tried();
  for (TriedSetting& setting : tried) {
    if (!name_design) continue;
    const TrainOptionField& field = option_field(&TrainOptions::input_splines);
    setting.options.insert(setting.options.begin(), {field.name, field.get(design)});
  }
  return tried;
}

// The best network of the comparison, instead of the model for which there was no time.
Model end_choice(const std::list<OptionDescent>& choices, const TrainingRows& rows,
                 const TrainOptions& options) {
  const OptionDescent& choice = choices.front();  // it had the most time
  if (!choice.best_model()) {
    throw SharedError(
        ErrorKind::stopped,
        "Training was stopped while options were being chosen, before there was a model.");
  }
  Model model = *choice.best_model();
  Summary& summary = model.training;
  summary.validation.reset();  // the validation parts of the comparison were training rows
  summary.test.reset();
  summary.target_scores.clear();
  TrainOptions undivided = options;
  undivided.validation_fraction = 0;
  const auto parts = rows.divide(undivided);
  const ForAMoment moment;
  try {
    parts->score(model, Part::train, options.threads, &moment);
    if (parts->size(Part::test) > 0) parts->score(model, Part::test, options.threads, &moment);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    summary.remarks.push_back(kUnscored);
  }
  summary.reason = StopReason::requested;
  summary.tried = choice.tried();
  for (const TrainOptionField& field : train_option_fields()) {
    // The comparison had its own values of options that change the result.
    if (field.effect != OptionEffect::bits) record_option(summary, field, options);
  }
  summary.remarks.push_back(
      fmt::format("Training was stopped while options were being chosen, after {} of {} trainings; "
                  "the model is the best network so far, trained on a part of the training rows.",
                  done(choices), planned(choices)));
  return model;
}

std::string remark_on(const std::list<OptionDescent>& choices, bool compared) {
  if (choices.back().out_of_time()) {
    return fmt::format(
        "Half of the time limit was over after {} of {} trainings to compare settings; {}.",
        done(choices), planned(choices),
        compared ? "the best settings so far were taken" : "the usual settings were taken");
  }
  if (compared) return "";
  return "The rows are too few or too uneven to compare settings by cross-validation; the usual "
         "settings were taken.";
}

// The settings to compare are part of the request. Options that a design sets or compares were left
// open, whatever their defaults.
TrainingState identity_of(const TrainingRows& rows, const std::vector<Design>& designs,
                          const TrainOptions& asked, const std::shared_ptr<Monitor>& monitor) {
  TrainingState identity = watched_identity(rows, asked, {.monitor = monitor});
  const auto leave_open = [&](const std::string& name) {
    for (auto& [option, text] : identity.options) {
      if (option == name) text.clear();
    }
  };
  for (std::size_t d = 0; d < designs.size(); ++d) {
    for (const TrainOptionField& field : train_option_fields()) {
      const std::string text = field.get(designs[d].options);
      if (text == field.get(asked)) continue;
      leave_open(field.name);
      identity.options.emplace_back(fmt::format("{} of network {}", field.name, d + 1), text);
    }
    for (const OptionAxis& axis : designs[d].axes) {
      leave_open(axis.option);
      identity.options.emplace_back(
          fmt::format("the choice of {} for network {}", axis.option, d + 1),
          fmt::format("{}", fmt::join(axis.values, " ")));
    }
  }
  return identity;
}

// Whether a saved choice is possible with these designs: each option has the value of the design,
// or one of the values that it compares.
bool is_open(const OptionTexts& chosen, const Design& design) {
  return std::all_of(chosen.begin(), chosen.end(), [&](const auto& option) {
    const auto& [name, text] = option;
    if (option_field(name).is_about_time()) return true;
    const auto axis =
        std::find_if(design.axes.begin(), design.axes.end(),
                     [&, &own = name](const OptionAxis& other) { return other.option == own; });
    if (axis == design.axes.end()) return option_field(name).get(design.options) == text;
    return std::find(axis->values.begin(), axis->values.end(), text) != axis->values.end() ||
           option_field(name).get(design.options) == text;
  });
}

void check_choice(const ChosenOptions& choice, const std::vector<Design>& designs) {
  const auto open = [&](const Design& design) { return is_open(choice.options, design); };
  if (choice.options.size() == train_option_fields().size() &&
      std::any_of(designs.begin(), designs.end(), open)) {
    return;
  }
  fail(ErrorKind::bad_model, Where{.subject = kCheckpointSubject},
       "contradicts itself: it has chosen options, but no options were left open.");
}

// Trains with the chosen options.
Model train_chosen(const TrainingRows& rows, const ChosenOptions& choice,
                   const std::vector<Design>& designs, const TrainOptions& asked,
                   const std::shared_ptr<Monitor>& monitor, Clock::time_point begin,
                   const std::shared_ptr<Checkpoints>& checkpoints) {
  TrainOptions chosen = designs[0].options;
  for (const auto& [name, text] : choice.options) set_option(chosen, name, text);
  chosen.threads = asked.threads;
  chosen.time_limit = asked.time_limit;
  const bool compared = std::any_of(designs.begin(), designs.end(),
                                    [](const Design& design) { return !design.axes.empty(); });
  if (compared && chosen.time_limit > 0) {
    chosen.time_limit = std::max(1e-9, chosen.time_limit - seconds_since(begin));
  }
  Model model = train_identified(rows, chosen, {.checkpoints = checkpoints, .monitor = monitor});
  model.training.tried = choice.tried;
  if (!choice.remark.empty()) model.training.remarks.push_back(choice.remark);
  record_option(model.training, option_field(&TrainOptions::time_limit), asked);
  model.training.seconds = seconds_since(begin);
  if (checkpoints) model.training.seconds += state_of(*checkpoints).earlier_seconds();
  return model;
}

}  // namespace

Model training::train_best_design(const TrainingRows& rows, const std::vector<Design>& designs,
                                  const ComparisonRule& rule, const TrainOptions& asked,
                                  const TrainContext& context) {
  const auto begin = Clock::now();
  const std::shared_ptr<Checkpoints>& checkpoints = context.checkpoints;
  if (checkpoints) {
    state_of(*checkpoints).begin(identity_of(rows, designs, asked, context.monitor));
  }
  if (const auto kept = checkpoints ? state_of(*checkpoints).choice() : std::nullopt) {
    check_choice(*kept, designs);
    return train_chosen(rows, *kept, designs, asked, context.monitor, begin, checkpoints);
  }
  TrainOptions chosen = designs[0].options;
  double best_score = std::numeric_limits<double>::infinity();
  std::list<OptionDescent> choices;
  std::vector<TriedSetting> tried;
  std::optional<RowsInMemory> compared;
  for (const Design& design : designs) {
    if (design.axes.empty()) continue;
    if (!compared) compared = rows.rows_to_compare(rule.rows, asked.seed);
    const std::size_t before = choices.empty() ? 0 : choices.front().done();
    OptionDescent& choice = choices.emplace_back(
        compared->data, compared->rows, design.options,
        DescentRule{design.axes, rule.folds, rule.members, rule.rows, before}, begin,
        context.monitor, FoldLosses{checkpoints.get(), choices.size()}, rows.ranks());
    const std::optional<TrainOptions> best = choice.choose();
    if (choice.stopped()) return end_choice(choices, rows, asked);
    if (!best) continue;
    for (TriedSetting& setting : tried_settings(choice, designs.size() > 1, design.options)) {
      tried.push_back(std::move(setting));
    }
    if (choice.best_score() < best_score) {
      best_score = choice.best_score();
      chosen = *best;
    }
  }
  ChosenOptions result{option_texts(chosen), std::move(tried), ""};
  if (!choices.empty()) result.remark = remark_on(choices, !result.tried.empty());
  // If the time limit cut the choice short, a resumed run continues to choose, so the choice and
  // model of this run are not saved.
  const bool cut_short = !choices.empty() && choices.back().out_of_time();
  const std::shared_ptr<Checkpoints> kept = cut_short ? nullptr : checkpoints;
  if (kept) state_of(*kept).keep_choice(result);
  return train_chosen(rows, result, designs, asked, context.monitor, begin, kept);
}

Model training::train_rows_automatically(const TrainingRows& rows, const TrainOptions& options,
                                         std::span<const std::string> given,
                                         const TrainContext& context) {
  if (context.start) {
    fail(ErrorKind::bad_option,
         "Options are chosen for a new network; to start from a model, train with its options.");
  }
  const std::size_t count = rows.training_rows();
  return train_best_design(rows, designs_for(count, rows.inputs(), options, given),
                           comparison_rule(count), options, context);
}

Model train_automatically(const PreparedData& prepared, const TrainOptions& options,
                          std::span<const std::string> given, const TrainContext& context) {
  Model model = train_rows_automatically(state_of(prepared).rows(), options, given, context);
  state_of(prepared).complete(model, options.threads, context.monitor);
  return model;
}

namespace {

// The linear baseline is always fitted until nothing improves, whatever the options of the run: the
// objective has one minimum, and the penalty only decides between equal solutions. If a plane
// separates the classes, there is no solution without a penalty; the penalty is then chosen.
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
  // The tanh network has none of these constraints and schedules.
  tanh.penalty_schedule.clear();
  tanh.monotone = false;
  tanh.max_slope = 0;
  tanh.monotone_in.clear();
  tanh.warm_path.clear();
  tanh.warm_path_q.clear();
  tanh.fit_range = FitRange::none;  // tanh has no knots
  tanh.refit_range = tanh.halve_step = 0;
  tanh.refit = false;
  tanh.snapshots = 0;
  return tanh;
}

std::vector<std::string> all_options() {
  std::vector<std::string> names;
  for (const TrainOptionField& field : train_option_fields()) names.push_back(field.name);
  return names;
}

}  // namespace

std::vector<Baseline> train_baselines(const PreparedData& prepared, const TrainOptions& options,
                                      const std::shared_ptr<Monitor>& monitor) {
  const auto begin = Clock::now();
  const std::vector<std::string> all_given = all_options();
  std::vector<std::string> all_but_penalty = all_given;
  std::erase(all_but_penalty, option_field(&TrainOptions::lambda_w).name);
  struct Simpler {
    std::string name;
    TrainOptions options;
    const std::vector<std::string>& given;
  };
  const bool classes = !state_of(prepared).rows().description().classes.empty();
  std::vector<Simpler> simpler = {
      {"linear model", linear_baseline(options), classes ? all_but_penalty : all_given}};
  if (!options.hidden.empty()) {
    simpler.push_back({"tanh network", tanh_baseline(options), all_but_penalty});
  }
  std::vector<Baseline> baselines;
  for (auto& [name, its_options, given] : simpler) {
    if (options.time_limit > 0) {
      its_options.time_limit = std::max(1e-9, options.time_limit - seconds_since(begin));
    }
    try {
      const TrainContext context{.monitor = monitor};
      const Summary summary = train_automatically(prepared, its_options, given, context).training;
      if (summary.reason == StopReason::requested || summary.reason == StopReason::time) break;
      baselines.push_back({name, summary.train, summary.test});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::stopped) throw;
      break;
    }
  }
  return baselines;
}

}  // namespace knotwork
