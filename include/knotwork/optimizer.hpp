// SPDX-License-Identifier: MIT
// Optimizers: they see a Function (parameters -> value, gradient) and nothing of networks or data.
//
//   cg     Polack-Ribiere conjugate gradient with the cubic/quadratic Wolfe-Powell line search of
//          C. E. Rasmussen's `minimize`; an iteration is one line search.
//   lbfgs  limited-memory BFGS (Nocedal 1980) on the same line search.
//   adam   Adam (Kingma and Ba 2015); an iteration is one epoch, one update for each batch.
//   adamw  the same with decoupled weight decay (Loshchilov and Hutter 2019).
//   sgd    plain stochastic gradient descent; an iteration is one epoch, as for adam.
//
// Each optimizer's state is a plain value: taken, stored and restored, the run goes on with the
// same bits. A non-finite value is never accepted: point() goes back to the best finite one.
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

// What an optimizer sees: parameters in, value and gradient out. Nothing else.
class KNOTWORK_API Function {
 public:
  virtual ~Function() = default;

  virtual std::size_t size() const = 0;
  // Returns the value at x and writes the whole gradient. Neither may be assumed to be finite.
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) = 0;

  // Mini-batches. A function without any is one batch that is the whole of it.
  // begin_epoch shuffles as a pure function of the epoch's number and says how many batches follow;
  // batch values are on the scale of evaluate(): a batch's expected value is that of the whole.
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

// What follows every update of adam and adamw: the proximal step of a term that has no derivative
// where it matters, or a projection onto the points that are allowed.
class KNOTWORK_API ProximalStep {
 public:
  virtual ~ProximalStep() = default;
  // steps[i] is the update's metric, rate * rate_scale_i / (sqrt(vhat_i) + epsilon): the update was
  // point_i -= steps[i] * mhat_i, so a term R asks for
  //     argmin_x  R(x) + sum_i (x_i - point_i)^2 / (2 steps[i]).
  // It must be a function of these numbers alone, or of an epoch that the function knows of: a
  // restored optimizer goes on with the same bits.
  virtual void apply(std::span<double> point, std::span<const double> steps) const = 0;
};

// Of sgd too, which has a rate, its schedule and its factors, and none of the others.
struct AdamOptions {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;  // decoupled; only adamw uses it
  RateSchedule schedule = RateSchedule::constant;
  std::size_t schedule_epochs = 0;  // the length that cosine and one-cycle are laid out for
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

// Everything an optimizer needs to go on, as named vectors and numbers.
struct OptimizerState {
  std::string optimizer;
  std::map<std::string, std::vector<double>> vectors;
  std::map<std::string, double> numbers;
};

enum class StopReason {
  none,               // may go on
  iterations,         // as many as asked for
  evaluations,        // as many as allowed
  gradient_norm,      // small enough
  relative_decrease,  // the objective hardly falls any more
  time,               // the time limit
  requested,          // the caller's wish
  no_progress,        // two line searches in a row failed: no better point can be found
  non_finite,         // values stopped being finite; the best finite point is kept
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
  // Begins at x and evaluates the whole function there; throws failed_run if the value or the norm
  // of the gradient is not finite.
  virtual void start(Function& function, std::span<const double> x) = 0;
  // One iteration. Returns none, no_progress or non_finite.
  virtual StopReason iterate(Function& function) = 0;

  // The point the last line search accepted or went back to, never higher than those before it; of
  // adam, adamw and sgd the latest, one update beyond its last evaluation (the best evaluated one
  // once an epoch was not finite). And what is known there.
  virtual std::span<const double> point() const = 0;
  virtual double value() const = 0;          // objective at point(); for adam the last epoch's mean
  virtual double gradient_norm() const = 0;  // Euclidean
  virtual double last_step() const = 0;      // 0 after a failed search; for adam the rate
  virtual std::size_t evaluations() const = 0;  // of the function or of one of its batches

  // The state holds no options: restore it into an optimizer made with the same ones. restore()
  // throws bad_model for a state of another optimizer or one that is not whole.
  virtual OptimizerState state() const = 0;
  virtual void restore(const OptimizerState& state) = 0;
};

struct OptimizerEntry {
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Optimizer>(const OptimizerOptions&)> make = {};
  // What it can do, and which of its options have a meaning.
  bool by_batches = false;          // an iteration is one epoch, which may be of mini-batches
  bool has_rate = false;            // and its schedule and factors
  bool has_weight_decay = false;    // AdamOptions::weight_decay
  bool has_proximal_steps = false;  // AdamOptions::proximal_steps
  bool has_memory = false;          // lbfgs_memory
};
using OptimizerTable = NamedTable<OptimizerEntry>;
KNOTWORK_API const OptimizerTable& builtin_optimizers();

// Throws bad_option naming the field, its value and what is allowed.
KNOTWORK_API void check(const OptimizerOptions& options);

// Rules are looked at after the start and after every iteration. A rule that is 0 (or infinite) is
// off, but for `iterations`: 0 evaluates the start and returns it.
struct StopRules {
  std::size_t iterations = 1500;
  std::size_t evaluations = std::numeric_limits<std::size_t>::max();  // one iteration may overshoot
  double gradient_norm = 0;
  // Of the value over one iteration: (old - new) <= rule * |old|. A failed line search, which took
  // no step, does not count: a restart follows it.
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

// Drives an optimizer to a stop rule. The callback sees the start and every iteration and may end
// the run by returning a reason other than none; it can be empty. Neither `requested` nor the time
// overrules another reason: a run that was to end here anyway ends as it would have done.
using IterationCallback = std::function<StopReason(const IterationReport&)>;
// Called after the start and after every iteration from which the run goes on, or would have gone
// on if it had not been ended from outside (`ended` is then requested or time): resume() with the
// optimizer's state() of that moment goes on as if nothing had happened.
using KeepCallback = std::function<void(std::size_t iterations_done, StopReason ended)>;
KNOTWORK_API MinimizeResult minimize(Optimizer& optimizer, Function& function,
                                     std::span<const double> start, const StopRules& rules,
                                     const IterationCallback& callback = {},
                                     const KeepCallback& keep = {});
// The same, going on from a restored state. Iterations and evaluations go on counting, the clock
// begins anew, and the callback first sees iteration iterations_done + 1.
KNOTWORK_API MinimizeResult resume(Optimizer& optimizer, Function& function,
                                   const OptimizerState& state, std::size_t iterations_done,
                                   const StopRules& rules, const IterationCallback& callback = {},
                                   const KeepCallback& keep = {});

}  // namespace knotwork
