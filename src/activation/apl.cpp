// SPDX-License-Identifier: MIT
// Adaptive piecewise linear units: max(0, s) + sum of a_i max(0, b_i - s) over a few hinges.
// Agostinelli et al., "Learning activation functions to improve deep neural networks", 2014.
//
// The hinges b start equally spaced over [-range, range]; the slopes a start as small noise, as in
// the authors' code, because a hinge without a slope would not move. Above all hinges the slope is
// 1; below them it is -(a_1 + a_2 + ..).
#include <cmath>

#include "activation/learned.hpp"
#include "activation/settings.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

enum Tensor : std::size_t { kSlopes, kHinges, kSlopesAnchor, kHingesAnchor };

struct AplOptions {
  std::size_t hinges;
  double range, init_noise;
};

class Apl final : public ActivationOf<Apl> {
 public:
  explicit Apl(const AplOptions& options) : options_(options) {}

  std::string_view name() const override { return "apl"; }
  Settings settings() const override {
    return {{"hinges", static_cast<double>(options_.hinges)},
            {"range", options_.range},
            {"init-noise", options_.init_noise}};
  }
  std::vector<ActivationTensor> tensors() const override {
    return with_anchors({{"slopes", hinges()}, {"hinges", hinges()}});
  }
  void initialize(const NeuronTensors<double>& tensors, const InitialNoise& noise) const override {
    const Random random(noise.seed, Purpose::noise_value);
    for (std::size_t i = 0; i < hinges(); ++i) {
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(hinges());
      tensors[kHinges][i] = tensors[kHingesAnchor][i] = options_.range * (2 * share - 1);
      tensors[kSlopes][i] = options_.init_noise * random.normal(noise.first + i);
      tensors[kSlopesAnchor][i] = 0;
    }
  }

  // a_i, b_i and a_i b_i for each hinge.
  std::size_t table_size() const override { return 3 * hinges(); }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& tensors, T* table) const {
    for (std::size_t i = 0; i < hinges(); ++i) {
      const T a = tensors[kSlopes][i], b = tensors[kHinges][i];
      table[3 * i] = a;
      table[3 * i + 1] = b;
      table[3 * i + 2] = a * b;
    }
  }

  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    in_pieces(n, [&](std::size_t first, std::size_t count) {
      const T* const x = s + first;
      T* const value = y + first;
      T fall[kSamplesAtOnce];  // the contribution of the hinges above a sample to its slope
      for (std::size_t k = 0; k < count; ++k) value[k] = fall[k] = 0;
      for (std::size_t i = 0; i < hinges(); ++i) {
        const T a = table[3 * i], b = table[3 * i + 1], product = table[3 * i + 2];
        for (std::size_t k = 0; k < count; ++k) {
          fall[k] += x[k] < b ? a : T{0};
          value[k] += x[k] < b ? product : T{0};
        }
      }
      for (std::size_t k = 0; k < count; ++k) {
        // 0 times an infinite sample would be NaN.
        value[k] += (x[k] <= 0 ? T{0} : x[k]) - (fall[k] == 0 ? T{0} : fall[k] * x[k]);
      }
      if (!slope) return;
      for (std::size_t k = 0; k < count; ++k) {
        slope[first + k] = std::isnan(x[k]) ? x[k] : (x[k] > 0 ? T{1} : T{0}) - fall[k];
      }
    });
  }

  std::size_t scratch_size() const override { return 2 * hinges(); }
  template <class T>
  void accumulate_as(const T* table, const T* s, const T* gradient, T* scratch,
                     std::size_t n) const {
    for (std::size_t i = 0; i < hinges(); ++i) {
      const T a = table[3 * i], b = table[3 * i + 1];
      scratch[i] +=
          sum_over<T>(n, [&](std::size_t k) { return gradient[k] * (s[k] < b ? b - s[k] : T{0}); });
      scratch[hinges() + i] +=
          a * sum_over<T>(n, [&](std::size_t k) { return s[k] < b ? gradient[k] : T{0}; });
    }
  }
  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    for (std::size_t i = 0; i < hinges(); ++i) {
      gradient[kSlopes][i] += scratch[i];
      gradient[kHinges][i] += scratch[hinges() + i];
    }
  }

  std::vector<double> kinks(const NeuronTensors<const double>& tensors) const override {
    std::vector<double> all(tensors[kHinges], tensors[kHinges] + hinges());
    all.push_back(0);
    return all;
  }

 private:
  std::size_t hinges() const { return options_.hinges; }

  AplOptions options_;
};

}  // namespace

std::shared_ptr<const Activation> make_apl(const Settings& settings) {
  SettingsReader reader("apl", settings);
  const AplOptions options{reader.whole_number("hinges", 5, 1, 1000), reader.positive("range", 2),
                           reader.at_least_zero("init-noise", 0.1)};
  reader.finish();
  return std::make_shared<Apl>(options);
}

}  // namespace knotwork
