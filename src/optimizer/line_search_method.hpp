// SPDX-License-Identifier: MIT
// LineSearchMethod is the loop of conjugate gradient and L-BFGS; they differ only in how they
// choose the next direction and its first step.
//
//   search along the direction
//   accepted  go there, choose the next direction; if it does not go downhill, replace it by
//             steepest descent
//   failed    return to the best point of the search (or its start) and restart along steepest
//             descent with first step 1/(1 + |g|^2); a second failure in a row ends the run:
//             no_progress, or non_finite if that search had no finite trial at all
//
// point() is the point that the last search accepted or returned to: its value is never higher than
// at any earlier point. A gradient of zero leaves no downhill direction and is no_progress, without
// an evaluation.
#pragma once

#include <vector>

#include <knotwork/optimizer.hpp>

#include "optimizer/checks.hpp"
#include "optimizer/line_search.hpp"

namespace knotwork {

class LineSearchMethod : public Optimizer {
 public:
  explicit LineSearchMethod(const LineSearchOptions& options) : options_(options) {}

  void start(Function& function, std::span<const double> x) override;
  void start_again(Function& function, std::span<const double> x) override;
  StopReason iterate(Function& function) override;

  std::span<const double> point() const override { return point_; }
  double value() const override { return value_; }
  double gradient_norm() const override;
  double last_step() const override { return last_step_; }  // 0 after a failed search
  std::size_t evaluations() const override { return evaluations_; }

  OptimizerState state() const override;
  void restore(const OptimizerState& state) override;

 protected:
  // Forgets all earlier points; there are `size` parameters.
  virtual void forget(std::size_t size) = 0;
  // Writes direction(), given the point and gradient before the accepted step.
  virtual void choose_direction(std::span<const double> old_point,
                                std::span<const double> old_gradient) = 0;
  // The first step of the next search, once the direction is chosen.
  virtual double choose_first_step(double last_step, double old_slope) const = 0;
  virtual void save(OptimizerState& /*state*/) const {}
  virtual void load(const StateReader& /*reader*/, std::size_t /*size*/) {}

  const LineSearchOptions& options() const { return options_; }
  std::span<const double> gradient() const { return gradient_; }
  std::span<double> direction() { return direction_; }
  double slope() const { return slope_; }  // gradient . direction

 private:
  void descend_steepest();
  void restart();

  LineSearchOptions options_;
  std::vector<double> point_, gradient_, direction_;
  double value_ = 0;
  double slope_ = 0;
  double first_step_ = 0;
  double last_step_ = 0;
  bool failed_before_ = false;
  std::size_t evaluations_ = 0;
  LineSearchWork work_;
};

}  // namespace knotwork
