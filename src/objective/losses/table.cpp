// SPDX-License-Identifier: MIT
// THE list of losses.
#include "objective/losses/squared.hpp"

#include <knotwork/loss.hpp>

namespace knotwork {
namespace {

template <class Formula>
LossEntry elementwise(std::string name, std::string summary) {
  return {name, std::move(summary), [name]() -> std::shared_ptr<const Loss> {
            return std::make_shared<ElementwiseLoss<Formula>>(name);
          }};
}

}  // namespace

const LossTable& builtin_losses() {
  static const LossTable table("loss", {elementwise<SquaredLoss>("squared", "squared error")});
  return table;
}

}  // namespace knotwork
