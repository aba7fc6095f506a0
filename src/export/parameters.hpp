// SPDX-License-Identifier: MIT
// These functions collect the parameters in the formulas of activations. (The functions that ONNX
// needs are exported for Knotwork::tools.)
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/network.hpp>

namespace knotwork::exporting {

struct Parameter {
  std::string name;
  std::size_t size = 1;        // numbers of each activation
  std::vector<double> values;  // one activation after the other
};

// Every trained tensor under its own name. For curves with knots also `origin`, the beginning of
// the first span, and `inverse_step`.
std::vector<Parameter> activation_parameters(const Activation& activation,
                                             std::span<const NeuronTensors<const double>> neurons);

// The parameters of the activations of a layer's neurons, whether the layer or another one owns
// them.
KNOTWORK_API std::vector<Parameter> layer_parameters(const Network& network, std::size_t layer);

KNOTWORK_API const Parameter& parameter_of(std::span<const Parameter> parameters,
                                           std::string_view name);

}  // namespace knotwork::exporting
