// SPDX-License-Identifier: MIT
#include "objective/losses/quantile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/fail.hpp"
#include "objective/losses/robust.hpp"

namespace knotwork {
namespace {

template <class T>
double evaluate_as(const std::vector<double>& levels, const LossBlock<T>& block) {
  double sum = 0;
  for (std::size_t o = 0; o < block.outputs; ++o) {
    const std::size_t row = o * block.stride, target = o / levels.size() * block.stride;
    sum +=
        evaluate_row(PinballLoss{levels[o % levels.size()]}, block.predictions + row,
                     block.targets + target, block.weights, block.gradients + row, block.samples);
  }
  return sum;
}

}  // namespace

QuantileLoss::QuantileLoss(std::vector<double> levels) : levels_(std::move(levels)) {
  const bool ascending =
      std::adjacent_find(levels_.begin(), levels_.end(), std::greater_equal<>()) == levels_.end();
  const bool inside = std::all_of(levels_.begin(), levels_.end(),
                                  [](double level) { return level > 0 && level < 1; });
  if (levels_.empty() || !ascending || !inside) {
    fail(ErrorKind::bad_option,
         "quantiles must be levels between 0 and 1, ascending, such as 0.05,0.5,0.95, not '{}'.",
         fmt::join(levels_, ","));
  }
}

double QuantileLoss::evaluate(const LossBlock<float>& block) const {
  return evaluate_as(levels_, block);
}
double QuantileLoss::evaluate(const LossBlock<double>& block) const {
  return evaluate_as(levels_, block);
}

}  // namespace knotwork
