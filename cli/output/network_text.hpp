// SPDX-License-Identifier: MIT
// Networks and their neurons as text for the terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <knotwork/model.hpp>
#include <knotwork/neurons.hpp>

namespace knotwork::cli {

// "8 inputs - 20 splines - 1, ensemble of 8, 1234 parameters"
std::string describe_network(const Model& model);
std::size_t count_parameters(const Model& model);  // of all members

// For a model with bounded slopes (max-slope): the largest factor by which its scaled outputs can
// change relative to a change of its scaled inputs.
std::optional<double> bound_on_changes(const Model& model);
// The bound as a sentence; empty for other models.
std::string describe_bound(const Model& model);

// LAYER:NEURON, or NETWORK:LAYER:NEURON in an ensemble, all counted from 1.
std::string neuron_name(const MovedActivation& neuron, const Model& model);

// Small plots side by side: learned and initial curves.
std::vector<std::string> plot_neurons(const std::vector<MovedActivation>& neurons,
                                      const Model& model, std::size_t width);
// One large plot.
std::vector<std::string> plot_neuron(const MovedActivation& neuron, std::size_t width);
inline constexpr const char* kPlotKey = "* learned   . at the start";

}  // namespace knotwork::cli
