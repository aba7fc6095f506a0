// SPDX-License-Identifier: MIT
// Kernel activation functions: sum of alpha_i exp(-gamma (s - d_i)^2) with trained alpha for every
// neuron. The dictionary d is equally spaced on [-range, range]; d and gamma are the same for all
// neurons. Scardapane et al., "Kafnets: kernel-based non-parametric activation functions for neural
// networks", 2018; as in this paper, gamma = 1 / (6 step^2) and alpha starts as the ridge
// regression of a function (tanh) on the dictionary. Far outside the range the activation and its
// slope are 0.
#include <cmath>

#include "activation/learned.hpp"
#include "activation/settings.hpp"
#include "base/linear_algebra.hpp"
#include "kernels/fixed.hpp"

namespace knotwork {
namespace {

struct KafOptions {
  std::size_t dictionary;
  double range;
  std::string init;
};

class Kaf final : public ActivationOf<Kaf> {
 public:
  explicit Kaf(const KafOptions& options)
      : options_(options),
        step_(2 * options.range / static_cast<double>(options.dictionary - 1)),
        width_(step_ * std::sqrt(6.0)),
        start_(fit()) {}

  std::string_view name() const override { return "kaf"; }
  Settings settings() const override {
    return {{"dictionary", static_cast<double>(options_.dictionary)},
            {"range", options_.range},
            {"init", options_.init}};
  }
  std::vector<ActivationTensor> tensors() const override {
    return with_anchors({{"alpha", options_.dictionary}});
  }
  void initialize(const NeuronTensors<double>& tensors, const InitialNoise&) const override {
    start_at(start_, tensors[0], tensors[1]);
  }

  std::size_t table_size() const override { return options_.dictionary; }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& tensors, T* table) const {
    std::copy_n(tensors[0], options_.dictionary, table);
  }

  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    in_pieces(n, [&](std::size_t first, std::size_t count) {
      T bell[kSamplesAtOnce], bell_slope[kSamplesAtOnce], sum[kSamplesAtOnce] = {},
                                                          sum_slope[kSamplesAtOnce] = {};
      for (std::size_t i = 0; i < options_.dictionary; ++i) {
        bells(i, s + first, bell, slope ? bell_slope : nullptr, count);
        for (std::size_t k = 0; k < count; ++k) sum[k] += table[i] * bell[k];
        if (!slope) continue;
        for (std::size_t k = 0; k < count; ++k) sum_slope[k] += table[i] * bell_slope[k];
      }
      std::copy_n(sum, count, y + first);
      if (!slope) return;
      const T inverse_width = static_cast<T>(1 / width_);
      for (std::size_t k = 0; k < count; ++k) slope[first + k] = sum_slope[k] * inverse_width;
    });
  }

  std::size_t scratch_size() const override { return options_.dictionary; }
  template <class T>
  void accumulate_as(const T*, const T* s, const T* gradient, T* scratch, std::size_t n) const {
    in_pieces(n, [&](std::size_t first, std::size_t count) {
      T bell[kSamplesAtOnce];
      for (std::size_t i = 0; i < options_.dictionary; ++i) {
        bells(i, s + first, bell, static_cast<T*>(nullptr), count);
        scratch[i] +=
            sum_over<T>(count, [&](std::size_t k) { return gradient[first + k] * bell[k]; });
      }
    });
  }
  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    for (std::size_t i = 0; i < options_.dictionary; ++i) gradient[0][i] += scratch[i];
  }

 private:
  double place(std::size_t i) const { return -options_.range + static_cast<double>(i) * step_; }

  // exp(-z^2) with z = (s - d_i) / width for a piece, and its derivative with respect to z.
  template <class T>
  void bells(std::size_t i, const T* s, T* bell, T* slope, std::size_t n) const {
    const T middle = static_cast<T>(place(i)), inverse_width = static_cast<T>(1 / width_);
    T z[kSamplesAtOnce];
    for (std::size_t k = 0; k < n; ++k) z[k] = (s[k] - middle) * inverse_width;
    fixed_kernels<T>().forward(Formula::gaussian, z, bell, slope, n);
  }

  // (K + ridge) alpha = values of the function on the dictionary.
  std::vector<double> fit() const {
    constexpr double kRidge = 1e-4;
    const auto& function = initial_functions().at(options_.init);
    const std::size_t n = options_.dictionary;
    std::vector<double> kernel(n * n), wanted(n);
    for (std::size_t i = 0; i < n; ++i) {
      wanted[i] = function.value(place(i));
      for (std::size_t j = 0; j < n; ++j) {
        const double steps = static_cast<double>(i) - static_cast<double>(j);
        kernel[j * n + i] = std::exp(-steps * steps / 6) + (i == j ? kRidge : 0);
      }
    }
    return solve_positive_definite(kernel, wanted);
  }

  KafOptions options_;
  double step_;
  double width_;  // 1 / sqrt(gamma)
  std::vector<double> start_;
};

}  // namespace

std::shared_ptr<const Activation> make_kaf(const Settings& settings) {
  SettingsReader reader("kaf", settings);
  const KafOptions options{reader.whole_number("dictionary", 20, 2, 1000),
                           reader.positive("range", 3), reader.text("init", "tanh")};
  reader.finish();
  return std::make_shared<Kaf>(options);
}

}  // namespace knotwork
