// SPDX-License-Identifier: MIT
// Adam (D. Kingma and J. Ba, Adam: a method for stochastic optimization, 2015), AdamW
// (I. Loshchilov and F. Hutter, Decoupled weight decay regularization, 2019) and plain stochastic
// gradient descent share one loop over epochs and batches; they differ in the rule for the update.
//
//   m = beta1 m + (1 - beta1) g          mhat = m / (1 - beta1^k)       k = 1, 2, ... updates
//   v = beta2 v + (1 - beta2) g^2        vhat = v / (1 - beta2^k)
//   x = x - rate * rate_scale * (mhat / (sqrt(vhat) + epsilon) + weight_decay * decay_scale * x)
//
// followed by the proximal steps in the metric of that update. Adam has no decay term. The first
// update therefore moves every parameter by almost exactly rate * rate_scale against the sign of
// its gradient. Plain gradient descent (`sgd`) is
//
//   x = x - rate * rate_scale * g
//
// without moments, decay or proximal steps.
//
// An iteration is one epoch: begin_epoch(0, 1, ...), then one update for each batch. value() is the
// mean of the epoch's batch values, each computed before its update; for a function with one batch
// it is the value at the point before the update. gradient_norm() is the norm of the last gradient
// used, evaluations() counts calls of the function, one for each batch.
//
// point() is the latest point, one update after the last evaluation. The fall-back is the best
// evaluated point: the beginning of the epoch with the lowest mean, or the start, which start()
// evaluates in full and which counts as an epoch. If a batch's value or squared gradient norm is
// not finite, its update is not made: point() and value() become those of the fall-back, the
// moments are set to zero and iterate() returns non_finite. The same happens when the point itself
// overflows.
#pragma once

#include <vector>

#include <knotwork/optimizer.hpp>

namespace knotwork {

// The rate of update t = 0, 1, ... in a run planned for `horizon` updates; later ones keep the rate
// of update horizon - 1.
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
  void start_again(Function& function, std::span<const double> x) override;
  StopReason iterate(Function& function) override;

  std::span<const double> point() const override { return point_; }
  double value() const override { return now_.value; }
  double gradient_norm() const override { return now_.gradient_norm; }
  double last_step() const override { return now_.last_rate; }
  std::size_t evaluations() const override { return now_.evaluations; }

  OptimizerState state() const override;
  void restore(const OptimizerState& state) override;

 private:
  // The numbers of the state.
  struct Numbers {
    double value = 0;
    double best_value = 0;
    double gradient_norm = 0;
    double last_rate = 0;
    std::uint64_t epoch = 0;
    std::uint64_t updates = 0;         // what the schedule counts
    std::uint64_t moment_updates = 0;  // the k of the formula: since the moments were zero
    std::size_t evaluations = 0;
  };

  StopReason run_epoch(Function& function, std::size_t batches);
  void update(double rate);
  void apply_proximal_steps(double rate);
  void take_moments();  // updates the moments and computes the step from them
  StopReason fall_back();

  AdamOptions options_;
  DecayRule decay_;
  StepRule rule_;
  std::vector<double> point_, first_moment_, second_moment_, best_point_;
  std::vector<double> gradient_, step_, epoch_start_;  // work vectors, not in the state
  std::vector<double> first_before_, second_before_;   // moments at epoch_start_
  Numbers now_;
};

}  // namespace knotwork
