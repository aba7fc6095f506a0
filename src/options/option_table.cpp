// SPDX-License-Identifier: MIT
// THE list of training options by name. An option is a member of TrainOptions and its row here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "activation/settings.hpp"
#include "options/option_row.hpp"

#include <knotwork/error.hpp>
#include <knotwork/model.hpp>
#include <knotwork/names.hpp>
#include <knotwork/options.hpp>

namespace knotwork {
namespace {

using Options = TrainOptions;
using Names = std::vector<std::string>;

constexpr std::size_t kMostNeurons = 1'000'000;
constexpr std::size_t kMostInputSplines = 1000;
constexpr std::size_t kMostKnotChanges = 1000;
constexpr std::size_t kMostMemory = 1000;
constexpr std::size_t kMostThreads = 1024;

std::string listed(const Names& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}
Names joined(Names first, const Names& others) {
  first.insert(first.end(), others.begin(), others.end());
  return first;
}
template <class Value>
Names written(std::initializer_list<Value> values) {
  Names names;
  for (const Value& value : values) names.push_back(write_option(value));
  return names;
}

const ActivationTable& activations_of(const Options& o) {
  return o.activations ? *o.activations : builtin_activations();
}

void check_hidden(const Options& o) {
  for (std::size_t neurons : o.hidden) {
    if (neurons > 0 && neurons <= kMostNeurons) continue;
    fail(ErrorKind::bad_option,
         "hidden lists a layer of {} neurons; every hidden layer needs from 1 to {}.", neurons,
         kMostNeurons);
  }
}
void check_output_activation(const Options& o) {
  if (o.output_activation == "auto" || o.output_activation == "same") return;
  activations_of(o).at(o.output_activation);
}
void check_scale_target(const Options& o) {
  if (o.scale_target != ScalingKind::quantile && o.scale_target != ScalingKind::uniform) return;
  fail(ErrorKind::bad_option, "scale-target must be range, standard or none, not '{}'.",
       to_string(o.scale_target));
}
void check_quantile_levels(const Options& o) {
  builtin_losses().at("quantile").make({o.huber_delta, o.quantiles, 2});
}
void check_basis(const Options& o) {
  spline_bases().at(o.spline.basis);
}
void check_init(const Options& o) {
  initial_functions().at(o.spline.init);
}
void check_loss(const Options& o) {
  if (o.loss != "auto") (o.losses ? *o.losses : builtin_losses()).at(o.loss);
}

// Makes rows of a group.
template <OptionGroup group>
constexpr auto row_of = [](std::string name, std::string value, std::string help, auto access) {
  using Value = std::remove_reference_t<decltype(access(std::declval<Options&>()))>;
  return OptionRow<Value>(group, std::move(name), std::move(value), std::move(help), access);
};
constexpr auto network = row_of<OptionGroup::network>;
constexpr auto objective = row_of<OptionGroup::objective>;
constexpr auto optimizer = row_of<OptionGroup::optimizer>;
constexpr auto stopping = row_of<OptionGroup::stopping>;
constexpr auto run = row_of<OptionGroup::run>;

#define MEMBER(m) [](Options& o) -> auto& { return o.m; }

std::vector<TrainOptionField> make_fields() {
  const Names activations = builtin_activations().names(), bases = spline_bases().names(),
              functions = initial_functions().names(), losses = builtin_losses().names(),
              optimizers = builtin_optimizers().names();
  return {
      network("hidden", "N,N,...", "neurons in each hidden layer; 0 for none", MEMBER(hidden))
          .of_model()
          .chosen(ChosenBy::rule)
          .checked(check_hidden),
      network("activation", "NAME", "activation of the hidden layers: " + listed(activations),
              MEMBER(activation))
          .of_model()
          .one_of(activations)
          .checked([](const Options& o) { activations_of(o).at(o.activation); }),
      network("output-activation", "NAME",
              "activation of the outputs: a name, same, or auto (a spline if the hidden layers are "
              "splines, otherwise identity)",
              MEMBER(output_activation))
          .of_model()
          .chosen(ChosenBy::rule)
          .one_of(joined({"auto", "same"}, activations))
          .checked(check_output_activation),
      network("knots", "N", "control points of each spline", MEMBER(spline.knots))
          .of_model()
          .unused(without_splines)
          .from_to(kMinKnots, kMaxKnots),
      network("range", "X", "splines have their knots from -X to X", MEMBER(spline.range))
          .of_model()
          .unused(without_splines)
          .above_zero(),
      network("basis", "NAME", "spline basis: " + listed(bases), MEMBER(spline.basis))
          .of_model()
          .one_of(bases)
          .unused(without_any_splines)
          .checked(check_basis),
      network("tension", "X", "tension of the basis 'cardinal': 0 (catmull-rom) to below 1",
              MEMBER(spline.tension))
          .of_model()
          .unused(without_tension)
          .share_below_one(),
      network("tails", "KIND", "splines outside their range: linear or constant",
              MEMBER(spline.tails))
          .of_model()
          .one_of(names<Tails>())
          .unused(without_any_splines),
      network("init", "NAME", "function that splines start from: " + listed(functions),
              MEMBER(spline.init))
          .of_model()
          .one_of(functions)
          .unused(without_splines)
          .checked(check_init),
      network("init-noise", "X", "standard deviation of the noise on 5 % of the control points",
              MEMBER(spline.init_noise))
          .of_model()
          .unused(without_splines)
          .at_least_zero(),
      network("share", "WHO",
              "what has its own set of control points, or of the trained numbers of another "
              "activation: neuron, layer, network",
              MEMBER(sharing))
          .of_model()
          .one_of(names<Sharing>())
          .unused(without_shared_activations),
      network("residual", "", "hidden layers add their inputs to their outputs where sizes allow",
              MEMBER(residual))
          .of_model(),
      network("start", "NAME",
              "start of the weights: glorot, variance (deep networks keep the spread of their "
              "signals), or auto (variance from 3 hidden layers on)",
              MEMBER(start))
          .of_model()
          .one_of({"auto", "glorot", "variance"})
          .only_these(),
      network("input-splines", "K",
              "number of splines that every input goes through before the first layer",
              MEMBER(input_splines))
          .of_model()
          .chosen(ChosenBy::input_splines)
          .from_to(0, kMostInputSplines),
      network("input-knots", "N", "control points of each input spline", MEMBER(input_knots))
          .of_model()
          .chosen(ChosenBy::input_splines)
          .unused(without_input_splines)
          .from_to(kMinKnots, kMaxKnots),
      network("fit-range", "KIND",
              "fit the knots of splines to the inputs of each neuron or of its layer: " +
                  listed(names<FitRange>()),
              MEMBER(fit_range))
          .one_of(names<FitRange>())
          .unused(without_splines),
      network("refit-range", "N", "number of times that ranges are fitted again during training",
              MEMBER(refit_range))
          .unused(without_splines)
          .at_most(kMostKnotChanges),
      network("halve-step", "N",
              "number of times that the step between knots is halved during training",
              MEMBER(halve_step))
          .unused(without_splines)
          .at_most(kMostKnotChanges),
      network("ensemble", "N", "networks from different starts whose outputs are averaged",
              MEMBER(ensemble))
          .of_model()
          .leaves_design_open()
          .chosen(ChosenBy::rule)
          .from_to(1, kMaxMembers),
      network("scale-inputs", "KIND", "scaling of inputs: " + listed(names<ScalingKind>()),
              MEMBER(scale_inputs))
          .of_model()
          .chosen(ChosenBy::cross_validation)
          .one_of(names<ScalingKind>()),
      network("scale-target", "KIND", "scaling of targets: range, standard, none",
              MEMBER(scale_target))
          .of_model()
          .leaves_design_open()
          .one_of(written({ScalingKind::standard, ScalingKind::range, ScalingKind::none}))
          .checked(check_scale_target),
      objective("loss", "NAME",
                "loss: auto (squared for numbers, cross-entropy for classes), " + listed(losses),
                MEMBER(loss))
          .carries_over()
          .leaves_design_open()
          .one_of(joined({"auto"}, losses))
          .checked(check_loss),
      objective("huber-delta", "X",
                "error at which the loss huber changes from squared to absolute error",
                MEMBER(huber_delta))
          .carries_over()
          .leaves_design_open()
          .unused(without_loss("huber"))
          .above_zero(),
      objective("quantiles", "X,X,...", "levels of the loss quantile", MEMBER(quantiles))
          .carries_over()
          .leaves_design_open()
          .unused(without_quantiles)
          .checked(check_quantile_levels),
      objective("class-weights", "LABEL=W,...",
                "equal, balanced, or label=weight,...: how much classes count",
                MEMBER(class_weights))
          .carries_over()
          .leaves_design_open(),
      objective("lambda-w", "X", "weight of the squared weights", MEMBER(lambda_w))
          .carries_over()
          .chosen(ChosenBy::cross_validation)
          .unused(with_path)
          .lambda_of("weights"),
      objective("lambda-q", "X",
                "weight of the damping of control points and other trained activations",
                MEMBER(lambda_q))
          .carries_over()
          .unused(with_path_q)
          .lambda_of("damping"),
      objective("lambda-slope", "X", "weight of the splines' squared slope", MEMBER(lambda_slope))
          .carries_over()
          .unused(without_any_splines)
          .lambda_of("slope"),
      objective("lambda-curvature", "X", "weight of the splines' squared second derivative",
                MEMBER(lambda_curvature))
          .carries_over()
          .chosen(ChosenBy::cross_validation)
          .unused(without_splines)
          .lambda_of("curvature"),
      objective("lambda-bank", "X", "weight of the squared second derivative of input splines",
                MEMBER(lambda_bank))
          .carries_over()
          .chosen(ChosenBy::input_splines)
          .unused(without_input_splines)
          .lambda_of("bank-curvature"),
      objective("free-bias", "", "do not penalize biases", MEMBER(free_bias))
          .carries_over()
          .leaves_design_open()
          .chosen(ChosenBy::rule),
      objective("lambda-w1", "X",
                "weight of the absolute weights, which sets some to 0 (adam, adamw)",
                MEMBER(lambda_w1))
          .carries_over()
          .after_updates()
          .lambda_of("absolute-weights"),
      objective("lambda-kinks", "X",
                "weight of the control points' absolute second differences, which makes knots "
                "straight (adam, adamw)",
                MEMBER(lambda_kinks))
          .carries_over()
          .after_updates()
          .unused(without_any_splines)
          .lambda_of("kinks"),
      objective("penalty-schedule", "NAME=A..B,...",
                "penalties that change over the epochs, like lambda-w=0.1..0.001 (adam, adamw)",
                MEMBER(penalty_schedule))
          .after_updates()
          .unused(without_what_is_scheduled),
      objective("monotone", "", "no learned curve falls: bases b-spline and linear (adam, adamw)",
                MEMBER(monotone))
          .carries_over()
          .after_updates()
          .unused(without_curves_to_order),
      objective("max-slope", "X", "no spline is steeper than X; 0 for no bound (adam, adamw)",
                MEMBER(max_slope))
          .carries_over()
          .after_updates()
          .unused(without_any_splines)
          .at_least_zero(),
      objective("monotone-in", "COL,-COL,...",
                "columns in which predictions never fall or, after a -, never rise (adam, adamw)",
                MEMBER(monotone_in))
          .carries_over()
          .after_updates(),
      objective("warm-path", "X,X,...",
                "values that lambda-w takes one after the other during training", MEMBER(warm_path))
          .at_least_zero(),
      objective("warm-path-q", "X,X,...",
                "values that lambda-q takes one after the other during training",
                MEMBER(warm_path_q))
          .unused(without_trained_activations)
          .at_least_zero(),
      optimizer("optimizer", "NAME", "optimizer: " + listed(optimizers), MEMBER(optimizer))
          .chosen(ChosenBy::rule)
          .one_of(optimizers)
          .checked([](const Options& o) { builtin_optimizers().at(o.optimizer); }),
      optimizer("iterations", "N",
                "line searches (cg, lbfgs) or epochs (adam, adamw, sgd), shared along a warm path",
                MEMBER(iterations))
          .chosen(ChosenBy::rule),
      optimizer("batch", "N", "rows in a mini-batch of adam, adamw and sgd; 0 for all",
                MEMBER(batch))
          .chosen(ChosenBy::rule),
      optimizer("rate", "X", "learning rate of adam, adamw and sgd", MEMBER(rate))
          .chosen(ChosenBy::rule)
          .unused(without_rate)
          .above_zero(),
      optimizer("control-point-rate", "X", "factor on the rate for trained activations",
                MEMBER(control_point_rate))
          .chosen(ChosenBy::input_splines)
          .unused(without_rate)
          .above_zero(),
      optimizer("schedule", "NAME", "course of the rate: constant, cosine, one-cycle",
                MEMBER(schedule))
          .chosen(ChosenBy::rule)
          .one_of(names<RateSchedule>()),
      optimizer("weight-decay", "X", "decoupled weight decay of adamw", MEMBER(weight_decay))
          .at_least_zero(),
      optimizer("dropout", "X",
                "share of hidden outputs that each update leaves out (adam, adamw, sgd)",
                MEMBER(dropout))
          .chosen(ChosenBy::input_splines)
          .unused(without_hidden)
          .share_below_one(),
      optimizer("lbfgs-memory", "N", "steps that lbfgs remembers", MEMBER(lbfgs_memory))
          .unused(without_memory)
          .from_to(1, kMostMemory),
      stopping("max-evaluations", "N", "stop after this number of evaluations; 0 for no limit",
               MEMBER(max_evaluations)),
      stopping("gradient-norm", "X", "stop when the norm of the gradient is below this",
               MEMBER(gradient_norm))
          .leaves_design_open()
          .at_least_zero(),
      stopping("relative-decrease", "X",
               "stop when an iteration lowers the objective by a smaller share than this",
               MEMBER(relative_decrease))
          .at_least_zero(),
      stopping("time-limit", "S", "stop after this number of seconds; 0 for no limit",
               MEMBER(time_limit))
          .with_effect(OptionEffect::clock)
          .at_least_zero(),
      stopping("validation-fraction", "X", "share of the training rows held out for early stopping",
               MEMBER(validation_fraction))
          .leaves_design_open()
          .share_below_one(),
      stopping("patience", "N", "iterations without a better validation score before stopping",
               MEMBER(patience))
          .leaves_design_open()
          .unused(without_validation)
          .must_be([](std::size_t x) { return x > 0 ? "" : "at least 1"; }),
      run("refit", "", "train the final model on all rows; the scores are from before the refit",
          MEMBER(refit))
          .with_effect(OptionEffect::final_model),
      run("snapshots", "N",
          "number of moments of training at which activations are stored for the report",
          MEMBER(snapshots))
          .with_effect(OptionEffect::record_only)
          .at_most(kMaxSnapshots),
      run("private", "", "leave names, ranges and remarks of the table out of the model",
          MEMBER(private_model))
          .with_effect(OptionEffect::record_only),
      network("precision", "KIND", "arithmetic: float, double, or auto (float for mini-batches)",
              MEMBER(precision))
          .of_model()
          .leaves_design_open()
          .one_of(written<std::optional<Precision>>(
              {std::nullopt, Precision::float32, Precision::float64})),
      run("seed", "N", "seed of everything random", MEMBER(seed)).leaves_design_open(),
      run("threads", "N", "threads; 0 for all cores; the result does not depend on it",
          MEMBER(threads))
          .with_effect(OptionEffect::time_only)
          .at_most(kMostThreads),
  };
}

#undef MEMBER

}  // namespace

const std::vector<TrainOptionField>& train_option_fields() {
  static const std::vector<TrainOptionField> fields = make_fields();
  return fields;
}

}  // namespace knotwork
