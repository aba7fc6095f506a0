// SPDX-License-Identifier: MIT
// Parametric ReLU: s above 0 and a s below, with a separate a for every neuron. He et al., "Delving
// deep into rectifiers", 2015; as in this paper, a starts at 0.25.
#include <cmath>

#include "activation/learned.hpp"
#include "activation/settings.hpp"

namespace knotwork {
namespace {

class Prelu final : public ActivationOf<Prelu> {
 public:
  std::string_view name() const override { return "prelu"; }
  std::vector<ActivationTensor> tensors() const override { return with_anchors({{"leak", 1}}); }
  void initialize(const NeuronTensors<double>& tensors, const InitialNoise&) const override {
    start_at({0.25}, tensors[0], tensors[1]);
  }

  std::size_t table_size() const override { return 1; }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& tensors, T* table) const {
    *table = *tensors[0];
  }

  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    const T leak = *table;
    // A slope of 0 times -infinity would be NaN.
    const T lowest = leak == 0 ? T{0} : -std::numeric_limits<T>::infinity();
    for (std::size_t k = 0; k < n; ++k) y[k] = s[k] <= 0 ? leak * std::max(s[k], lowest) : s[k];
    if (!slope) return;
    for (std::size_t k = 0; k < n; ++k) {
      slope[k] = std::isnan(s[k]) ? s[k] : (s[k] > 0 ? T{1} : leak);
    }
  }

  std::size_t scratch_size() const override { return 1; }
  template <class T>
  void accumulate_as(const T*, const T* s, const T* gradient, T* scratch, std::size_t n) const {
    *scratch += sum_over<T>(n, [&](std::size_t k) { return gradient[k] * std::min(s[k], T{0}); });
  }
  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    *gradient[0] += *scratch;
  }

  std::vector<double> kinks(const NeuronTensors<const double>&) const override { return {0}; }
  double max_slope(const NeuronTensors<const double>& tensors) const override {
    return std::max(1.0, std::abs(*tensors[0]));
  }
};

}  // namespace

std::shared_ptr<const Activation> make_prelu(const Settings& settings) {
  SettingsReader("prelu", settings).finish();
  return std::make_shared<Prelu>();
}

}  // namespace knotwork
