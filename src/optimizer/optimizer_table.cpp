// SPDX-License-Identifier: MIT
// The list of optimizers and the check of their options.
#include <cmath>
#include <limits>

#include <knotwork/optimizer.hpp>

#include "base/fail.hpp"
#include "optimizer/adam.hpp"
#include "optimizer/conjugate_gradient.hpp"
#include "optimizer/lbfgs.hpp"

namespace knotwork {
namespace {

// Written so that NaN, for which every comparison is false, is refused.
void require(bool right, std::string_view field, double value, std::string_view allowed) {
  if (!right) fail(ErrorKind::bad_option, "{} is {}; it must be {}.", field, value, allowed);
}

void check_line_search(const LineSearchOptions& o) {
  require(o.max_evaluations >= 1, "line_search.max_evaluations", o.max_evaluations, "at least 1");
  require(o.curvature > 0 && o.curvature < 1, "line_search.curvature", o.curvature,
          "between 0 and 1, both excluded");
  // With decrease >= curvature there are functions for which no step meets both conditions.
  require(o.decrease > 0 && o.decrease < o.curvature, "line_search.decrease", o.decrease,
          fmt::format("above 0 and below line_search.curvature, which is {}", o.curvature));
  require(o.extrapolation > 1 && std::isfinite(o.extrapolation), "line_search.extrapolation",
          o.extrapolation, "above 1");
  require(o.interpolation > 0 && o.interpolation < 0.5, "line_search.interpolation",
          o.interpolation, "between 0 and 0.5, both excluded");
  // A nearer limit could not be reached without stepping over the farther limit.
  require(1 + o.interpolation <= o.extrapolation, "line_search.extrapolation", o.extrapolation,
          fmt::format("at least 1 + line_search.interpolation, which is {}", o.interpolation));
  require(o.step_ratio >= 1 && std::isfinite(o.step_ratio), "line_search.step_ratio", o.step_ratio,
          "at least 1");
}

void check_factors(std::string_view field, const std::vector<double>& factors) {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    require(factors[i] >= 0 && std::isfinite(factors[i]), fmt::format("{}[{}]", field, i),
            factors[i], "0 or more and finite");
  }
}

void check_adam(const AdamOptions& o) {
  require(o.rate > 0 && std::isfinite(o.rate), "adam.rate", o.rate, "above 0 and finite");
  require(o.beta1 >= 0 && o.beta1 < 1, "adam.beta1", o.beta1, "at least 0 and below 1");
  require(o.beta2 >= 0 && o.beta2 < 1, "adam.beta2", o.beta2, "at least 0 and below 1");
  // With epsilon = 0 a gradient of zero would cause a division by zero.
  require(o.epsilon > 0 && std::isfinite(o.epsilon), "adam.epsilon", o.epsilon,
          "above 0 and finite");
  require(o.weight_decay >= 0 && std::isfinite(o.weight_decay), "adam.weight_decay", o.weight_decay,
          "0 or more and finite");
  require(o.schedule == RateSchedule::constant || o.schedule_epochs > 0, "adam.schedule_epochs",
          static_cast<double>(o.schedule_epochs), "at least 1 with a schedule other than constant");
  check_factors("adam.rate_scale", o.rate_scale);
  check_factors("adam.decay_scale", o.decay_scale);
  for (const auto& step : o.proximal_steps) {
    if (!step) fail(ErrorKind::bad_option, "adam.proximal_steps contains a null step.");
  }
}

// An entry whose options are checked before the optimizer is made; `known` has its traits.
template <class Make>
OptimizerEntry entry(OptimizerEntry known, Make make) {
  known.make = [name = known.name, proximal = known.has_proximal_steps,
                make](const OptimizerOptions& options) {
    check(options);
    if (!proximal && !options.adam.proximal_steps.empty()) {
      fail(ErrorKind::bad_option, "adam.proximal_steps are for adam and adamw, not '{}'.", name);
    }
    return std::unique_ptr<Optimizer>(make(options));
  };
  return known;
}

}  // namespace

void check(const OptimizerOptions& options) {
  check_line_search(options.line_search);
  require(options.lbfgs_memory >= 1, "lbfgs_memory", options.lbfgs_memory, "at least 1");
  check_adam(options.adam);
}

const OptimizerTable& builtin_optimizers() {
  using Options = OptimizerOptions;
  static const OptimizerTable table(
      "optimizer",
      {
          entry({.name = "cg",
                 .summary = "Polack-Ribiere conjugate gradient; an iteration is one line search"},
                [](const Options& o) { return std::make_unique<ConjugateGradient>(o); }),
          entry({.name = "lbfgs",
                 .summary = "limited-memory BFGS; an iteration is one line search",
                 .has_memory = true},
                [](const Options& o) { return std::make_unique<Lbfgs>(o); }),
          entry({.name = "adam",
                 .summary = "Adam; an iteration is one epoch of mini-batches",
                 .by_batches = true,
                 .has_rate = true,
                 .has_proximal_steps = true},
                [](const Options& o) { return std::make_unique<Adam>(o, DecayRule::none); }),
          entry({.name = "adamw",
                 .summary = "Adam with decoupled weight decay; an iteration is one epoch",
                 .by_batches = true,
                 .has_rate = true,
                 .has_weight_decay = true,
                 .has_proximal_steps = true},
                [](const Options& o) { return std::make_unique<Adam>(o, DecayRule::decoupled); }),
          entry({.name = "sgd",
                 .summary = "stochastic gradient descent; an iteration is one epoch",
                 .by_batches = true,
                 .has_rate = true},
                [](const Options& o) {
                  return std::make_unique<Adam>(o, DecayRule::none, StepRule::gradient);
                }),
      });
  return table;
}

}  // namespace knotwork
