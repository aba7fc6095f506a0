// SPDX-License-Identifier: MIT
// Cross-entropy is minus the logarithm of the predicted probability of the true class. The single
// target column contains class numbers, from 0.
#pragma once

#include <string_view>

#include <knotwork/loss.hpp>

namespace knotwork {

class LogisticLoss final : public Loss {
 public:
  explicit LogisticLoss(std::size_t classes);  // throws bad_option unless there are two

  std::string_view name() const override { return "logistic"; }
  std::size_t outputs(std::size_t) const override { return 1; }
  std::size_t classes() const override { return 2; }
  double evaluate(const LossBlock<float>& block) const override;
  double evaluate(const LossBlock<double>& block) const override;
};

class SoftmaxLoss final : public Loss {
 public:
  explicit SoftmaxLoss(std::size_t classes);  // throws bad_option for fewer than two

  std::string_view name() const override { return "softmax"; }
  std::size_t outputs(std::size_t) const override { return classes_; }
  std::size_t classes() const override { return classes_; }
  double evaluate(const LossBlock<float>& block) const override;
  double evaluate(const LossBlock<double>& block) const override;

 private:
  std::size_t classes_;
};

}  // namespace knotwork
