// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include <knotwork/loss.hpp>

namespace knotwork {

// Several quantiles of every target at once: output o is level o % levels of target o / levels.
class QuantileLoss final : public Loss {
 public:
  explicit QuantileLoss(std::vector<double> levels);  // throws bad_option

  std::string_view name() const override { return "quantile"; }
  LossKind kind() const override { return LossKind::quantiles; }
  std::size_t outputs(std::size_t targets) const override { return targets * levels_.size(); }
  double evaluate(const LossBlock<float>& block) const override;
  double evaluate(const LossBlock<double>& block) const override;

 private:
  std::vector<double> levels_;
};

}  // namespace knotwork
