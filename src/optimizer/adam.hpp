// SPDX-License-Identifier: MIT
// Adam (D. Kingma and J. Ba, Adam: a method for stochastic optimization, 2015), AdamW
// (I. Loshchilov and F. Hutter, Decoupled weight decay regularization, 2019) and plain stochastic
// gradient descent: one loop over epochs and batches, with a rule for the update.
//
//   m = beta1 m + (1 - beta1) g          mhat = m / (1 - beta1^k)       k = 1, 2, ... updates
//   v = beta2 v + (1 - beta2) g^2        vhat = v / (1 - beta2^k)
//   x = x - rate * rate_scale * (mhat / (sqrt(vhat) + epsilon) + weight_decay * decay_scale * x)
//
// and then the proximal steps, if there are any, in the metric of that update. Adam has no decay
// term. So the first update moves every parameter by almost exactly
// rate * rate_scale against the sign of its gradient. Plain gradient descent (`sgd`) is
//
//   x = x - rate * rate_scale * g
//
// and has neither moments nor decay, nor proximal steps.
//
// An iteration is one epoch: begin_epoch(0, 1, ...), then one update for each batch. value() is the
// mean of the epoch's batch values, each taken before its update; for a function with one batch it
// is the value at the point before the update. gradient_norm() is that of the last gradient used,
// evaluations() counts calls of the function, a batch being one.
//
// point() is the latest point, one update beyond the last evaluation. The fall-back beside it is
// the best evaluated point: the beginning of the epoch with the lowest mean, the start (which
// start() evaluates in full) counting as one. If a batch's value or squared gradient norm is not
// finite, its update is not made: point() and value() become those of the fall-back, the moments
// are forgotten and iterate() returns non_finite. The same when the point itself overflows.
#pragma once

#include <vector>

#include <knotwork/optimizer.hpp>

namespace knotwork {

// The rate of update t = 0, 1, ... in a run laid out for `horizon` updates; later ones keep the
// rate of update horizon - 1.
//   constant   rate
//   cosine     rate * (1 + cos(pi t / horizon)) / 2
//   one_cycle  with p = t / (horizon - 1): linear from rate/25 at p = 0 to rate at p = 0.3, then
//              half a cosine down to rate/25e4 at p = 1 (after L. Smith and N. Topin, 2018)
double scheduled_rate(const AdamOptions& options, std::uint64_t t, std::uint64_t horizon);

enum class DecayRule { none, decoupled };
enum class StepRule { moments, gradient };

class Adam final : public Optimizer {
 public:
  Adam(const OptimizerOptions& options, DecayRule decay, StepRule rule = StepRule::moments)
      : options_(options.adam), decay_(decay), rule_(rule) {}

  std::string_view name() const override {
    if (rule_ == StepRule::gradient) return "sgd";
    return decay_ == DecayRule::none ? "adam" : "adamw";
  }
  void start(Function& function, std::span<const double> x) override;
  StopReason iterate(Function& function) override;

  std::span<const double> point() const override { return point_; }
  double value() const override { return value_; }
  double gradient_norm() const override { return gradient_norm_; }
  double last_step() const override { return last_rate_; }
  std::size_t evaluations() const override { return evaluations_; }

  OptimizerState state() const override;
  void restore(const OptimizerState& state) override;

 private:
  void update(double rate);
  void apply_proximal_steps(double rate);
  void take_moments();  // of the gradient, and makes the step of them
  StopReason fall_back();

  AdamOptions options_;
  DecayRule decay_;
  StepRule rule_;
  std::vector<double> point_, first_moment_, second_moment_, best_point_;
  std::vector<double> gradient_, step_, epoch_start_;  // work vectors, no part of the state
  double value_ = 0;
  double best_value_ = 0;
  double gradient_norm_ = 0;
  double last_rate_ = 0;
  std::uint64_t epoch_ = 0;
  std::uint64_t updates_ = 0;         // what the schedule counts
  std::uint64_t moment_updates_ = 0;  // the k of the formula: since the moments were zero
  std::size_t evaluations_ = 0;
};

}  // namespace knotwork
