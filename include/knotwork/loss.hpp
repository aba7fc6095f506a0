// SPDX-License-Identifier: MIT
// A Loss says how far predictions are from targets, and in which direction they should move.
//
// The objective's data part is (1 / sum of v_n) * sum over samples of v_n L(d_n, f_n), where v_n is
// the sample's weight (1 without weights). A Loss sees a block of samples at a time, all outputs
// together, neuron-major: output o of sample k is predictions[o * stride + k].
// Blocks are evaluated on several threads at once.
// To add a loss, derive from Loss, or use ElementwiseLoss for a plain formula summed over outputs.
//
//   squared   sum over outputs of (d - f)^2; L(1, 3) = 4
//   absolute  sum over outputs of |d - f|; L(1, 3) = 2
//   huber     (d - f)^2 up to |d - f| = delta, linear beyond; with delta 1 L(1, 3) = 3
//   quantile  one output for each level t: t (d - f) if d > f, else (1 - t)(f - d)
//   logistic  two classes, d = 0 or 1, one output, the log-odds of class 1:
//             log(1 + exp(f)) - d f; L(1, 0) = log 2
//   softmax   K classes, d = 0 .. K-1, an output for each: log(sum over c of exp(f_c)) - f_d
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

template <class T>
struct LossBlock {
  std::size_t outputs = 0;  // rows of predictions and gradients; targets have one row per column
  std::size_t samples = 0;
  std::size_t stride = 0;
  const T* predictions = nullptr;
  const T* targets = nullptr;
  const T* weights = nullptr;  // one for each sample, or null for all 1
  T* gradients = nullptr;      // output: v_n dL/df
};

// What a network that minimizes a loss predicts.
enum class LossKind {
  number,     // for each target
  quantiles,  // for each target, one output for each level of LossOptions::quantiles
  classes,    // probabilities
};
template <>
struct EnumNames<LossKind> {
  static constexpr EnumFamily family{"kind of loss"};
  static constexpr EnumName<LossKind> all[] = {
      {LossKind::number, "number"},
      {LossKind::quantiles, "quantiles"},
      {LossKind::classes, "classes"},
  };
};

class KNOTWORK_API Loss {
 public:
  virtual ~Loss() = default;
  virtual std::string_view name() const = 0;
  // Does not depend on the options that the loss was made with.
  virtual LossKind kind() const { return classes() > 0 ? LossKind::classes : LossKind::number; }
  // Number of outputs of a network for this number of target columns.
  virtual std::size_t outputs(std::size_t targets) const { return targets; }
  // Number of classes, with targets 0 .. classes - 1; 0 for targets that are numbers.
  virtual std::size_t classes() const { return 0; }
  // The validation score, for early stopping and the history, from the mean loss on the validation
  // rows.
  virtual double validation_score(double mean, std::size_t /*targets*/) const { return mean; }
  // Returns the sum over the block of v_n L, summed in double, and writes the gradients.
  virtual double evaluate(const LossBlock<float>& block) const = 0;
  virtual double evaluate(const LossBlock<double>& block) const = 0;
};

// The loss of one row of samples by a formula: value(prediction, target) and
// slope(prediction, target), the derivative with respect to the prediction.
//
// The loops are short and each does one kind of work, so that compilers vectorize them. Several
// sums run side by side, because in a single sum each addition waits for the one before.
template <class T, class Formula>
double evaluate_row(const Formula& formula, const T* f, const T* d, const T* weights, T* g,
                    std::size_t samples) {
  constexpr std::size_t kPiece = 64, kStrands = 8;
  double sums[kStrands] = {};
  for (std::size_t first = 0; first < samples; first += kPiece) {
    const std::size_t n = samples - first < kPiece ? samples - first : kPiece;
    T values[kPiece] = {};
    for (std::size_t k = 0; k < n; ++k) values[k] = formula.value(f[first + k], d[first + k]);
    for (std::size_t k = 0; k < n; ++k) g[first + k] = formula.slope(f[first + k], d[first + k]);
    if (weights) {
      for (std::size_t k = 0; k < n; ++k) values[k] *= weights[first + k];
      for (std::size_t k = 0; k < n; ++k) g[first + k] *= weights[first + k];
    }
    for (std::size_t k = 0; k < kPiece; k += kStrands) {
      for (std::size_t i = 0; i < kStrands; ++i) sums[i] += static_cast<double>(values[k + i]);
    }
  }
  double sum = 0;
  for (double strand : sums) sum += strand;
  return sum;
}

// A loss from such a formula, summed over the outputs; the two templates may be static. The formula
// may also have a validation_score(mean, targets), as Loss has.
template <class Formula>
class ElementwiseLoss final : public Loss {
 public:
  explicit ElementwiseLoss(std::string name, Formula formula = {})
      : name_(std::move(name)), formula_(formula) {}
  std::string_view name() const override { return name_; }
  double validation_score(double mean, std::size_t targets) const override {
    if constexpr (requires { formula_.validation_score(mean, targets); }) {
      return formula_.validation_score(mean, targets);
    }
    return mean;
  }
  double evaluate(const LossBlock<float>& block) const override { return evaluate_as(block); }
  double evaluate(const LossBlock<double>& block) const override { return evaluate_as(block); }

 private:
  template <class T>
  double evaluate_as(const LossBlock<T>& block) const {
    double sum = 0;
    for (std::size_t o = 0; o < block.outputs; ++o) {
      const std::size_t row = o * block.stride;
      sum += evaluate_row(formula_, block.predictions + row, block.targets + row, block.weights,
                          block.gradients + row, block.samples);
    }
    return sum;
  }

  std::string name_;
  Formula formula_;
};

// Options of the built-in losses; each loss reads its own.
struct LossOptions {
  double huber_delta = 1;         // in the units of the scaled target
  std::vector<double> quantiles;  // levels, ascending, between 0 and 1
  std::size_t classes = 0;
};

struct LossEntry {
  std::string name;
  std::string summary;
  // Throws bad_option for options that the loss cannot use.
  std::function<std::shared_ptr<const Loss>(const LossOptions&)> make;
  LossKind kind = LossKind::number;  // kind() of the loss that make() returns
};
using LossTable = NamedTable<LossEntry>;
KNOTWORK_API const LossTable& builtin_losses();

}  // namespace knotwork
