// SPDX-License-Identifier: MIT
// Penalties on integrals of squared derivatives of curves: of the curves of all layers, or of the
// layers of one kind.
#include <optional>

#include "objective/regularizers/builtin_regularizers.hpp"

namespace knotwork {
namespace {

class RoughnessPenalty final : public Regularizer {
 public:
  RoughnessPenalty(std::string_view name, Roughness which, std::optional<LayerKind> kind)
      : name_(name), which_(which), kind_(kind) {}
  std::string_view name() const override { return name_; }
  bool concerns(const Network& network) const override {
    return kind_ != LayerKind::bank || network.layers().front().kind == LayerKind::bank;
  }

  double add(const Network& network, std::span<const double> parameters, double lambda,
             std::span<double> gradient) const override {
    double sum = 0;
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      const Layer& layer = network.layers()[l];
      if (kind_ && layer.kind != *kind_) continue;
      for (std::size_t neuron = 0; neuron < network.own_activations(l); ++neuron) {
        sum += layer.activation->add_roughness(
            which_, network.activation_tensors(l, neuron, parameters), lambda,
            network.trained_tensors(l, neuron, gradient));
      }
    }
    return sum;
  }

 private:
  std::string_view name_;
  Roughness which_;
  std::optional<LayerKind> kind_;
};

}  // namespace

std::shared_ptr<const Regularizer> make_slope(const RegularizerOptions&) {
  return std::make_shared<RoughnessPenalty>("slope", Roughness::slope, std::nullopt);
}

std::shared_ptr<const Regularizer> make_curvature(const RegularizerOptions&) {
  return std::make_shared<RoughnessPenalty>("curvature", Roughness::curvature, LayerKind::dense);
}

std::shared_ptr<const Regularizer> make_bank_curvature(const RegularizerOptions&) {
  return std::make_shared<RoughnessPenalty>("bank-curvature", Roughness::curvature,
                                            LayerKind::bank);
}

}  // namespace knotwork
