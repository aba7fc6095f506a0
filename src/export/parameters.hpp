// SPDX-License-Identifier: MIT
// The numbers that the formulas of activations are about. (What ONNX needs is exported for
// Knotwork::tools.)
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

// Every trained tensor by its own name. For curves that are looked up by knots also `origin`, where
// the first span begins, and `inverse_step`.
std::vector<Parameter> activation_parameters(const Activation& activation,
                                             std::span<const NeuronTensors<const double>> neurons);

// Those of the activations that a layer's neurons have, its own or another layer's.
KNOTWORK_API std::vector<Parameter> layer_parameters(const Network& network, std::size_t layer);

KNOTWORK_API const Parameter& parameter_of(std::span<const Parameter> parameters,
                                           std::string_view name);

}  // namespace knotwork::exporting
