// SPDX-License-Identifier: MIT
// Penalties on squared distances: of weights from zero, of control points from their start.
#include "objective/regularizers/builtin_regularizers.hpp"

namespace knotwork {
namespace {

class WeightsSquared final : public Regularizer {
 public:
  explicit WeightsSquared(bool free_bias) : free_bias_(free_bias) {}
  std::string_view name() const override { return "weights"; }

  double add(const Network& network, std::span<const double> parameters, double lambda,
             std::span<double> gradient) const override {
    double sum = 0;
    for (const TensorInfo& tensor : network.tensors()) {
      if (tensor.group == ParameterGroup::activation) continue;
      if (tensor.group == ParameterGroup::bias && free_bias_) continue;
      for (std::size_t k = tensor.offset; k < tensor.offset + tensor.size; ++k) {
        sum += parameters[k] * parameters[k];
        gradient[k] += 2 * lambda * parameters[k];
      }
    }
    return lambda * sum;
  }

 private:
  bool free_bias_;
};

class Damping final : public Regularizer {
 public:
  std::string_view name() const override { return "damping"; }

  double add(const Network& network, std::span<const double> parameters, double lambda,
             std::span<double> gradient) const override {
    double sum = 0;
    for (const TensorInfo& tensor : network.tensors()) {
      if (tensor.anchor < 0) continue;
      const auto start = network.values(network.tensors()[static_cast<std::size_t>(tensor.anchor)]);
      for (std::size_t k = 0; k < tensor.size; ++k) {
        const double distance = parameters[tensor.offset + k] - start[k];
        sum += distance * distance;
        gradient[tensor.offset + k] += 2 * lambda * distance;
      }
    }
    return lambda * sum;
  }
};

}  // namespace

std::shared_ptr<const Regularizer> make_weights_squared(const RegularizerOptions& options) {
  return std::make_shared<WeightsSquared>(options.free_bias);
}

std::shared_ptr<const Regularizer> make_damping(const RegularizerOptions&) {
  return std::make_shared<Damping>();
}

}  // namespace knotwork
