// SPDX-License-Identifier: MIT
// ConjugateGradient is nonlinear conjugate gradient with the Polack-Ribiere formula (1969), as in
// C. E. Rasmussen's `minimize`:
//
//   direction' = beta * direction - g',    beta = (g' - g) . g' / (g . g)
//
// where g and g' are the gradients before and after the step. The next search starts with the step
// last step * min(step_ratio, old slope / new slope). If the function were the same along both
// directions, this step would promise the same decrease.
#pragma once

#include "optimizer/line_search_method.hpp"

namespace knotwork {

class ConjugateGradient final : public LineSearchMethod {
 public:
  explicit ConjugateGradient(const OptimizerOptions& options)
      : LineSearchMethod(options.line_search) {}

  std::string_view name() const override { return "cg"; }

 protected:
  void forget(std::size_t /*size*/) override {}  // its only memory is the direction
  void choose_direction(std::span<const double> old_point,
                        std::span<const double> old_gradient) override;
  double choose_first_step(double last_step, double old_slope) const override;
};

}  // namespace knotwork
