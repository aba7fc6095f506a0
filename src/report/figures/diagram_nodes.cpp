// SPDX-License-Identifier: MIT
#include "report/figures/diagram_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace knotwork::report {
namespace {

using Strengths = std::vector<double>;

// For each node before layer l, the sum of the squares of its outgoing weights.
Strengths strengths_before(const Network& network, std::size_t l, const Strengths& after) {
  const Layer& layer = network.layers()[l];
  Strengths strengths(layer.inputs, 0.0);
  if (layer.kind == LayerKind::bank) {
    for (std::size_t unit = 0; unit < layer.outputs; ++unit) {
      strengths[input_of_unit(layer, unit)] += after[unit];
    }
    return strengths;
  }
  const std::span<const double> weights = weights_of(network, l);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (std::isfinite(weights[k])) strengths[k % layer.inputs] += weights[k] * weights[k];
  }
  return strengths;
}

// The strengths of each column; all nodes of the last column are equal.
std::vector<Strengths> strengths_of(const Network& network) {
  const std::size_t layers = network.layers().size();
  std::vector<Strengths> columns(layers + 1);
  columns[layers].assign(network.layers().back().outputs, 0.0);
  for (std::size_t l = layers; l-- > 0;) {
    columns[l] = strengths_before(network, l, columns[l + 1]);
  }
  return columns;
}

// Equal nodes keep their order.
void sort_by_strength(NodeIndices& nodes, const Strengths& strengths) {
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](std::size_t a, std::size_t b) { return strengths[a] > strengths[b]; });
}

NodeIndices strongest(NodeIndices nodes, const Strengths& strengths, std::size_t most) {
  sort_by_strength(nodes, strengths);
  nodes.resize(std::min(nodes.size(), most));
  return nodes;
}

NodeIndices strongest_units(const Layer& bank, const NodeIndices& inputs,
                            const Strengths& strengths, std::size_t most) {
  const std::size_t each = bank.outputs / bank.inputs;
  NodeIndices best, others;
  for (const std::size_t input : inputs) {
    NodeIndices own(each);
    std::iota(own.begin(), own.end(), input * each);
    sort_by_strength(own, strengths);
    best.push_back(own.front());
    others.insert(others.end(), own.begin() + 1, own.end());
  }
  const NodeIndices more = strongest(others, strengths, most - std::min(most, best.size()));
  best.insert(best.end(), more.begin(), more.end());
  return best;
}

}  // namespace

std::span<const double> weights_of(const Network& network, std::size_t l) {
  return network.values(network.tensor(fmt::format("layers.{}.weight", l)));
}

std::size_t input_of_unit(const Layer& bank, std::size_t unit) {
  return unit / (bank.outputs / bank.inputs);
}

std::vector<NodeIndices> shown_nodes(const Network& network, std::size_t most) {
  const std::vector<Strengths> strengths = strengths_of(network);
  std::vector<NodeIndices> columns;
  for (std::size_t column = 0; column < strengths.size(); ++column) {
    const Layer* layer = column > 0 ? &network.layers()[column - 1] : nullptr;
    if (layer != nullptr && layer->kind == LayerKind::bank) {
      columns.push_back(strongest_units(*layer, columns.back(), strengths[column], most));
    } else {
      NodeIndices all(strengths[column].size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      columns.push_back(strongest(std::move(all), strengths[column], most));
    }
    std::sort(columns.back().begin(), columns.back().end());
  }
  return columns;
}

}  // namespace knotwork::report
