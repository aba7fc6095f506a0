// SPDX-License-Identifier: MIT
#include "network/first_layers.hpp"

#include <algorithm>

namespace knotwork {

Network first_layers(const Network& network, std::size_t last, LayerEnd end) {
  std::vector<Layer> layers(network.layers().begin(),
                            network.layers().begin() + static_cast<std::ptrdiff_t>(last) + 1);
  if (end == LayerEnd::sums) {
    layers.back().activation = builtin_activations().at("identity").make({});
    layers.back().residual = false;
    layers.back().sharing = Sharing::neuron;
  }
  Network part(std::move(layers));
  for (const TensorInfo& tensor : part.tensors()) {
    const auto values = network.values(network.tensor(tensor.name));
    std::copy(values.begin(), values.end(), part.values(tensor).begin());
  }
  return part;
}

}  // namespace knotwork
