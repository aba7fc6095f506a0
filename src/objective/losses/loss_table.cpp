// SPDX-License-Identifier: MIT
// The only list of losses.
#include <cmath>

#include "base/fail.hpp"
#include "objective/losses/classes.hpp"
#include "objective/losses/quantile.hpp"
#include "objective/losses/robust.hpp"
#include "objective/losses/squared.hpp"

#include <knotwork/loss.hpp>

namespace knotwork {
namespace {

using Made = std::shared_ptr<const Loss>;

Made make_huber(const LossOptions& options) {
  if (!(options.huber_delta > 0) || !std::isfinite(options.huber_delta)) {
    fail(ErrorKind::bad_option, "huber-delta must be a positive number, not {}.",
         options.huber_delta);
  }
  return std::make_shared<ElementwiseLoss<HuberLoss>>("huber", HuberLoss{options.huber_delta});
}

}  // namespace

const LossTable& builtin_losses() {
  static const LossTable table(
      "loss", {{"squared", "squared error",
                [](const LossOptions&) -> Made {
                  return std::make_shared<ElementwiseLoss<SquaredLoss>>("squared");
                }},
               {"absolute", "absolute error",
                [](const LossOptions&) -> Made {
                  return std::make_shared<ElementwiseLoss<AbsoluteLoss>>("absolute");
                }},
               {"huber", "squared error of small, absolute error of large errors", make_huber},
               {"quantile", "pinball loss of several quantiles at once",
                [](const LossOptions& options) -> Made {
                  return std::make_shared<QuantileLoss>(options.quantiles);
                },
                LossKind::quantiles},
               {"logistic", "cross-entropy of two classes",
                [](const LossOptions& options) -> Made {
                  return std::make_shared<LogisticLoss>(options.classes);
                },
                LossKind::classes},
               {"softmax", "cross-entropy of two or more classes",
                [](const LossOptions& options) -> Made {
                  return std::make_shared<SoftmaxLoss>(options.classes);
                },
                LossKind::classes}});
  return table;
}

}  // namespace knotwork
