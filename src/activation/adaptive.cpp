// SPDX-License-Identifier: MIT
// amplitude * f(slope * s + shift) with three trained numbers for every neuron, where f is tanh or
// the logistic function. They start as f itself: 1, 1 and 0.
// Chen and Chang, "A feedforward neural network with function shape autotuning", 1996;
// Trentin, "Networks with trainable amplitude of activation functions", 2001.
#include <cmath>

#include "activation/fixed_formulas.hpp"
#include "activation/learned.hpp"
#include "activation/settings.hpp"

namespace knotwork {
namespace {

enum Tensor : std::size_t { kAmplitude, kSlope, kShift, kTrained };

class Adaptive final : public ActivationOf<Adaptive> {
 public:
  Adaptive(Formula formula, std::string name) : formula_(formula), name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  std::vector<ActivationTensor> tensors() const override {
    return with_anchors({{"amplitude", 1}, {"slope", 1}, {"shift", 1}});
  }
  void initialize(const NeuronTensors<double>& tensors, const InitialNoise&) const override {
    const double start[kTrained] = {1, 1, 0};
    for (std::size_t k = 0; k < kTrained; ++k) {
      start_at({start[k]}, tensors[k], tensors[kTrained + k]);
    }
  }

  double max_slope(const NeuronTensors<const double>& tensors) const override {
    return fixed_formula(formula_).steepest * std::abs(*tensors[kAmplitude] * *tensors[kSlope]);
  }

  std::size_t table_size() const override { return kTrained; }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& tensors, T* table) const {
    for (std::size_t k = 0; k < kTrained; ++k) table[k] = *tensors[k];
  }

  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    apply_formula(table, s, y, slope, n);
    for (std::size_t k = 0; k < n; ++k) y[k] *= table[kAmplitude];
  }

  // Notes f, from which the derivative is computed.
  bool takes_notes() const override { return true; }
  template <class T>
  void forward_noted_as(const T* table, T* s, T* y, T* slope, T* notes, std::size_t n) const {
    apply_formula(table, s, notes, slope, n);
    for (std::size_t k = 0; k < n; ++k) y[k] = notes[k] * table[kAmplitude];
  }

  std::size_t scratch_size() const override { return kTrained; }
  template <class T>
  void backward_as(const T* table, const T* s, const T* f, const T* slope, T* gradient, T* scratch,
                   std::size_t n) const {
    const T* const g = gradient;
    const T amplitude = table[kAmplitude];
    // tanh' = (1 - f)(1 + f), and f (1 - f) is the derivative of the logistic function.
    const T one_or_none = formula_ == Formula::tanh ? T{1} : T{0};
    const auto derivative = [&](std::size_t k) { return (1 - f[k]) * (one_or_none + f[k]); };
    scratch[kAmplitude] += sum_over<T>(n, [&](std::size_t k) { return g[k] * f[k]; });
    scratch[kShift] +=
        amplitude * sum_over<T>(n, [&](std::size_t k) { return g[k] * derivative(k); });
    scratch[kSlope] += amplitude * sum_over<T>(n, [&](std::size_t k) {
                         return g[k] * derivative(k) * bounded(s[k], kLargest<T>);
                       });
    for (std::size_t k = 0; k < n; ++k) gradient[k] *= slope[k];
  }
  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    for (std::size_t k = 0; k < kTrained; ++k) *gradient[k] += scratch[k];
  }

 private:
  template <class T>
  static constexpr T kLargest = std::numeric_limits<T>::max();

  // f and, unless slope is null, the slope of the activation.
  template <class T>
  void apply_formula(const T* table, const T* s, T* f, T* slope, std::size_t n) const {
    in_pieces(n, [&](std::size_t first, std::size_t count) {
      T inner[kSamplesAtOnce];
      for (std::size_t k = 0; k < count; ++k) {
        // Infinity times a slope of 0 would give NaN.
        inner[k] = table[kSlope] * bounded(s[first + k], kLargest<T>) + table[kShift];
      }
      fixed_kernels<T>().forward(formula_, inner, f + first, slope ? slope + first : slope, count);
    });
    if (!slope) return;
    const T factor = table[kAmplitude] * table[kSlope];
    for (std::size_t k = 0; k < n; ++k) slope[k] *= factor;
  }

  Formula formula_;
  std::string name_;
};

}  // namespace

std::shared_ptr<const Activation> make_adaptive_tanh(const Settings& settings) {
  SettingsReader("adaptive-tanh", settings).finish();
  return std::make_shared<Adaptive>(Formula::tanh, "adaptive-tanh");
}

std::shared_ptr<const Activation> make_adaptive_sigmoid(const Settings& settings) {
  SettingsReader("adaptive-sigmoid", settings).finish();
  return std::make_shared<Adaptive>(Formula::sigmoid, "adaptive-sigmoid");
}

}  // namespace knotwork
