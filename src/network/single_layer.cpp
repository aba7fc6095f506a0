// SPDX-License-Identifier: MIT
#include "network/single_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace knotwork {

Network single_layer(const Network& network, std::size_t layer, LayerEnd end) {
  Layer alone = network.layers()[layer];
  alone.sharing = alone.sharing == Sharing::network ? Sharing::layer : alone.sharing;
  if (end == LayerEnd::sums) {
    alone.activation = builtin_activations().at("identity").make({});
    alone.residual = false;
    alone.sharing = Sharing::neuron;
  }
  Network part({std::move(alone)});
  constexpr std::string_view kLayer = "layers.0";
  for (const TensorInfo& tensor : part.tensors()) {
    const bool is_shared = tensor.group == ParameterGroup::activation;
    const std::size_t home = is_shared ? network.owner_of(layer) : layer;
    const auto values = network.values(
        network.tensor(fmt::format("layers.{}{}", home, tensor.name.substr(kLayer.size()))));
    std::copy(values.begin(), values.end(), part.values(tensor).begin());
  }
  return part;
}

}  // namespace knotwork
