// SPDX-License-Identifier: MIT
// Tests layers other than plain dense ones, and initial weights that keep a deep network's signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "network/test_networks.hpp"

#include <knotwork/error.hpp>

namespace knotwork {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const Activation> named(const std::string& name) {
  return builtin_activations().at(name).make({});
}

std::string refusal(std::vector<Layer> layers) {
  try {
    Network network(std::move(layers));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Layers, ABankHasCurvesAndNoWeights) {
  const Network network({{2, 6, named("spline"), LayerKind::bank}, {6, 1, named("identity")}});
  std::vector<std::string> names;
  for (const TensorInfo& tensor : network.tensors()) names.push_back(tensor.name);
  EXPECT_THAT(names, ElementsAre("layers.0.activation.control_points",
                                 "layers.0.activation.first_knot", "layers.0.activation.step",
                                 "layers.0.activation.anchor", "layers.1.weight", "layers.1.bias"));
  EXPECT_THAT(network.tensor("layers.0.activation.control_points").shape, ElementsAre(6, 21));
}

TEST(Layers, SharedActivationsHaveOneRow) {
  const auto spline = named("spline");
  const Network layer({{2, 3, spline, LayerKind::dense, false, Sharing::layer},
                       {3, 1, spline, LayerKind::dense, false, Sharing::layer}});
  EXPECT_THAT(layer.tensor("layers.0.activation.control_points").shape, ElementsAre(1, 21));
  EXPECT_THAT(layer.tensor("layers.0.activation.step").shape, ElementsAre(1));
  EXPECT_EQ(layer.own_activations(1), 1u);
  EXPECT_EQ(layer.owner_of(1), 1u);
  EXPECT_EQ(layer.activation_tensors(0, 2, layer.parameters()),
            layer.activation_tensors(0, 0, layer.parameters()));

  const Network network({{2, 3, named("tanh")},
                         {3, 3, spline, LayerKind::dense, false, Sharing::network},
                         {3, 1, spline, LayerKind::dense, false, Sharing::network}});
  EXPECT_EQ(network.parameters().size(), 9u + 12 + 21 + 4);
  EXPECT_EQ(network.own_activations(1), 1u);
  EXPECT_EQ(network.own_activations(2), 0u);
  EXPECT_EQ(network.owner_of(2), 1u);
  EXPECT_EQ(network.activation_tensors(2, 0, network.parameters()),
            network.activation_tensors(1, 2, network.parameters()));
}

TEST(Layers, TensorsAreFoundByTheirNames) {
  const auto tanh = builtin_activations().at("adaptive-tanh").make({});
  const Network network = make_network(std::vector<std::size_t>(13, 2), tanh, tanh);
  for (const TensorInfo& tensor : network.tensors()) {
    EXPECT_EQ(&network.tensor(tensor.name), &tensor) << tensor.name;
  }
  for (const char* name : {"", "layers.", "layers.x.bias", "layers.12.bias", "layers.01.bias",
                           "layers.1.biases", "layers.99999999999999999999.bias", "bias"}) {
    EXPECT_THROW(network.tensor(name), Error) << name;
  }
}

TEST(Layers, WhatCannotBeIsRefused) {
  const auto tanh = named("tanh"), spline = named("spline");
  EXPECT_THAT(refusal({{2, 4, tanh}, {4, 8, tanh, LayerKind::bank}, {8, 1, tanh}}),
              HasSubstr("Layer 1 is a bank of units for each input; only the first"));
  EXPECT_THAT(refusal({{2, 5, tanh, LayerKind::bank}, {5, 1, tanh}}),
              HasSubstr("the same number of units for each input, not 5"));
  EXPECT_THAT(refusal({{2, 3, tanh, LayerKind::dense, true}}), HasSubstr("2 inputs and 3 outputs"));
  EXPECT_THAT(refusal({{2, 2, tanh, LayerKind::bank, true}, {2, 1, tanh}}), HasSubstr("residual"));
  EXPECT_THAT(refusal({{2, 2, spline, LayerKind::dense, false, Sharing::network},
                       {2, 1, tanh, LayerKind::dense, false, Sharing::network}}),
              HasSubstr("'spline' and 'tanh' cannot share an activation"));
  EXPECT_THROW(from_string<LayerKind>("sparse"), Error);
  EXPECT_THROW(from_string<Sharing>("all"), Error);
  for (Sharing sharing : {Sharing::neuron, Sharing::layer, Sharing::network}) {
    EXPECT_EQ(from_string<Sharing>(to_string(sharing)), sharing);
  }
  for (LayerKind kind : {LayerKind::dense, LayerKind::bank}) {
    EXPECT_EQ(from_string<LayerKind>(to_string(kind)), kind);
  }
}

// The standard deviation of the inputs of each layer's neurons, over random rows.
std::vector<double> spreads(const Network& network) {
  const auto rows = testing_networks::random_table(200, network.inputs(), 1, 4);
  std::vector<double> squares(network.layers().size());
  for (const auto& row : rows) {
    const auto trace = testing_networks::naive_forward(network, row);
    for (std::size_t l = 0; l < squares.size(); ++l) {
      for (double s : trace.s[l]) {
        squares[l] += s * s / static_cast<double>(rows.size() * trace.s[l].size());
      }
    }
  }
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

TEST(WeightStart, UnitVarianceIsKeptThroughTenLayersOfEveryActivation) {
  for (const ActivationEntry& entry : builtin_activations().entries()) {
    if (entry.name == "polynomial") continue;  // a few extreme values dominate its deviation
    for (bool residual : {false, true}) {
      std::vector<Layer> layers = {{30, 60, entry.make({})}};
      for (int l = 0; l < 9; ++l)
        layers.push_back({60, 60, entry.make({}), LayerKind::dense, residual});
      Network network(layers);
      network.initialize(5, WeightStart::unit_variance);
      const std::vector<double> received = spreads(network);
      for (double spread : received) {
        EXPECT_GT(spread, 0.5) << entry.name << (residual ? ", residual" : "");
        // The signals past a layer and through it are not independent.
        EXPECT_LT(spread, residual ? 4 : 2) << entry.name << (residual ? ", residual" : "");
      }
    }
  }
  // With glorot the signals fade.
  Network network(std::vector<Layer>(10, {60, 60, named("relu")}));
  network.initialize(5);
  EXPECT_LT(spreads(network).back(), 0.2);
}

}  // namespace
}  // namespace knotwork
