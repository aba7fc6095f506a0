// SPDX-License-Identifier: MIT
#include "export/parameters.hpp"

#include <algorithm>

#include "base/fail.hpp"

namespace knotwork::exporting {

std::vector<Parameter> activation_parameters(const Activation& activation,
                                             std::span<const NeuronTensors<const double>> neurons) {
  std::vector<Parameter> all;
  const std::vector<ActivationTensor> tensors = activation.tensors();
  std::size_t first_knot = tensors.size();
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const ActivationTensor& tensor = tensors[k];
    if (tensor.name == "first_knot") first_knot = k;
    const bool step = tensor.name == "step" && first_knot < k;
    if (!tensor.trained && !step) continue;
    Parameter parameter{step ? "inverse_step" : tensor.name, tensor.size, {}};
    Parameter origin{"origin", 1, {}};
    for (const NeuronTensors<const double>& neuron : neurons) {
      if (step) {
        origin.values.push_back(*neuron[first_knot] + *neuron[k]);
        parameter.values.push_back(1 / *neuron[k]);
      } else {
        parameter.values.insert(parameter.values.end(), neuron[k], neuron[k] + tensor.size);
      }
    }
    if (step) all.push_back(std::move(origin));
    all.push_back(std::move(parameter));
  }
  return all;
}

std::vector<Parameter> layer_parameters(const Network& network, std::size_t layer) {
  const std::size_t owner = network.owner_of(layer);
  std::vector<NeuronTensors<const double>> neurons;
  for (std::size_t k = 0; k < network.own_activations(owner); ++k) {
    neurons.push_back(network.activation_tensors(owner, k, network.parameters()));
  }
  return activation_parameters(*network.layers()[layer].activation, neurons);
}

const Parameter& parameter_of(std::span<const Parameter> parameters, std::string_view name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  if (found != parameters.end()) return *found;
  fail(ErrorKind::bad_model, "The model cannot be exported: an activation has no '{}'.", name);
}

}  // namespace knotwork::exporting
