// SPDX-License-Identifier: MIT
// TrainOptions contains all options of training with their defaults; check() validates them once.
//
// train_option_fields() is the only list of these options by name; the command line is made from
// it.
// (The ends of range scaling, the share of noisy control points and the tables of names can be set
// by programs only.)
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

// How the weight of a penalty changes over the epochs: geometrically if both ends are positive, in
// equal steps if one of them is 0.
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
  // A name, "same" for the activation of the hidden layers, or "auto": spline if the hidden layers
  // use splines, else identity.
  std::string output_activation = "auto";
  SplineOptions spline;
  Sharing sharing = Sharing::neuron;  // which neurons share one set of trained numbers
  // A hidden layer with as many neurons as the hidden layer before it adds the outputs of that
  // layer to its own outputs.
  bool residual = false;
  std::string start = "auto";  // of the weights: glorot, variance, auto (variance from 3 layers on)
  std::size_t input_splines = 0;  // units for each input before the first layer
  std::size_t input_knots = 33;   // control points of each unit
  // Knots that follow the data (knots.hpp). Ranges are fitted at the start to the training rows (at
  // most 16384 of them, at equal distances), and refit_range times more after equal shares of the
  // iterations. The step is halved halve_step times, also after equal shares.
  FitRange fit_range = FitRange::none;
  std::size_t refit_range = 0;
  std::size_t halve_step = 0;
  std::size_t ensemble = 1;  // networks from different starts whose outputs are averaged

  // Scaling, fitted on the training rows.
  ScalingKind scale_inputs = ScalingKind::standard;
  ScalingKind scale_target = ScalingKind::standard;
  double input_low = -1, input_high = 1;        // for range scaling of inputs
  double target_low = -0.5, target_high = 0.5;  // and of targets

  // The objective.
  // A name, or "auto": squared for numbers, logistic for two classes and softmax for more.
  std::string loss = "auto";
  double huber_delta = 1;                             // for the loss huber, in scaled units
  std::vector<double> quantiles = {0.05, 0.5, 0.95};  // for the loss quantile
  // The weight of each class in training: "equal", "balanced" (all classes get the same total
  // weight), or "no=1,yes=5".
  std::string class_weights = "equal";
  double lambda_w = 1e-3;
  double lambda_q = 0;
  double lambda_slope = 0;
  double lambda_curvature = 3e-4;
  double lambda_bank = 1e-7;  // the same for input splines, which are sharper
  bool free_bias = false;
  // The options from here to warm_path need adam or adamw.
  double lambda_w1 = 0;     // for absolute weights: many become 0
  double lambda_kinks = 0;  // for absolute second differences of control points: straight knots
  std::vector<PenaltyCourse> penalty_schedule;
  // Constraints on the network, kept after every update.
  bool monotone = false;  // no learned curve decreases (bases b-spline and linear)
  double max_slope = 0;   // largest absolute slope of every spline; 0: no bound
  // Input columns in which predictions never decrease, or with "-name" never increase. For two
  // classes this holds for the probability of the second.
  std::vector<std::string> monotone_in;
  // Values that lambda_w (warm_path) and lambda_q (warm_path_q) take one after the other. Each
  // stage starts from the result of the stage before it, and iterations are shared equally. If both
  // paths are given, they advance together.
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
  double dropout = 0;       // share of hidden outputs dropped in each update (not cg, lbfgs)
  std::size_t lbfgs_memory = 10;

  // When to stop, in addition to the iterations. 0 means off.
  std::size_t max_evaluations = 0;
  double gradient_norm = 0;
  double relative_decrease = 0;
  double time_limit = 0;           // seconds
  double validation_fraction = 0;  // of the training rows
  std::size_t patience = 100;      // iterations without a better validation score
  bool refit = false;              // train once more at the end on all rows, even the test part
  // The summary stores the activations of each member at up to this many iterations, closer
  // together at the beginning of the training. 0 means none.
  std::size_t snapshots = 0;
  // The files and exports of the model leave out what only describes the training table: its name,
  // the hash of its rows, the ranges of its columns and the remarks (docs/privacy.md).
  bool private_model = false;

  std::optional<Precision> precision;  // empty: float for mini-batches, double otherwise
  std::uint64_t seed = 0;
  std::size_t threads = 0;  // 0: all cores

  // Tables in which names are looked up, so that a program can use its own activations and losses;
  // null means the built-in tables.
  std::shared_ptr<const ActivationTable> activations;
  std::shared_ptr<const LossTable> losses;
};

// The paper's experiment: one hidden layer of 5, splines everywhere, range scaling to [-1, 1] and
// [-0.5, 0.5], conjugate gradient of 1500 line searches, lambda_w = 0.01 and lambda_q = 1e-4.
KNOTWORK_API TrainOptions paper_options();

// The adaptive spline network as it was trained before the paper (L. Vecci, F. Piazza, A. Uncini,
// Neural Networks 11, 1998; S. Guarnieri, F. Piazza, A. Uncini, IEEE Trans. Neural Networks 10,
// 1999): sample by sample in a shuffled order, with separate rates for weights and control points,
// and no penalty; instead, few control points with a large step keep the curves smooth.
KNOTWORK_API TrainOptions historical_options();

struct Preset {
  std::string name;
  std::string summary;
  TrainOptions (*options)();
};
KNOTWORK_API const NamedTable<Preset>& training_presets();

// Throws bad_option naming the option, its value and what is allowed.
KNOTWORK_API void check(const TrainOptions& options);

// True if the loss is a quantile loss. The loss "auto" never is.
KNOTWORK_API bool predicts_quantiles(const TrainOptions& options);

// The name of the score that Scores::to_compare() gives after such a training: "NRMSE", "log loss"
// for classes, or "relative pinball loss", which is in standard deviations of the target.
KNOTWORK_API const char* compared_score(const TrainOptions& options, bool classes);
KNOTWORK_API const char* compared_score(LossKind kind);
// True if the scores of a and b may be compared: pinball losses only if the levels are equal.
KNOTWORK_API bool scored_alike(const TrainOptions& a, const TrainOptions& b);

// The subject of an option.
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

// What an option changes.
enum class OptionEffect {
  bits,         // the trained networks, and so their scores
  final_model,  // the final model, but no score
  clock,        // when the time limit ends training, so that scores depend on the machine too
  time_only,    // the duration of training
  record_only,  // what is recorded about the training besides the networks
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

// What chooses an option that is not set when train_automatically() runs.
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
  std::string value;  // placeholder of the value in help texts; empty for a switch
  std::string help;
  std::function<void(TrainOptions&, std::string_view)> set;  // throws bad_option
  std::function<std::string(const TrainOptions&)> get;
  // Why the option has no effect with the other options, as the end of a sentence; empty if the
  // option has an effect.
  std::function<std::string(const TrainOptions&)> unused_because;
  // Throws bad_option for a value that is not allowed; part of check(TrainOptions).
  std::function<void(const TrainOptions&)> check;
  std::vector<std::string> values;  // all allowed names; empty if not a fixed list

  OptionGroup group = OptionGroup::run;
  OptionEffect effect = OptionEffect::bits;
  bool describes_model = false;  // comes from the model that a training starts from
  bool carried_over = false;  // of the objective, and kept by a training that starts from a model
  // If given, train_automatically() does not try other kinds of networks.
  bool fixes_design = true;
  ChosenBy chosen_by = ChosenBy::nobody;
  bool needs_proximal_steps = false;  // a value other than the default needs such an optimizer

  // If the option is the weight of a regularizer: the regularizer's name, and the weight.
  std::string regularizer;
  std::function<double(const TrainOptions&)> lambda;

  std::function<const void*(const TrainOptions&)> place;  // address of its member

  bool is_about_time() const {
    return effect == OptionEffect::clock || effect == OptionEffect::time_only;
  }
};
KNOTWORK_API const std::vector<TrainOptionField>& train_option_fields();
// Throws bad_option with the closest name when there is no such option.
KNOTWORK_API const TrainOptionField& option_field(std::string_view name);
inline void set_option(TrainOptions& options, std::string_view name, std::string_view text) {
  option_field(name).set(options, text);
}

// The option of a member, as in option_field(&TrainOptions::threads). Throws bad_option for a
// member that only programs can set.
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
// The option that sets the weight of the named regularizer. Throws bad_option if there is none.
KNOTWORK_API const TrainOptionField& lambda_field(std::string_view regularizer);

}  // namespace knotwork
