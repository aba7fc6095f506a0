// SPDX-License-Identifier: MIT
#include "objective/losses/classes.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"

namespace knotwork {
namespace {

struct LogisticFormula {
  template <class T>
  static T value(T odds, T target) {
    // log(1 + exp(odds)) without overflow.
    return std::max(odds, T{0}) - target * odds + std::log1p(std::exp(-std::fabs(odds)));
  }
  template <class T>
  static T slope(T odds, T target) {
    // The logistic function of -|odds| never overflows, and the other half follows from it.
    const T small = std::exp(-std::fabs(odds));
    const T probability = (odds < 0 ? small : T{1}) / (1 + small);
    return probability - target;
  }
};

template <class T>
double evaluate_softmax(const LossBlock<T>& block) {
  constexpr std::size_t kPiece = 64;
  double sum = 0;
  for (std::size_t first = 0; first < block.samples; first += kPiece) {
    const std::size_t n = std::min(kPiece, block.samples - first);
    const auto prediction = [&](std::size_t o) {
      return block.predictions + o * block.stride + first;
    };
    const auto gradient = [&](std::size_t o) { return block.gradients + o * block.stride + first; };
    // The largest value is subtracted first, so that no exponential overflows.
    T largest[kPiece], total[kPiece] = {};
    std::copy_n(prediction(0), n, largest);
    for (std::size_t o = 1; o < block.outputs; ++o) {
      for (std::size_t k = 0; k < n; ++k) largest[k] = std::max(largest[k], prediction(o)[k]);
    }
    for (std::size_t o = 0; o < block.outputs; ++o) {
      for (std::size_t k = 0; k < n; ++k) {
        gradient(o)[k] = std::exp(prediction(o)[k] - largest[k]);
        total[k] += gradient(o)[k];
      }
    }
    const T* const weights = block.weights ? block.weights + first : nullptr;
    for (std::size_t o = 0; o < block.outputs; ++o) {
      for (std::size_t k = 0; k < n; ++k) gradient(o)[k] /= total[k];
    }
    for (std::size_t k = 0; k < n; ++k) {
      const auto truth = static_cast<std::size_t>(block.targets[first + k]);
      const T weight = weights ? weights[k] : T{1};
      sum += static_cast<double>(weight * (std::log(total[k]) + largest[k] - prediction(truth)[k]));
      gradient(truth)[k] -= 1;
    }
    if (!weights) continue;
    for (std::size_t o = 0; o < block.outputs; ++o) {
      for (std::size_t k = 0; k < n; ++k) gradient(o)[k] *= weights[k];
    }
  }
  return sum;
}

template <class T>
double evaluate_logistic(const LossBlock<T>& block) {
  return evaluate_row(LogisticFormula{}, block.predictions, block.targets, block.weights,
                      block.gradients, block.samples);
}

}  // namespace

LogisticLoss::LogisticLoss(std::size_t classes) {
  if (classes != 2) {
    fail(ErrorKind::bad_option,
         "The loss 'logistic' is for two classes, not {}; 'softmax' is for any number.", classes);
  }
}

double LogisticLoss::evaluate(const LossBlock<float>& block) const {
  return evaluate_logistic(block);
}
double LogisticLoss::evaluate(const LossBlock<double>& block) const {
  return evaluate_logistic(block);
}

SoftmaxLoss::SoftmaxLoss(std::size_t classes) : classes_(classes) {
  if (classes < 2) {
    fail(ErrorKind::bad_option, "The loss 'softmax' is for two or more classes, not {}.", classes);
  }
}

double SoftmaxLoss::evaluate(const LossBlock<float>& block) const {
  return evaluate_softmax(block);
}
double SoftmaxLoss::evaluate(const LossBlock<double>& block) const {
  return evaluate_softmax(block);
}

}  // namespace knotwork
