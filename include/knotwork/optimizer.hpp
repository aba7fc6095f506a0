// SPDX-License-Identifier: MIT
// An Optimizer minimizes a Function (parameters -> value, gradient) and knows nothing of networks
// or data.
//
//   cg     Polack-Ribiere conjugate gradient with the cubic/quadratic Wolfe-Powell line search of
//          C. E. Rasmussen's `minimize`; an iteration is one line search.
//   lbfgs  limited-memory BFGS (Nocedal 1980) on the same line search.
//   adam   Adam (Kingma and Ba 2015); an iteration is one epoch, one update for each batch.
//   adamw  Adam with decoupled weight decay (Loshchilov and Hutter 2019).
//   sgd    plain stochastic gradient descent; an iteration is one epoch, as for adam.
//
// Each optimizer's state is a plain value: a run that is resumed from a stored state gives the same
// bits. A non-finite value is never accepted: point() returns to the best finite point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

// What an optimizer minimizes: parameters in, value and gradient out.
class KNOTWORK_API Function {
 public:
  virtual ~Function() = default;

  virtual std::size_t size() const = 0;
  // Returns the value at x and writes the whole gradient. Neither has to be finite.
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) = 0;

  // Mini-batches. A function without mini-batches has one batch, the whole function. begin_epoch()
  // shuffles as a pure function of the epoch's number and returns the number of batches. Batch
  // values are on the scale of evaluate(): the expected value of a batch is the value of the whole.
  virtual std::size_t begin_epoch(std::uint64_t /*epoch*/) { return 1; }
  virtual double evaluate_batch(std::size_t /*batch*/, std::span<const double> x,
                                std::span<double> gradient) {
    return evaluate(x, gradient);
  }
};

// Constants of the line search; the defaults are Rasmussen's.
struct LineSearchOptions {
  int max_evaluations = 20;    // in one search
  double curvature = 0.1;      // Wolfe: |slope at the end| < curvature * |slope at the start|
  double decrease = 0.05;      // Wolfe: value at the end < start + decrease * step * slope
  double extrapolation = 3.0;  // at most this many times the current step
  double interpolation = 0.1;  // at least this share of the bracket away from its ends
  double step_ratio = 10.0;    // next first step <= step_ratio * last step (cg)
};

enum class RateSchedule { constant, cosine, one_cycle };
template <>
struct EnumNames<RateSchedule> {
  static constexpr EnumFamily family{"schedule"};
  static constexpr EnumName<RateSchedule> all[] = {
      {RateSchedule::constant, "constant"},
      {RateSchedule::cosine, "cosine"},
      {RateSchedule::one_cycle, "one-cycle"},
  };
};

// A step after every update of adam and adamw: the proximal step of a term that has no derivative
// where it matters, or a projection onto the allowed points.
class KNOTWORK_API ProximalStep {
 public:
  virtual ~ProximalStep() = default;
  // steps[i] is the update's metric, rate * rate_scale_i / (sqrt(vhat_i) + epsilon): the update was
  // point_i -= steps[i] * mhat_i, so a term R needs
  //     argmin_x  R(x) + sum_i (x_i - point_i)^2 / (2 steps[i]).
  // The result may depend only on these numbers and on the epoch of the function, so that a
  // restored optimizer continues with the same bits.
  virtual void apply(std::span<double> point, std::span<const double> steps) const = 0;
};

// Options of adam and adamw. sgd uses only rate, schedule, schedule_epochs and rate_scale.
struct AdamOptions {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;  // decoupled; used by adamw only
  RateSchedule schedule = RateSchedule::constant;
  std::size_t schedule_epochs = 0;  // the length that the schedules cosine and one-cycle assume
  // Per-parameter factors on the rate and on the decay; empty means 1 everywhere.
  std::vector<double> rate_scale;
  std::vector<double> decay_scale;
  // Applied after every update, in this order.
  std::vector<std::shared_ptr<const ProximalStep>> proximal_steps;
};

struct OptimizerOptions {
  LineSearchOptions line_search;
  int lbfgs_memory = 10;
  AdamOptions adam;
};

// Everything an optimizer needs to resume, as named vectors and numbers.
struct OptimizerState {
  std::string optimizer;
  std::map<std::string, std::vector<double>> vectors;
  std::map<std::string, double> numbers;
};

enum class StopReason {
  none,               // not stopped
  iterations,         // iteration limit
  evaluations,        // evaluation limit
  gradient_norm,      // gradient norm below its limit
  relative_decrease,  // relative decrease of the objective below its limit
  time,               // time limit
  requested,          // requested by the caller
  no_progress,        // two line searches in a row failed: no better point was found
  non_finite,         // a value was not finite; the best finite point is kept
  early_stopping,     // the validation score stopped improving (training only)
};
template <>
struct EnumNames<StopReason> {
  static constexpr EnumFamily family{"reason to stop"};
  static constexpr EnumName<StopReason> all[] = {
      {StopReason::none, "none"},
      {StopReason::iterations, "iterations"},
      {StopReason::evaluations, "evaluations"},
      {StopReason::gradient_norm, "gradient_norm"},
      {StopReason::relative_decrease, "relative_decrease"},
      {StopReason::time, "time"},
      {StopReason::requested, "requested"},
      {StopReason::no_progress, "no_progress"},
      {StopReason::non_finite, "non_finite"},
      {StopReason::early_stopping, "early_stopping"},
  };
};

class KNOTWORK_API Optimizer {
 public:
  virtual ~Optimizer() = default;

  virtual std::string_view name() const = 0;
  // Starts at x and evaluates the whole function there; throws failed_run if the value or the norm
  // of the gradient is not finite.
  virtual void start(Function& function, std::span<const double> x) = 0;
  // Starts at x in the middle of a run. The optimizer forgets what it learned at earlier points
  // (moments, directions, curvature), but continues to count epochs, updates and evaluations, so
  // that schedules keep their place. By default this function calls start(), which resets the
  // counts too.
  virtual void start_again(Function& function, std::span<const double> x) { start(function, x); }
  // One iteration. Returns none, no_progress or non_finite. If the function throws, the optimizer
  // must be in the same state as before the iteration, as the optimizers of builtin_optimizers()
  // are.
  virtual StopReason iterate(Function& function) = 0;

  // The current point. cg and lbfgs: the point that the last line search accepted or returned to,
  // never higher than earlier ones. adam, adamw and sgd: the latest point, one update after the
  // last evaluation; once an epoch was not finite, the best evaluated point. The functions below
  // describe this point.
  virtual std::span<const double> point() const = 0;
  virtual double value() const = 0;          // objective at point(); for adam the last epoch's mean
  virtual double gradient_norm() const = 0;  // Euclidean
  virtual double last_step() const = 0;      // 0 after a failed search; for adam the rate
  virtual std::size_t evaluations() const = 0;  // of the function or of one of its batches

  // The state contains no options: restore it into an optimizer made with the same options.
  // restore() throws bad_model for the state of another optimizer or an incomplete state.
  virtual OptimizerState state() const = 0;
  virtual void restore(const OptimizerState& state) = 0;
};

struct OptimizerEntry {
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Optimizer>(const OptimizerOptions&)> make = {};
  // What the optimizer can do, and which of its options it uses.
  bool by_batches = false;          // an iteration is one epoch, possibly of mini-batches
  bool has_rate = false;            // uses the rate, its schedule and rate_scale
  bool has_weight_decay = false;    // AdamOptions::weight_decay
  bool has_proximal_steps = false;  // AdamOptions::proximal_steps
  bool has_memory = false;          // lbfgs_memory
};
using OptimizerTable = NamedTable<OptimizerEntry>;
KNOTWORK_API const OptimizerTable& builtin_optimizers();

// Throws bad_option naming the field, its value and what is allowed.
KNOTWORK_API void check(const OptimizerOptions& options);

// Rules are checked after the start and after every iteration. A rule of 0 (or infinity) is off,
// except `iterations`: 0 evaluates the start and returns it.
struct StopRules {
  std::size_t iterations = 1500;
  std::size_t evaluations = std::numeric_limits<std::size_t>::max();  // one iteration may overshoot
  double gradient_norm = 0;
  // Limit on the relative decrease in one iteration: (old - new) <= rule * |old|. A failed line
  // search, which took no step, does not count, because a restart follows it.
  double relative_decrease = 0;
  double seconds = std::numeric_limits<double>::infinity();
};

struct IterationReport {
  std::size_t iteration = 0;  // 0 is the start
  std::size_t evaluations = 0;
  double value = 0;
  double gradient_norm = 0;
  double step = 0;
  double seconds = 0;
  std::span<const double> point;  // valid during the call only
};

struct MinimizeResult {
  StopReason reason = StopReason::none;
  std::size_t iterations = 0;
  std::size_t evaluations = 0;
  double value = 0;
  double seconds = 0;
  std::vector<double> point;
};

// Runs an optimizer until a stop rule applies. The callback is called after the start and after
// every iteration; it ends the run by returning a reason other than none, and may be empty.
// `requested` and the time limit do not replace another reason: a run that would have ended here
// anyway reports that reason.
using IterationCallback = std::function<StopReason(const IterationReport&)>;
// Called after the start and after every iteration, unless the run ends there by a rule other than
// a request or the time limit. `ended` is the reason if a request or the time limit ended the run,
// and none otherwise. resume() with the optimizer's state() at the time of the call continues with
// the same bits.
using KeepCallback = std::function<void(std::size_t iterations_done, StopReason ended)>;
KNOTWORK_API MinimizeResult minimize(Optimizer& optimizer, Function& function,
                                     std::span<const double> start, const StopRules& rules,
                                     const IterationCallback& callback = {},
                                     const KeepCallback& keep = {});
// Resumes from a restored state. Iterations and evaluations continue to count, the clock starts
// again, and the first call of the callback is for iteration iterations_done + 1.
KNOTWORK_API MinimizeResult resume(Optimizer& optimizer, Function& function,
                                   const OptimizerState& state, std::size_t iterations_done,
                                   const StopRules& rules, const IterationCallback& callback = {},
                                   const KeepCallback& keep = {});

}  // namespace knotwork
