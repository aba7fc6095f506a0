// SPDX-License-Identifier: MIT
// Integrals of squared derivatives of every neuron's curve.
#include "objective/regularisers/regularisers.hpp"

namespace knotwork {
namespace {

class RoughnessPenalty final : public Regulariser {
 public:
  explicit RoughnessPenalty(Roughness which) : which_(which) {}
  std::string_view name() const override {
    return which_ == Roughness::slope ? "slope" : "curvature";
  }

  double add(const Network& network, std::span<const double> parameters, double lambda,
             std::span<double> gradient) const override {
    double sum = 0;
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      const Layer& layer = network.layers()[l];
      for (std::size_t neuron = 0; neuron < layer.outputs; ++neuron) {
        sum += layer.activation->add_roughness(
            which_, network.activation_tensors(l, neuron, parameters), lambda,
            network.trained_tensors(l, neuron, gradient));
      }
    }
    return sum;
  }

 private:
  Roughness which_;
};

}  // namespace

std::shared_ptr<const Regulariser> make_slope(const RegulariserOptions&) {
  return std::make_shared<RoughnessPenalty>(Roughness::slope);
}

std::shared_ptr<const Regulariser> make_curvature(const RegulariserOptions&) {
  return std::make_shared<RoughnessPenalty>(Roughness::curvature);
}

}  // namespace knotwork
