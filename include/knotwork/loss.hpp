// SPDX-License-Identifier: MIT
// Losses: how far predictions are from targets, and which way they should move.
//
// The objective's data part is (1 / sum of v_n) * sum over samples of v_n L(d_n, f_n), where v_n is
// the sample's weight (1 without weights). A Loss sees a block of samples at a time, all outputs
// together, neuron-major: output o of sample k is predictions[o * stride + k].
// Blocks are evaluated on several threads at once.
// To add one, derive from Loss, or use ElementwiseLoss for a plain formula summed over outputs.
//
//   squared  sum over outputs of (d - f)^2; L(1, 3) = 4
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <knotwork/export.hpp>
#include <knotwork/named_table.hpp>

namespace knotwork {

template <class T>
struct LossBlock {
  std::size_t outputs = 0;
  std::size_t samples = 0;
  std::size_t stride = 0;
  const T* predictions = nullptr;
  const T* targets = nullptr;
  const T* weights = nullptr;  // one for each sample, or null for all 1
  T* gradients = nullptr;      // to be filled with v_n dL/df
};

class KNOTWORK_API Loss {
 public:
  virtual ~Loss() = default;
  virtual std::string_view name() const = 0;
  // Returns the sum over the block of v_n L, summed in double, and writes the gradients.
  virtual double evaluate(const LossBlock<float>& block) const = 0;
  virtual double evaluate(const LossBlock<double>& block) const = 0;
};

// A loss from a struct with two static templates: value(prediction, target) and
// slope(prediction, target), the derivative with respect to the prediction.
template <class Formula>
class ElementwiseLoss final : public Loss {
 public:
  explicit ElementwiseLoss(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  double evaluate(const LossBlock<float>& block) const override { return evaluate_as(block); }
  double evaluate(const LossBlock<double>& block) const override { return evaluate_as(block); }

 private:
  template <class T>
  double evaluate_as(const LossBlock<T>& block) const {
    double sum = 0;
    for (std::size_t o = 0; o < block.outputs; ++o) {
      const std::size_t row = o * block.stride;
      sum += evaluate_row(block.predictions + row, block.targets + row, block.weights,
                          block.gradients + row, block.samples);
    }
    return sum;
  }

  // Short loops over pieces, each of one kind of work, which compilers turn into vector
  // instructions; and several sums side by side, since in one alone each sample would wait for the
  // one before.
  template <class T>
  static double evaluate_row(const T* f, const T* d, const T* weights, T* g, std::size_t samples) {
    constexpr std::size_t kPiece = 64, kStrands = 8;
    double sums[kStrands] = {};
    for (std::size_t first = 0; first < samples; first += kPiece) {
      const std::size_t n = samples - first < kPiece ? samples - first : kPiece;
      T values[kPiece] = {};
      for (std::size_t k = 0; k < n; ++k) values[k] = Formula::value(f[first + k], d[first + k]);
      for (std::size_t k = 0; k < n; ++k) g[first + k] = Formula::slope(f[first + k], d[first + k]);
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

  std::string name_;
};

struct LossEntry {
  std::string name;
  std::string summary;
  std::function<std::shared_ptr<const Loss>()> make;
};
using LossTable = NamedTable<LossEntry>;
KNOTWORK_API const LossTable& builtin_losses();

}  // namespace knotwork
