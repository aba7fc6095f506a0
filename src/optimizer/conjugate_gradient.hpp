// SPDX-License-Identifier: MIT
// Nonlinear conjugate gradient with the Polack-Ribiere formula (1969), as in C. E. Rasmussen's
// `minimize`:
//
//   direction' = beta * direction - g',    beta = (g' - g) . g' / (g . g)
//
// with g and g' the gradients before and after the step. The next search begins at
// last step * min(step_ratio, old slope / new slope): had the function been the same along both
// directions, that would be the step that promises the same decrease.
#pragma once

#include "optimizer/line_search_method.hpp"

namespace knotwork {

class ConjugateGradient final : public LineSearchMethod {
 public:
  explicit ConjugateGradient(const OptimizerOptions& options)
      : LineSearchMethod(options.line_search) {}

  std::string_view name() const override { return "cg"; }

 protected:
  void forget(std::size_t /*size*/) override {}  // the direction is all it remembers
  void choose_direction(std::span<const double> old_point,
                        std::span<const double> old_gradient) override;
  double choose_first_step(double last_step, double old_slope) const override;
};

}  // namespace knotwork
