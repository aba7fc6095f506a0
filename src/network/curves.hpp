// SPDX-License-Identifier: MIT
// for_each_curve() visits the learned curves of a network, wherever their control points are
// stored.
#pragma once

#include <cstddef>
#include <span>

#include <knotwork/network.hpp>

namespace knotwork {

// Calls visit(shape, first) for every curve whose control points are trained: they are the
// parameters first .. first + shape.points - 1. A curve that several neurons share is visited once.
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
