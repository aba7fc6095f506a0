// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>
#include <utility>

#include "report/figures/diagram_nodes.hpp"
#include "report/figures/model_figures.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

using Activations = std::map<std::pair<std::size_t, std::size_t>, const FigurePoints*>;

// The learned curves of the first network, by layer and activation.
Activations learned_curves(const ModelReport& report) {
  Activations curves;
  for (const NeuronReport& neuron : report.neurons) {
    if (neuron.member == 0) curves[{neuron.layer, neuron.neuron}] = &neuron.learned;
  }
  return curves;
}

// The weights between the shown nodes. A bank joins units only to their own inputs.
std::vector<std::vector<double>> weights_between(const Network& network, std::size_t l,
                                                 const NodeIndices& before,
                                                 const NodeIndices& after) {
  const Layer& layer = network.layers()[l];
  const bool bank = layer.kind == LayerKind::bank;
  const std::span<const double> values = bank ? std::span<const double>() : weights_of(network, l);
  std::vector<std::vector<double>> weights;
  for (const std::size_t to : after) {
    std::vector<double>& row = weights.emplace_back();
    for (const std::size_t from : before) {
      row.push_back(bank ? (input_of_unit(layer, to) == from ? 1 : 0)
                         : values[to * layer.inputs + from]);
    }
  }
  return weights;
}

// The names of the outputs; two classes have one output, for the second class.
std::vector<std::string> output_names(const Model& model) {
  std::vector<std::string> names = short_prediction_names(model);
  if (names.size() == 2 && model.outputs() == 1) names.erase(names.begin());
  names.resize(model.outputs());
  return names;
}

NetworkLayer column_of(const ModelReport& report, const Activations& learned, std::size_t l,
                       const NodeIndices& before, const NodeIndices& shown) {
  const Network& network = report.model.members.front();
  const Layer& layer = network.layers()[l];
  NetworkLayer column{.name = layer_in_words(layer),
                      .nodes = std::vector<std::string>(shown.size()),
                      .weights = weights_between(network, l, before, shown),
                      .nodes_in_all = layer.outputs};
  if (l + 1 == network.layers().size()) {
    const std::vector<std::string> names = output_names(report.model);
    for (std::size_t k = 0; k < shown.size(); ++k) column.nodes[k] = names[shown[k]];
  }
  for (const std::size_t neuron : shown) {
    const auto found =
        learned.find({network.owner_of(l), network.activation_of(network.owner_of(l), neuron)});
    column.curves.push_back(found == learned.end() ? FigurePoints() : *found->second);
  }
  return column;
}

// " The figure shows only the 12 strongest of 20 nodes of layer 1; ..."; empty if it shows all
// nodes.
std::string what_is_drawn(const NetworkFigure& figure) {
  std::vector<std::string> parts;
  for (std::size_t column = 0; column < figure.layers.size(); ++column) {
    const NetworkLayer& layer = figure.layers[column];
    if (layer.nodes.size() >= layer.nodes_in_all) continue;
    const bool last = column + 1 == figure.layers.size();
    const std::string name = column == 0 ? "the inputs"
                             : last      ? "the outputs"
                                         : fmt::format("layer {}", column);
    parts.push_back(fmt::format("the {} {} of {} nodes of {}", layer.nodes.size(),
                                last ? "first" : "strongest", layer.nodes_in_all, name));
  }
  if (parts.empty()) return "";
  return fmt::format(
      " The figure shows only {}; the strongest nodes are the ones with the largest weights to the "
      "next layer.",
      listed(parts, parts.size()));
}

}  // namespace

PageFigure diagram(const ModelReport& report) {
  NetworkFigure figure{.title = "The network"};
  NetworkLayer& inputs = figure.layers.emplace_back();
  const Network& network = report.model.members.front();
  const std::vector<NodeIndices> shown = shown_nodes(network, figure.most_nodes);
  inputs.name = count(report.model.inputs.size(), "input");
  inputs.nodes_in_all = report.model.inputs.size();
  for (const std::size_t k : shown[0]) inputs.nodes.push_back(report.model.inputs[k].name());
  const Activations learned = learned_curves(report);
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    figure.layers.push_back(column_of(report, learned, l, shown[l], shown[l + 1]));
  }
  std::string caption =
      "Information flows from left to right. A thicker line is a larger weight, a dashed line a "
      "negative weight, and the curve in a node is its learned activation." +
      what_is_drawn(figure);
  if (report.model.members.size() > 1) {
    caption += fmt::format(" This is network 1 of {}.", report.model.members.size());
  }
  return {"network", network_figure(figure), caption};
}

}  // namespace knotwork::report
