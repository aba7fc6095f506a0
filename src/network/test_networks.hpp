// SPDX-License-Identifier: MIT
// This header makes networks and samples for tests, and contains the simplest possible forward
// pass.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <knotwork/network.hpp>
#include <knotwork/random.hpp>

namespace knotwork::testing_networks {

using Table = std::vector<std::vector<double>>;  // [row][column]

inline Table random_table(std::size_t rows, std::size_t columns, double scale, std::uint64_t seed) {
  const Random random(seed, Purpose::builtin_inputs);
  Table table(rows, std::vector<double>(columns));
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      // Rounded to float, so that both precisions see the same numbers.
      table[r][c] = static_cast<double>(static_cast<float>(scale * random.normal(r * columns + c)));
    }
  }
  return table;
}

template <class T>
std::vector<T> in_rows(const Table& table) {
  std::vector<T> values;
  for (const auto& row : table) values.insert(values.end(), row.begin(), row.end());
  return values;
}

template <class T>
std::vector<T> in_columns(const Table& table) {
  std::vector<T> values;
  for (std::size_t c = 0; c < table.front().size(); ++c) {
    for (const auto& row : table) values.push_back(static_cast<T>(row[c]));
  }
  return values;
}

// Sets every parameter at random, including biases and control points.
inline void scatter(Network& network, double scale, std::uint64_t seed,
                    double activation_scale = 0.3) {
  network.initialize(seed);
  const Random random(seed, Purpose::weights);
  for (const TensorInfo& tensor : network.tensors()) {
    if (!tensor.trained) continue;
    const auto values = network.values(tensor);
    const double spread = tensor.group == ParameterGroup::activation ? activation_scale : scale;
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] += spread * random.normal(1'000'000 + tensor.offset + k);
    }
  }
}

// Any of the built-in activations, including splines of different kinds.
inline std::shared_ptr<const Activation> any_activation(std::uint64_t choice) {
  const auto& table = builtin_activations().entries();
  const std::uint64_t kinds = table.size() + 3;
  const std::uint64_t kind = choice % kinds;
  if (kind < table.size()) return table[kind].make({});
  SplineOptions options;
  options.tails = kind == table.size() ? Tails::constant : Tails::linear;
  options.basis = kind == table.size() + 1 ? "b-spline" : "catmull-rom";
  options.knots = kind == table.size() + 2 ? 4 : 13;
  return make_spline_activation(options);
}

inline Network random_network(std::uint64_t seed, std::size_t widest = 12) {
  const Random random(seed, Purpose::folds);
  const std::size_t count = 1 + random.below(4, 0);
  std::vector<Layer> layers;
  std::size_t inputs = 1 + random.below(widest, 1);
  if (random.below(4, 2) == 0) {
    const std::size_t units = inputs * (1 + random.below(3, 3));
    layers.push_back({inputs, units, any_activation(random.bits(4)), LayerKind::bank});
    inputs = units;
  }
  for (std::size_t l = 0; l < count; ++l) {
    const bool residual = random.below(4, 30 + l) == 0;
    const std::size_t outputs = residual ? inputs : 1 + random.below(widest, 10 + l);
    layers.push_back({inputs, outputs, any_activation(random.bits(20 + l)), LayerKind::dense,
                      residual, random.below(4, 40 + l) == 0 ? Sharing::layer : Sharing::neuron});
    inputs = outputs;
  }
  Network network(std::move(layers));
  scatter(network, 0.2, seed);
  return network;
}

// Pre-activations and outputs of every layer for one row, from the network's named tensors.
struct Trace {
  std::vector<std::vector<double>> s, y;
};
inline Trace naive_forward(const Network& network, std::vector<double> x) {
  Trace trace;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    const std::string prefix = "layers." + std::to_string(l);
    std::vector<double> s(layer.outputs), y(layer.outputs);
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      if (layer.kind == LayerKind::bank) {
        s[o] = x[o / (layer.outputs / layer.inputs)];
      } else {
        const auto weight = network.values(network.tensor(prefix + ".weight"));
        s[o] = network.values(network.tensor(prefix + ".bias"))[o];
        for (std::size_t i = 0; i < layer.inputs; ++i) s[o] += weight[o * layer.inputs + i] * x[i];
      }
      y[o] = network.activate(l, o, s[o]) + (layer.residual ? x[o] : 0);
    }
    x = y;
    trace.s.push_back(std::move(s));
    trace.y.push_back(std::move(y));
  }
  return trace;
}

}  // namespace knotwork::testing_networks
