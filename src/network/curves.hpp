// SPDX-License-Identifier: MIT
// The learned curves of a network, wherever their control points stand.
#pragma once

#include <cstddef>
#include <span>

#include <knotwork/network.hpp>

namespace knotwork {

// Calls visit(shape, first) for every curve whose control points are trained: those are the
// parameters first .. first + shape.points - 1. Neurons that share a curve count as one.
template <class Visit>
void for_each_curve(const Network& network, std::span<const double> parameters,
                    const Visit& visit) {
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    for (std::size_t neuron = 0; neuron < network.own_activations(l); ++neuron) {
      const auto tensors = network.activation_tensors(l, neuron, parameters);
      const auto shape = layer.activation->curve_shape(tensors);
      if (!shape) break;  // its layer has none
      const double* const points = tensors[shape->tensor];
      visit(*shape, static_cast<std::size_t>(points - parameters.data()));
    }
  }
}

}  // namespace knotwork
