// SPDX-License-Identifier: MIT
// Everything that can be set about training, with its default, checked once.
//
// train_option_fields() is the one list of these options by name, from which the command line is
// made. (The ends of range scaling, the share of noisy control points and the tables of names are
// for programs only.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/api.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/loss.hpp>
#include <knotwork/names.hpp>
#include <knotwork/network.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/scaling.hpp>

namespace knotwork {

// How the weight of one penalty changes over the epochs: geometrically between two positive
// numbers, in equal steps if one of them is 0.
struct PenaltyCourse {
  std::string option;  // lambda-w, lambda-curvature, ...
  double first = 0;    // in the first epoch
  double last = 0;     // in the last one

  friend bool operator==(const PenaltyCourse&, const PenaltyCourse&) = default;
};

struct TrainOptions {
  // The network.
  std::vector<std::size_t> hidden = {20};
  std::string activation = "spline";
  // A name, "same" as the hidden layers, or "auto": a spline if those are splines, else identity.
  std::string output_activation = "auto";
  SplineOptions spline;
  Sharing sharing = Sharing::neuron;  // who has one set of an activation's trained numbers
  // Hidden layers of as many neurons as the hidden layer before them add what that one gives.
  bool residual = false;
  std::string start = "auto";  // of the weights: glorot, variance, auto (variance from 3 layers on)
  std::size_t input_splines = 0;  // units of its own for each input before the first layer
  std::size_t input_knots = 33;   // control points of each of them
  // Knots that follow the data (knots.hpp): ranges fitted at the start to the training rows (of
  // more than 16384 to so many of them at equal distances), and again after equal shares of the
  // iterations; the step halved likewise.
  FitRange fit_range = FitRange::none;
  std::size_t refit_range = 0;  // times
  std::size_t halve_step = 0;   // times
  std::size_t ensemble = 1;     // networks from different starts whose outputs are averaged

  // Scaling, fitted on the training rows.
  ScalingKind scale_inputs = ScalingKind::standard;
  ScalingKind scale_target = ScalingKind::standard;
  double input_low = -1, input_high = 1;        // for range scaling of inputs
  double target_low = -0.5, target_high = 0.5;  // and of targets

  // The objective.
  // A name, or "auto": squared for numbers, logistic for two classes and softmax for more.
  std::string loss = "auto";
  double huber_delta = 1;                             // of the loss huber, in scaled units
  std::vector<double> quantiles = {0.05, 0.5, 0.95};  // of the loss quantile
  // How much rows of a class count in training: "equal", "balanced" (classes of few rows count as
  // much as those of many), or "no=1,yes=5".
  std::string class_weights = "equal";
  double lambda_w = 1e-3;
  double lambda_q = 0;
  double lambda_slope = 0;
  double lambda_curvature = 3e-4;
  double lambda_bank = 1e-7;  // the same of input splines, which are sharper
  bool free_bias = false;
  // These and what follows up to warm_path need adam or adamw.
  double lambda_w1 = 0;     // of absolute weights: many become 0
  double lambda_kinks = 0;  // of absolute second differences of control points: straight knots
  std::vector<PenaltyCourse> penalty_schedule;
  // What the network may be, kept after every update.
  bool monotone = false;  // no learned curve falls (bases b-spline and linear)
  double max_slope = 0;   // of every spline, in absolute value; 0: no bound
  // Input columns in which predictions never fall, "-name" where they never rise; for two classes
  // that is the probability of the second.
  std::vector<std::string> monotone_in;
  // Values that lambda_w (lambda_q) takes one after the other, each stage started from the last;
  // iterations are shared equally. Given both, they go in step.
  std::vector<double> warm_path;
  std::vector<double> warm_path_q;

  // The optimizer.
  std::string optimizer = "lbfgs";
  std::size_t iterations = 1000;  // in total; epochs for adam, adamw and sgd
  std::size_t batch = 0;          // rows in a mini-batch; 0: all (adam, adamw and sgd only)
  double rate = 1e-3;
  double control_point_rate = 1;  // factor on the rate for trained activations
  RateSchedule schedule = RateSchedule::constant;
  double weight_decay = 0;  // adamw
  double dropout = 0;       // share of hidden outputs left out in each update (not cg, lbfgs)
  std::size_t lbfgs_memory = 10;

  // When to stop, besides the iterations. 0 means off.
  std::size_t max_evaluations = 0;
  double gradient_norm = 0;
  double relative_decrease = 0;
  double time_limit = 0;           // seconds
  double validation_fraction = 0;  // of the training rows
  std::size_t patience = 100;      // iterations without a better validation score
  bool refit = false;              // at the end once more on all rows, the test part among them
  // Moments of training whose activations the summary keeps: at most so many of each member, closer
  // together at the beginning. 0 means none.
  std::size_t snapshots = 0;

  std::optional<Precision> precision;  // none: float for mini-batches, double otherwise
  std::uint64_t seed = 0;
  std::size_t threads = 0;  // 0: all cores

  // Tables that names are looked up in, so that a program can use activations and losses of its
  // own; null means the built-in ones.
  std::shared_ptr<const ActivationTable> activations;
  std::shared_ptr<const LossTable> losses;
};

// The paper's experiment: one hidden layer of 5, splines everywhere, range scaling to [-1, 1] and
// [-0.5, 0.5], conjugate gradient of 1500 line searches, lambda_w = 0.01 and lambda_q = 1e-4.
KNOTWORK_API TrainOptions paper_options();

// The adaptive spline network as it was trained before the paper (L. Vecci, F. Piazza, A. Uncini,
// Neural Networks 11, 1998; S. Guarnieri, F. Piazza, A. Uncini, IEEE Trans. Neural Networks 10,
// 1999): sample by sample in a shuffled order, with rates of their own for weights and control
// points, and no penalty; few control points a large step apart keep the curves smooth instead.
KNOTWORK_API TrainOptions historical_options();

struct Preset {
  std::string name;
  std::string summary;
  TrainOptions (*options)();
};
KNOTWORK_API const NamedTable<Preset>& training_presets();

// Throws bad_option naming the option, its value and what is allowed.
KNOTWORK_API void check(const TrainOptions& options);

// Whether the loss is one of quantiles. The loss "auto" never is.
KNOTWORK_API bool predicts_quantiles(const TrainOptions& options);

// What Scores::to_compare() is after such a training, in words: "NRMSE", "log loss" of classes, or
// "relative pinball loss", which is in standard deviations of the target.
KNOTWORK_API const char* compared_score(const TrainOptions& options, bool classes);
KNOTWORK_API const char* compared_score(LossKind kind);
// Whether those scores may be compared: pinball losses only with others of the same levels.
KNOTWORK_API bool scored_alike(const TrainOptions& a, const TrainOptions& b);

// What an option is about.
enum class OptionGroup { network, objective, optimizer, stopping, run };
template <>
struct EnumNames<OptionGroup> {
  static constexpr EnumFamily family{"group of options"};
  static constexpr EnumName<OptionGroup> all[] = {
      {OptionGroup::network, "network"},
      {OptionGroup::objective, "objective"},
      {OptionGroup::optimizer, "optimizer"},
      {OptionGroup::stopping, "stopping"},
      {OptionGroup::run, "run"},
  };
};

// What depends on an option.
enum class OptionEffect {
  bits,         // the trained networks, and so their scores
  final_model,  // the model that is kept at the end, but no score
  clock,        // when the clock ends training, so that scores depend on the machine too
  time_only,    // how long training takes
  record_only,  // what is kept about the training, beside the networks
};
template <>
struct EnumNames<OptionEffect> {
  static constexpr EnumFamily family{"effect of an option"};
  static constexpr EnumName<OptionEffect> all[] = {
      {OptionEffect::bits, "bits"},
      {OptionEffect::final_model, "final_model"},
      {OptionEffect::clock, "clock"},
      {OptionEffect::time_only, "time_only"},
      {OptionEffect::record_only, "record_only"},
  };
};

// What chooses an option that train_automatically() finds open.
enum class ChosenBy { nobody, rule, cross_validation, input_splines };
template <>
struct EnumNames<ChosenBy> {
  static constexpr EnumFamily family{"way to choose an option"};
  static constexpr EnumName<ChosenBy> all[] = {
      {ChosenBy::nobody, "nobody"},
      {ChosenBy::rule, "rule"},
      {ChosenBy::cross_validation, "cross_validation"},
      {ChosenBy::input_splines, "input_splines"},
  };
};

struct TrainOptionField {
  std::string name;   // as on the command line, without the dashes
  std::string value;  // what stands for the value in help texts; empty for a switch
  std::string help;
  std::function<void(TrainOptions&, std::string_view)> set;  // throws bad_option
  std::function<std::string(const TrainOptions&)> get;
  // Why the option has no effect beside the others, as the end of a sentence; empty if it has.
  std::function<std::string(const TrainOptions&)> unused_because;
  // Throws bad_option for a value that is not allowed; part of check(TrainOptions).
  std::function<void(const TrainOptions&)> check;
  std::vector<std::string> values;  // all there are; empty: not a name of a fixed list

  OptionGroup group = OptionGroup::run;
  OptionEffect effect = OptionEffect::bits;
  bool describes_model = false;  // comes with the model that a training starts from
  bool carried_over = false;  // of the objective, and kept by a training that starts from a model
  // Given, it keeps train_automatically() from trying other kinds of networks.
  bool fixes_design = true;
  ChosenBy chosen_by = ChosenBy::nobody;
  bool needs_proximal_steps = false;  // other than its default, it needs such an optimizer

  // Of the weight of a regularizer: that one's name, and the weight; empty for other options.
  std::string regularizer;
  std::function<double(const TrainOptions&)> lambda;

  std::function<const void*(const TrainOptions&)> place;  // of its member

  bool is_about_time() const {
    return effect == OptionEffect::clock || effect == OptionEffect::time_only;
  }
};
KNOTWORK_API const std::vector<TrainOptionField>& train_option_fields();
// Throws bad_option with the closest name when there is none called so.
KNOTWORK_API const TrainOptionField& option_field(std::string_view name);
inline void set_option(TrainOptions& options, std::string_view name, std::string_view text) {
  option_field(name).set(options, text);
}

// That of a member, as in option_field(&TrainOptions::threads). Throws bad_option for a member that
// only programs can set.
KNOTWORK_API const TrainOptionField& option_at(const TrainOptions& options, const void* place);
template <class Value>
  requires(!std::is_same_v<Value, SplineOptions>)
const TrainOptionField& option_field(Value TrainOptions::*member) {
  const TrainOptions options;
  return option_at(options, &(options.*member));
}
template <class Value>
const TrainOptionField& option_field(Value SplineOptions::*member) {
  const TrainOptions options;
  return option_at(options, &(options.spline.*member));
}
// The option that is the weight of the regularizer of that name. Throws bad_option.
KNOTWORK_API const TrainOptionField& lambda_field(std::string_view regularizer);

}  // namespace knotwork
