// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "activation/knot_limits.hpp"
#include "base/fail.hpp"
#include "training/constraints.hpp"
#include "training/penalties.hpp"

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork {

namespace {

void at_least_zero(std::string_view name, double value) {
  if (!(value >= 0) || !std::isfinite(value)) {
    fail(ErrorKind::bad_option, "{} must be a number of at least 0, not {}.", name, value);
  }
}

void more_than_zero(std::string_view name, double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    fail(ErrorKind::bad_option, "{} must be a number above 0, not {}.", name, value);
  }
}

bool has_residual_layer(const TrainOptions& o) {
  return std::adjacent_find(o.hidden.begin(), o.hidden.end()) != o.hidden.end();
}

// Changes of the knots.
void check_knots(const TrainOptions& o) {
  constexpr std::size_t kMostTimes = 1000;
  if (o.refit_range > 0 && o.fit_range == FitRange::none) {
    fail(
        ErrorKind::bad_option,
        "refit-range is {}, but fit-range is none; ranges are fitted again to what fit-range says, "
        "neuron or layer.",
        o.refit_range);
  }
  for (const auto& [name, times] :
       {std::pair{"refit-range", o.refit_range}, std::pair{"halve-step", o.halve_step}}) {
    if (times > kMostTimes) {
      fail(ErrorKind::bad_option, "{} must be at most {}, not {}.", name, kMostTimes, times);
    }
    if (times > 0 && times >= o.iterations) {
      fail(ErrorKind::bad_option,
           "iterations is {}, but with {} {} there are {} parts that need at least one each.",
           o.iterations, name, times, times + 1);
    }
  }
  std::size_t knots = o.spline.knots;
  for (std::size_t k = 0; k < o.halve_step; ++k) {
    knots = 2 * knots - 3;
    if (knots <= kMaxKnots) continue;
    fail(ErrorKind::bad_option,
         "halve-step is {}, but {} control points become more than {} after {}; at most {} can be "
         "had.",
         o.halve_step, o.spline.knots, kMaxKnots, k + 1, k);
  }
}

}  // namespace

void check(const TrainOptions& o) {
  constexpr std::size_t kMostNeurons = 1'000'000;
  for (std::size_t neurons : o.hidden) {
    if (neurons == 0 || neurons > kMostNeurons) {
      fail(ErrorKind::bad_option,
           "hidden lists a layer of {} neurons; every hidden layer needs from 1 to {}.", neurons,
           kMostNeurons);
    }
  }
  const ActivationTable& activations = o.activations ? *o.activations : builtin_activations();
  activations.at(o.activation);
  if (o.output_activation != "auto" && o.output_activation != "same") {
    activations.at(o.output_activation);
  }
  if (o.start != "auto" && o.start != "glorot" && o.start != "variance") {
    throw Error(ErrorKind::bad_option,
                unknown_name_message("start", o.start, {"auto", "glorot", "variance"}));
  }
  if (o.residual && !has_residual_layer(o)) {
    fail(ErrorKind::bad_option,
         "residual needs a hidden layer of as many neurons as the hidden layer before it, as in "
         "--hidden 16,16.");
  }
  if (o.input_splines > 1000) {
    fail(ErrorKind::bad_option, "input-splines must be from 0 to 1000, not {}.", o.input_splines);
  }
  if (o.input_knots < kMinKnots || o.input_knots > kMaxKnots) {
    fail(ErrorKind::bad_option, "input-knots must be from {} to {}, not {}.", kMinKnots, kMaxKnots,
         o.input_knots);
  }
  make_spline_activation(o.spline);  // checks the options of splines, used or not
  if (o.loss != "auto") (o.losses ? *o.losses : builtin_losses()).at(o.loss);
  for (const char* own : {"huber", "quantile"}) {  // checks their options, used or not
    builtin_losses().at(own).make({o.huber_delta, o.quantiles, 0});
  }
  builtin_optimizers().at(o.optimizer);

  if (o.scale_target == ScalingKind::quantile || o.scale_target == ScalingKind::uniform) {
    fail(ErrorKind::bad_option, "scale-target must be range, standard or none, not '{}'.",
         to_string(o.scale_target));
  }
  if (!(o.input_low < o.input_high) || !(o.target_low < o.target_high)) {
    fail(ErrorKind::bad_option, "A range to scale to must have its low end below its high end.");
  }
  at_least_zero("lambda-w", o.lambda_w);
  at_least_zero("lambda-q", o.lambda_q);
  at_least_zero("lambda-slope", o.lambda_slope);
  at_least_zero("lambda-curvature", o.lambda_curvature);
  at_least_zero("lambda-bank", o.lambda_bank);
  at_least_zero("lambda-w1", o.lambda_w1);
  at_least_zero("lambda-kinks", o.lambda_kinks);
  check_penalty_schedule(o);
  check_constraints(o);
  for (double lambda : o.warm_path) at_least_zero("warm-path", lambda);
  for (double lambda : o.warm_path_q) at_least_zero("warm-path-q", lambda);
  if (!o.warm_path.empty() && !o.warm_path_q.empty() &&
      o.warm_path.size() != o.warm_path_q.size()) {
    fail(ErrorKind::bad_option,
         "warm-path has {} values and warm-path-q {}; given both, they must have equally many.",
         o.warm_path.size(), o.warm_path_q.size());
  }

  const std::size_t stages = std::max(o.warm_path.size(), o.warm_path_q.size());
  if (stages > o.iterations) {
    fail(ErrorKind::bad_option,
         "iterations is {}, but the {} values of the warm path need at least one each.",
         o.iterations, stages);
  }
  check_knots(o);

  const bool by_batches = o.optimizer.starts_with("adam") || o.optimizer == "sgd";
  if (o.batch != 0 && !by_batches) {
    fail(ErrorKind::bad_option,
         "batch is {} but '{}' needs all rows at once, a batch of 0; mini-batches are for adam, "
         "adamw and sgd.",
         o.batch, o.optimizer);
  }
  if (o.weight_decay != 0 && o.optimizer != "adamw") {
    fail(ErrorKind::bad_option, "weight-decay is {} but only adamw uses it, not '{}'.",
         o.weight_decay, o.optimizer);
  }
  if (o.schedule != RateSchedule::constant && !by_batches) {
    fail(ErrorKind::bad_option, "A schedule of the rate is for adam, adamw and sgd, not '{}'.",
         o.optimizer);
  }
  if (!(o.dropout >= 0 && o.dropout < 1)) {
    fail(ErrorKind::bad_option, "dropout must be at least 0 and below 1, not {}.", o.dropout);
  }
  if (o.dropout > 0 && !by_batches) {
    fail(ErrorKind::bad_option,
         "dropout is {}, but '{}' needs the same function at every step; use optimizer adam, adamw "
         "or sgd.",
         o.dropout, o.optimizer);
  }
  more_than_zero("rate", o.rate);
  more_than_zero("control-point-rate", o.control_point_rate);
  at_least_zero("weight-decay", o.weight_decay);
  if (o.lbfgs_memory < 1 || o.lbfgs_memory > 1000) {
    fail(ErrorKind::bad_option, "lbfgs-memory must be from 1 to 1000, not {}.", o.lbfgs_memory);
  }
  at_least_zero("gradient-norm", o.gradient_norm);
  at_least_zero("relative-decrease", o.relative_decrease);
  at_least_zero("time-limit", o.time_limit);
  if (!(o.validation_fraction >= 0 && o.validation_fraction < 1)) {
    fail(ErrorKind::bad_option, "validation-fraction must be at least 0 and below 1, not {}.",
         o.validation_fraction);
  }
  if (o.ensemble == 0 || o.ensemble > kMaxMembers) {
    fail(ErrorKind::bad_option, "ensemble must be from 1 to {}, not {}.", kMaxMembers, o.ensemble);
  }
  if (o.snapshots > kMaxSnapshots) {
    fail(ErrorKind::bad_option, "snapshots must be at most {}, not {}.", kMaxSnapshots,
         o.snapshots);
  }
  if (o.patience == 0) fail(ErrorKind::bad_option, "patience must be at least 1, not 0.");
  if (o.threads > 1024) {
    fail(ErrorKind::bad_option, "threads must be at most 1024, not {}.", o.threads);
  }
}

const char* compared_score(const TrainOptions& options, bool classes) {
  if (classes) return "log loss";
  return options.loss == "quantile" ? "relative pinball loss" : "NRMSE";
}

bool scored_alike(const TrainOptions& a, const TrainOptions& b) {
  if (a.loss != "quantile" && b.loss != "quantile") return true;
  return a.loss == b.loss && a.quantiles == b.quantiles;
}

}  // namespace knotwork
