// SPDX-License-Identifier: MIT
#include "options/check_options.hpp"

#include <algorithm>
#include <cmath>

#include "activation/settings.hpp"
#include "base/fail.hpp"
#include "options/optimizer_traits.hpp"
#include "options/option_errors.hpp"

#include <knotwork/options.hpp>

namespace knotwork {

namespace {

bool has_residual_layer(const TrainOptions& o) {
  return std::adjacent_find(o.hidden.begin(), o.hidden.end()) != o.hidden.end();
}

// Checks the changes of knots.
void check_knots(const TrainOptions& o) {
  if (o.refit_range > 0 && o.fit_range == FitRange::none) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::refit_range, &TrainOptions::fit_range),
         "refit-range is {}, but fit-range is none; refitting needs fit-range neuron or layer.",
         o.refit_range);
  }
  for (const auto times : {&TrainOptions::refit_range, &TrainOptions::halve_step}) {
    if (o.*times == 0 || o.*times < o.iterations) continue;
    fail(ErrorKind::bad_option,
         of_option(option_field(&TrainOptions::iterations).name, option_field(times).name),
         "iterations is {}, but with {} {} there are {} stages; each stage needs at least one.",
         o.iterations, option_field(times).name, o.*times, o.*times + 1);
  }
  std::size_t knots = o.spline.knots;
  for (std::size_t k = 0; k < o.halve_step; ++k) {
    knots = 2 * knots - 3;
    if (knots <= kMaxKnots) continue;
    fail(ErrorKind::bad_option, of_option(&TrainOptions::halve_step, &SplineOptions::knots),
         "halve-step is {}, but {} control points become more than {} after {} halvings; at most "
         "{} halvings are possible.",
         o.halve_step, o.spline.knots, kMaxKnots, k + 1, k);
  }
}

// Checks options that only some optimizers use.
void check_optimizer(const TrainOptions& o) {
  const bool by_batches = optimizer_has(o, &OptimizerEntry::by_batches);
  if (o.batch != 0 && !by_batches) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::batch, &TrainOptions::optimizer),
         "batch is {}, but '{}' needs all rows at once, a batch of 0; mini-batches are for {}.",
         o.batch, o.optimizer, optimizers_with(&OptimizerEntry::by_batches));
  }
  if (o.weight_decay != 0 && !optimizer_has(o, &OptimizerEntry::has_weight_decay)) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::weight_decay, &TrainOptions::optimizer),
         "weight-decay is {}, but only {} uses it, not '{}'.", o.weight_decay,
         optimizers_with(&OptimizerEntry::has_weight_decay), o.optimizer);
  }
  if (o.schedule != RateSchedule::constant && !optimizer_has(o, &OptimizerEntry::has_rate)) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::schedule, &TrainOptions::optimizer),
         "A rate schedule needs the optimizer {}, not '{}'.",
         optimizers_with(&OptimizerEntry::has_rate, "or"), o.optimizer);
  }
  if (o.dropout > 0 && !by_batches) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::dropout, &TrainOptions::optimizer),
         "dropout is {}, but '{}' needs the same function at every step; use optimizer {}.",
         o.dropout, o.optimizer, optimizers_with(&OptimizerEntry::by_batches, "or"));
  }
}

// Throws bad_option for a schedule with an unknown penalty, the same penalty twice, a penalty that
// a warm path changes too, or a weight below 0.
void check_penalty_schedule(const TrainOptions& options) {
  const std::string& bank = option_field(&TrainOptions::lambda_bank).name;
  const std::string& weights = option_field(&TrainOptions::lambda_w).name;
  const std::string& damping = option_field(&TrainOptions::lambda_q).name;
  const auto& courses = options.penalty_schedule;
  for (auto course = courses.begin(); course != courses.end(); ++course) {
    regularizer_of(course->option);
    if (course->option == bank && options.input_splines == 0) {
      fail(ErrorKind::bad_option,
           of_option(&TrainOptions::penalty_schedule, &TrainOptions::input_splines),
           "penalty-schedule changes {}, but there are no input splines (input-splines).", bank);
    }
    for (const double weight : {course->first, course->last}) {
      if (weight >= 0 && std::isfinite(weight)) continue;
      fail(ErrorKind::bad_option, of_option(&TrainOptions::penalty_schedule),
           "penalty-schedule gives {} the value {}; it must be a number of at least 0.",
           course->option, weight);
    }
    for (auto earlier = courses.begin(); earlier != course; ++earlier) {
      if (earlier->option != course->option) continue;
      fail(ErrorKind::bad_option, of_option(&TrainOptions::penalty_schedule),
           "penalty-schedule has {} twice; give it one schedule.", course->option);
    }
    const bool path = course->option == weights && !options.warm_path.empty();
    const bool path_q = course->option == damping && !options.warm_path_q.empty();
    if (path || path_q) {
      const std::string& other =
          option_field(path ? &TrainOptions::warm_path : &TrainOptions::warm_path_q).name;
      fail(ErrorKind::bad_option,
           of_option(option_field(&TrainOptions::penalty_schedule).name, other),
           "penalty-schedule and {} both change {}; give one of them.", other, course->option);
    }
  }
}

// Throws bad_option for constraints that the optimizer does not support. Training checks whatever
// depends on the columns.
void check_constraints(const TrainOptions& o) {
  for (const std::string& column : o.monotone_in) {
    if (!column.empty() && column != "-") continue;
    fail(ErrorKind::bad_option, of_option(&TrainOptions::monotone_in),
         "monotone-in has a column without a name.");
  }
  const std::string option = option_for_adam(o);
  if (!option.empty() && !optimizer_has(o, &OptimizerEntry::has_proximal_steps)) {
    fail(ErrorKind::bad_option, of_option(option, option_field(&TrainOptions::optimizer).name),
         use_adam(), "{} needs the optimizer {}, not '{}'.", option,
         optimizers_with(&OptimizerEntry::has_proximal_steps, "or"), o.optimizer);
  }
}

}  // namespace

std::string option_for_adam(const TrainOptions& o) {
  const TrainOptions defaults;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.needs_proximal_steps && field.get(o) != field.get(defaults)) return field.name;
  }
  return "";
}

const RegularizerEntry& regularizer_of(std::string_view option) {
  std::vector<std::string> names;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.regularizer.empty()) continue;
    if (field.name == option) return builtin_regularizers().at(field.regularizer);
    names.push_back(field.name);
  }
  fail(ErrorKind::bad_option, of_option(&TrainOptions::penalty_schedule), "{}",
       unknown_name_message("penalty of penalty-schedule", option, names));
}

void check(const TrainOptions& o) {
  for (const TrainOptionField& field : train_option_fields()) field.check(o);
  if (o.residual && !has_residual_layer(o)) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::residual, &TrainOptions::hidden),
         Hint{.purpose = "for example",
              .settings = {{option_field(&TrainOptions::hidden).name, "16,16"}}},
         "residual needs two consecutive hidden layers of equal size.");
  }
  // Checks how the options of splines go together, used or not: only tension depends on another
  // one.
  with_option(option_field(&SplineOptions::tension).name,
              [&] { make_spline_activation(o.spline); });
  for (const LossEntry& loss : builtin_losses().entries()) {  // checks their options, used or not
    loss.make({o.huber_delta, o.quantiles, 2});
  }
  if (!(o.input_low < o.input_high)) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::scale_inputs),
         "The low end of a scaling range must be below its high end.");
  }
  if (!(o.target_low < o.target_high)) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::scale_target),
         "The low end of a scaling range must be below its high end.");
  }
  check_penalty_schedule(o);
  check_constraints(o);
  if (!o.warm_path.empty() && !o.warm_path_q.empty() &&
      o.warm_path.size() != o.warm_path_q.size()) {
    fail(ErrorKind::bad_option, of_option(&TrainOptions::warm_path, &TrainOptions::warm_path_q),
         "warm-path has {} values but warm-path-q {}; they must have the same number of values.",
         o.warm_path.size(), o.warm_path_q.size());
  }
  const std::size_t stages = std::max(o.warm_path.size(), o.warm_path_q.size());
  if (stages > o.iterations) {
    fail(ErrorKind::bad_option,
         of_option(&TrainOptions::iterations,
                   o.warm_path.empty() ? &TrainOptions::warm_path_q : &TrainOptions::warm_path),
         "iterations is {}, but each of the {} values of the warm path needs at least one.",
         o.iterations, stages);
  }
  check_knots(o);
  check_optimizer(o);
}

const TrainOptionField& option_field(std::string_view name) {
  std::vector<std::string> names;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  fail(ErrorKind::bad_option, of_option(name), "{}", unknown_name_message("option", name, names));
}

const TrainOptionField& option_at(const TrainOptions& options, const void* place) {
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.place(options) == place) return field;
  }
  throw Error(ErrorKind::bad_option, "This member of TrainOptions is not a named option.");
}

const TrainOptionField& lambda_field(std::string_view regularizer) {
  for (const TrainOptionField& field : train_option_fields()) {
    if (!regularizer.empty() && field.regularizer == regularizer) return field;
  }
  fail(ErrorKind::bad_option, "The weight of the regularizer '{}' is not an option.", regularizer);
}

bool predicts_quantiles(const TrainOptions& options) {
  const LossTable& table = options.losses ? *options.losses : builtin_losses();
  const LossEntry* const entry = table.find(options.loss);
  return entry && entry->kind == LossKind::quantiles;
}

const char* compared_score(LossKind kind) {
  switch (kind) {
    case LossKind::number:
      return "NRMSE";
    case LossKind::quantiles:
      return "relative pinball loss";
    case LossKind::classes:
      return "log loss";
  }
  return "";
}

const char* compared_score(const TrainOptions& options, bool classes) {
  if (classes) return compared_score(LossKind::classes);
  return compared_score(predicts_quantiles(options) ? LossKind::quantiles : LossKind::number);
}

bool scored_alike(const TrainOptions& a, const TrainOptions& b) {
  if (!predicts_quantiles(a) && !predicts_quantiles(b)) return true;
  return a.loss == b.loss && a.quantiles == b.quantiles;
}

}  // namespace knotwork
