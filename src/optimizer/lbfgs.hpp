// SPDX-License-Identifier: MIT
// Lbfgs is limited-memory BFGS: J. Nocedal, Updating quasi-Newton matrices with limited storage,
// 1980.
//
// The last m pairs s = change of the point, y = change of the gradient define an estimate H of the
// inverse Hessian; the two-loop recursion gives direction = -H g in 4*m*n products. H starts as
// (s.y / y.y) times the identity, from the newest pair. A pair is kept only if
// s.y > 1e-10 * |s| * |y|, so that H stays positive definite and rounding cannot change its sign.
//
// A search tries step 1 first, which is exact once H is good, or 1/(1 + |g|^2) without any pairs.
#pragma once

#include <vector>

#include "optimizer/line_search_method.hpp"

namespace knotwork {

class Lbfgs final : public LineSearchMethod {
 public:
  explicit Lbfgs(const OptimizerOptions& options)
      : LineSearchMethod(options.line_search),
        capacity_(static_cast<std::size_t>(options.lbfgs_memory)) {}

  std::string_view name() const override { return "lbfgs"; }

 protected:
  void forget(std::size_t size) override;
  void choose_direction(std::span<const double> old_point,
                        std::span<const double> old_gradient) override;
  double choose_first_step(double last_step, double old_slope) const override;
  void save(OptimizerState& state) const override;
  // If there are more pairs than the memory holds, the newest are kept.
  void load(const StateReader& reader, std::size_t size) override;

 private:
  // Pair 0 is the oldest; `begin_` is its index in the ring.
  std::size_t place(std::size_t pair) const { return (begin_ + pair) % capacity_; }
  std::span<double> step(std::size_t pair) { return row(steps_, pair); }
  std::span<double> change(std::size_t pair) { return row(changes_, pair); }
  std::span<double> row(std::vector<double>& ring, std::size_t pair) {
    return std::span(ring).subspan(place(pair) * size_, size_);
  }
  void remember(std::span<const double> old_point, std::span<const double> old_gradient);

  std::size_t capacity_;
  std::size_t size_ = 0;  // parameters
  std::size_t begin_ = 0;
  std::size_t pairs_ = 0;
  std::vector<double> steps_, changes_;  // rings of capacity_ rows
  std::vector<double> curvature_;        // s.y of each row
  std::vector<double> alpha_;            // of the two-loop recursion
};

}  // namespace knotwork
