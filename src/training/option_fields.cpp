// SPDX-License-Identifier: MIT
// THE list of training options by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "training/option_values.hpp"

#include <knotwork/error.hpp>
#include <knotwork/named_table.hpp>
#include <knotwork/options.hpp>

namespace knotwork {
namespace {

using Options = TrainOptions;

using Unused = std::function<std::string(const Options&)>;

std::string never(const Options&) {
  return "";
}

// Does a hidden layer, or else the output layer, have an activation that is so?
template <class IsSo>
bool any_layer(const Options& o, const IsSo& is_so) {
  if (!o.hidden.empty() && is_so(o.activation)) return true;
  if (o.output_activation == "same") return is_so(o.activation);
  if (o.output_activation != "auto") return is_so(o.output_activation);
  return is_so(o.activation == "spline" ? "spline" : "identity");
}

// Reasons why an option has no effect.
std::string without_splines(const Options& o) {
  const auto is_spline = [](const std::string& name) { return name == "spline"; };
  return any_layer(o, is_spline) ? "" : "no layer has splines";
}
// Of the options that concern input splines too.
std::string without_any_splines(const Options& o) {
  return o.input_splines > 0 ? "" : without_splines(o);
}
bool is_trained(const Options& o, const std::string& activation) {
  const ActivationTable& table = o.activations ? *o.activations : builtin_activations();
  const ActivationEntry* entry = table.find(activation);
  if (!entry) return false;
  const auto tensors = entry->make({})->tensors();
  return std::any_of(tensors.begin(), tensors.end(), [](const auto& t) { return t.anchors >= 0; });
}
std::string without_shared_activations(const Options& o) {
  const auto is_shared = [&](const std::string& name) {
    return name == o.activation && is_trained(o, name);
  };
  return any_layer(o, is_shared) ? "" : "no hidden layer has splines or other trained activations";
}
std::string without_trained_activations(const Options& o) {
  if (o.input_splines > 0) return "";
  const auto is_damped = [&](const std::string& name) { return is_trained(o, name); };
  return any_layer(o, is_damped) ? "" : "no layer has splines or other trained activations";
}
std::string without_tension(const Options& o) {
  const SplineBasis* basis = spline_bases().find(o.spline.basis);
  if (basis && !basis->with_tension) return "only the basis 'cardinal' has a tension";
  return without_any_splines(o);
}
std::string without_rate(const Options& o) {
  const bool has_one = o.optimizer.starts_with("adam") || o.optimizer == "sgd";
  return has_one ? "" : "only adam, adamw and sgd have a rate";
}
std::string without_lbfgs(const Options& o) {
  return o.optimizer == "lbfgs" ? "" : "only lbfgs has a memory";
}
std::string without_validation(const Options& o) {
  return o.validation_fraction > 0 ? "" : "there is no validation part (validation-fraction)";
}
// Of the weight of a penalty: unless a schedule gives it, the other reason counts.
Unused unless_scheduled(std::string option, Unused otherwise) {
  return [option = std::move(option), otherwise = std::move(otherwise)](const Options& o) {
    for (const PenaltyCourse& course : o.penalty_schedule) {
      if (course.option == option) return std::string("penalty-schedule gives its values");
    }
    return otherwise(o);
  };
}
std::string with_path(const Options& o) {
  return o.warm_path.empty() ? "" : "warm-path gives its values";
}
std::string with_path_q(const Options& o) {
  return o.warm_path_q.empty() ? without_trained_activations(o) : "warm-path-q gives its values";
}
std::string without_input_splines(const Options& o) {
  return o.input_splines > 0 ? "" : "there are no input splines (input-splines)";
}
std::string without_what_is_scheduled(const Options& o) {
  const auto reason_of = [&](const std::string& option) -> std::string {
    if (option == "lambda-w" || option == "lambda-w1") return "";
    if (option == "lambda-q") return without_trained_activations(o);
    if (option == "lambda-kinks") return without_any_splines(o);
    return option == "lambda-bank" ? without_input_splines(o) : without_splines(o);
  };
  for (const PenaltyCourse& course : o.penalty_schedule) {
    const std::string reason = reason_of(course.option);
    if (!reason.empty()) return fmt::format("it changes {}, but {}", course.option, reason);
  }
  return "";
}
std::string without_curves_to_order(const Options& o) {
  return o.monotone_in.empty() ? without_any_splines(o) : "monotone-in implies it";
}

std::string without_hidden(const Options& o) {
  return o.hidden.empty() ? "there is no hidden layer" : "";
}

std::string without_huber(const Options& o) {
  return o.loss == "huber" ? "" : "the loss is not huber";
}
std::string without_quantile(const Options& o) {
  return o.loss == "quantile" ? "" : "the loss is not quantile";
}

// A field for a member, read and written by the functions for its type in option_values.hpp.
template <class Access>
TrainOptionField field(std::string name, std::string value, std::string help, Access access,
                       Unused unused = never) {
  return {name,
          std::move(value),
          std::move(help),
          [name, access](Options& options, std::string_view text) {
            read_option(name, text, access(options));
          },
          [access](const Options& options) {
            Options copy = options;
            return write_option(access(copy));
          },
          unused};
}

std::string one_of(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<TrainOptionField> make_fields() {
#define MEMBER(m) [](Options& o) -> auto& { return o.m; }
  return {
      field("hidden", "N,N,...", "neurons in each hidden layer; 0 for none", MEMBER(hidden)),
      field("activation", "NAME",
            "activation of the hidden layers: " + one_of(builtin_activations().names()),
            MEMBER(activation)),
      field("output-activation", "NAME",
            "activation of the outputs: a name, same, or auto (a spline if the hidden layers are "
            "splines, otherwise identity)",
            MEMBER(output_activation)),
      field("knots", "N", "control points of each spline", MEMBER(spline.knots), without_splines),
      field("range", "X", "splines have their knots from -X to X", MEMBER(spline.range),
            without_splines),
      field("basis", "NAME", "spline basis: " + one_of(spline_bases().names()),
            MEMBER(spline.basis), without_any_splines),
      field("tension", "X", "tension of the basis 'cardinal': 0 (catmull-rom) to below 1",
            MEMBER(spline.tension), without_tension),
      field("tails", "KIND", "splines outside their range: linear or constant",
            MEMBER(spline.tails), without_any_splines),
      field("init", "NAME",
            "function that splines start from: " + one_of(initial_functions().names()),
            MEMBER(spline.init), without_splines),
      field("init-noise", "X", "standard deviation of the noise on 5 % of the control points",
            MEMBER(spline.init_noise), without_splines),
      field("share", "WHO",
            "who has one set of control points, or of the numbers of another trained activation: "
            "neuron, layer, network",
            MEMBER(sharing), without_shared_activations),
      field("residual", "", "hidden layers add their inputs to their outputs where sizes allow",
            MEMBER(residual)),
      field("start", "NAME",
            "start of the weights: glorot, variance (deep networks keep the spread of their "
            "signals), or auto (variance from 3 hidden layers on)",
            MEMBER(start)),
      field("input-splines", "K", "splines of its own that every input goes through first",
            MEMBER(input_splines)),
      field("input-knots", "N", "control points of each input spline", MEMBER(input_knots),
            without_input_splines),
      field("fit-range", "KIND",
            "splines have their knots where inputs fall, those of each neuron or of its layer: " +
                one_of(fit_range_names()),
            MEMBER(fit_range), without_splines),
      field("refit-range", "N", "fit ranges again so many times during training",
            MEMBER(refit_range), without_splines),
      field("halve-step", "N", "halve the step between knots so many times during training",
            MEMBER(halve_step), without_splines),
      field("ensemble", "N", "networks from different starts whose outputs are averaged",
            MEMBER(ensemble)),
      field("scale-inputs", "KIND", "scaling of inputs: " + one_of(scaling_names()),
            MEMBER(scale_inputs)),
      field("scale-target", "KIND", "scaling of targets: range, standard, none",
            MEMBER(scale_target)),
      field("loss", "NAME",
            "loss: auto (squared for numbers, cross-entropy for classes), " +
                one_of(builtin_losses().names()),
            MEMBER(loss)),
      field("huber-delta", "X", "where the loss huber goes over from squared to absolute error",
            MEMBER(huber_delta), without_huber),
      field("quantiles", "X,X,...", "levels of the loss quantile", MEMBER(quantiles),
            without_quantile),
      field("class-weights", "W", "equal, balanced, or label=weight,...: how much classes count",
            MEMBER(class_weights)),
      field("lambda-w", "X", "weight of the squared weights", MEMBER(lambda_w),
            unless_scheduled("lambda-w", with_path)),
      field("lambda-q", "X",
            "weight of the damping of control points and other trained activations",
            MEMBER(lambda_q), unless_scheduled("lambda-q", with_path_q)),
      field("lambda-slope", "X", "weight of the splines' squared slope", MEMBER(lambda_slope),
            unless_scheduled("lambda-slope", without_splines)),
      field("lambda-curvature", "X", "weight of the splines' squared second derivative",
            MEMBER(lambda_curvature), unless_scheduled("lambda-curvature", without_splines)),
      field("lambda-bank", "X", "weight of the squared second derivative of input splines",
            MEMBER(lambda_bank), unless_scheduled("lambda-bank", without_input_splines)),
      field("free-bias", "", "do not penalise biases", MEMBER(free_bias)),
      field("lambda-w1", "X", "weight of the absolute weights, which sets some to 0 (adam, adamw)",
            MEMBER(lambda_w1), unless_scheduled("lambda-w1", never)),
      field("lambda-kinks", "X",
            "weight of the control points' absolute second differences, which makes knots straight "
            "(adam, adamw)",
            MEMBER(lambda_kinks), unless_scheduled("lambda-kinks", without_any_splines)),
      field("penalty-schedule", "NAME=A..B,...",
            "penalties that change over the epochs, like lambda-w=0.1..0.001 (adam, adamw)",
            MEMBER(penalty_schedule), without_what_is_scheduled),
      field("monotone", "", "no learned curve falls: bases b-spline and linear (adam, adamw)",
            MEMBER(monotone), without_curves_to_order),
      field("max-slope", "X", "no spline is steeper than X; 0 for no bound (adam, adamw)",
            MEMBER(max_slope), without_any_splines),
      field("monotone-in", "COL,-COL,...",
            "columns in which predictions never fall, with a - never rise (adam, adamw)",
            MEMBER(monotone_in)),
      field("warm-path", "X,X,...", "values of lambda-w, each started from the last",
            MEMBER(warm_path)),
      field("warm-path-q", "X,X,...", "values of lambda-q, likewise", MEMBER(warm_path_q),
            without_trained_activations),
      field("optimizer", "NAME", "optimizer: " + one_of(builtin_optimizers().names()),
            MEMBER(optimizer)),
      field("iterations", "N",
            "line searches (cg, lbfgs) or epochs (adam, adamw, sgd), shared along a warm path",
            MEMBER(iterations)),
      field("batch", "N", "rows in a mini-batch of adam, adamw and sgd; 0 for all", MEMBER(batch)),
      field("rate", "X", "learning rate of adam, adamw and sgd", MEMBER(rate), without_rate),
      field("control-point-rate", "X", "factor on the rate for trained activations",
            MEMBER(control_point_rate), without_rate),
      field("schedule", "NAME", "course of the rate: constant, cosine, one-cycle",
            MEMBER(schedule)),
      field("weight-decay", "X", "decoupled weight decay of adamw", MEMBER(weight_decay)),
      field("dropout", "X",
            "share of hidden outputs that each update leaves out (adam, adamw, sgd)",
            MEMBER(dropout), without_hidden),
      field("lbfgs-memory", "N", "steps that lbfgs remembers", MEMBER(lbfgs_memory), without_lbfgs),
      field("max-evaluations", "N", "stop after so many evaluations; 0 for no limit",
            MEMBER(max_evaluations)),
      field("gradient-norm", "X", "stop when the gradient is shorter than this",
            MEMBER(gradient_norm)),
      field("relative-decrease", "X", "stop when an iteration gains a smaller share than this",
            MEMBER(relative_decrease)),
      field("time-limit", "S", "stop after so many seconds; 0 for no limit", MEMBER(time_limit)),
      field("validation-fraction", "X", "share of the training rows held out for early stopping",
            MEMBER(validation_fraction)),
      field("patience", "N", "iterations without a better validation score before stopping",
            MEMBER(patience), without_validation),
      field("refit", "", "train the final model on all rows; the scores are those before",
            MEMBER(refit)),
      field("snapshots", "N",
            "keep the activations at up to so many moments of training, for the report",
            MEMBER(snapshots)),
      field("precision", "KIND", "arithmetic: float, double, or auto (float for mini-batches)",
            MEMBER(precision)),
      field("seed", "N", "seed of everything random", MEMBER(seed)),
      field("threads", "N", "threads; 0 for all cores; the result does not depend on it",
            MEMBER(threads)),
  };
#undef MEMBER
}

}  // namespace

const std::vector<TrainOptionField>& train_option_fields() {
  static const std::vector<TrainOptionField> fields = make_fields();
  return fields;
}

const TrainOptionField& option_field(std::string_view name) {
  std::vector<std::string> names;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  throw Error(ErrorKind::bad_option, unknown_name_message("option", name, names));
}

}  // namespace knotwork
