// SPDX-License-Identifier: MIT
// Tests gradients of networks other than plain dense ones: shared activations, residual
// connections, banks, dropout.
#include <gtest/gtest.h>

#include <cmath>

#include "network/dropout.hpp"
#include "objective/test_samples.hpp"

#include <knotwork/objective.hpp>

namespace knotwork {
namespace {

using testing_networks::scatter;
using testing_samples::evaluate_all;
using testing_samples::evaluate_one;
using testing_samples::Evaluation;
using testing_samples::OwnedSamples;

constexpr double kStructureLimit = 1e-7;

std::shared_ptr<const Activation> named(const std::string& name) {
  return builtin_activations().at(name).make({});
}

ObjectiveOptions with_all_regularizers() {
  ObjectiveOptions options;
  for (const std::string& name : builtin_regularizers().names()) {
    if (!builtin_regularizers().at(name).make({})->is_smooth()) continue;
    const bool curved = name.find("curvature") != std::string::npos;
    options.regularizers.push_back(
        {builtin_regularizers().at(name).make({}), curved ? 1e-4 : 1e-2});
  }
  return options;
}

// The numbers of activations stay near their start, and samples near 0, because the values of
// activations with powers grow from layer to layer (see gradient_check_test.cpp).
void expect_right_gradient(Network network, const std::string& what, double step = 2e-6) {
  scatter(network, 0.2, 3, 0.01);
  OwnedSamples<double> samples(network, 21, 5, true, 1.0);
  GradientCheckOptions how;
  how.step = step;
  const GradientCheck result = check_gradient(network, std::get<Samples<double>>(samples.view()),
                                              with_all_regularizers(), how);
  EXPECT_LT(result.worst, kStructureLimit) << what;
  for (const GroupError& group : result.groups) EXPECT_GT(group.largest_gradient, 0) << what;
}

// Every entry of the table: in a bank, with a residual connection, and shared in both ways.
TEST(Structure, GradientsOfEveryActivation) {
  for (const ActivationEntry& entry : builtin_activations().entries()) {
    const auto activation = entry.make({});
    for (Sharing sharing : {Sharing::neuron, Sharing::layer, Sharing::network}) {
      expect_right_gradient(Network({{2, 6, activation, LayerKind::bank},
                                     {6, 4, activation, LayerKind::dense, false, sharing},
                                     {4, 4, activation, LayerKind::dense, true, sharing},
                                     {4, 4, activation, LayerKind::dense, true, sharing},
                                     {4, 2, named("identity")}}),
                            entry.name + ", shared by the " + std::string(to_string(sharing)));
    }
  }
}

TEST(Structure, ResidualConnectionsNextToFixedActivations) {
  for (const char* first : {"tanh", "spline"}) {
    for (const char* second : {"gelu", "spline"}) {
      expect_right_gradient(Network({{3, 4, named(first)},
                                     {4, 4, named(second), LayerKind::dense, true},
                                     {4, 4, named("softplus")},
                                     {4, 4, named("sigmoid"), LayerKind::dense, true}}),
                            std::string(first) + ", " + second);
    }
  }
}

// The gradient of a shared activation is the sum of the gradients of separate activations.
TEST(Structure, ASharedGradientIsTheSumOfThoseOfTheNeurons) {
  const auto spline = named("spline");
  Network shared({{3, 5, spline, LayerKind::dense, false, Sharing::network},
                  {5, 2, spline, LayerKind::dense, false, Sharing::network}});
  Network apart({{3, 5, spline}, {5, 2, spline}});
  scatter(shared, 0.2, 1);
  const auto points = shared.values(shared.tensor("layers.0.activation.control_points"));
  apart.initialize(0);
  for (const TensorInfo& tensor : apart.tensors()) {
    if (!tensor.trained) continue;
    const auto to = apart.values(tensor);
    if (tensor.group == ParameterGroup::activation) {
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = points[k % points.size()];
    } else {
      const auto from = shared.values(shared.tensor(tensor.name));
      std::copy(from.begin(), from.end(), to.begin());
    }
  }
  OwnedSamples<double> samples(shared, 50, 2);
  Objective of_shared(shared, samples.view(), {}), of_apart(apart, samples.view(), {});
  const Evaluation one = evaluate_all(of_shared, shared), many = evaluate_all(of_apart, apart);
  EXPECT_NEAR(one.value, many.value, 1e-13);
  std::vector<double> sum(points.size());
  for (const TensorInfo& tensor : apart.tensors()) {
    if (!tensor.trained || tensor.group != ParameterGroup::activation) continue;
    for (std::size_t k = 0; k < tensor.size; ++k) {
      sum[k % sum.size()] += many.gradient[tensor.offset + k];
    }
  }
  const std::size_t offset = shared.tensor("layers.0.activation.control_points").offset;
  for (std::size_t k = 0; k < sum.size(); ++k) {
    EXPECT_NEAR(one.gradient[offset + k], sum[k], 1e-13);
  }
}

TEST(Structure, ANetworkWithoutNumbersToTrainIsRefused) {
  const Network network({{2, 2, named("tanh"), LayerKind::bank}});
  OwnedSamples<double> samples(network, 10, 1);
  EXPECT_THROW(Objective(network, samples.view(), {}), Error);
}

ObjectiveOptions dropping(std::size_t batch, std::size_t threads = 1) {
  ObjectiveOptions options;
  options.dropout = 0.3;
  options.batch = batch;
  options.threads = threads;
  options.seed = 9;
  return options;
}

Network deep() {
  Network network({{3, 6, named("spline")},
                   {6, 6, named("spline"), LayerKind::dense, true},
                   {6, 5, named("tanh")},
                   {5, 2, named("identity")}});
  scatter(network, 0.2, 3);
  return network;
}

TEST(Dropout, GradientsAreThoseOfTheNetworkThatIsLeft) {
  Network network = deep();
  OwnedSamples<double> samples(network, 60, 5);
  Objective objective(network, samples.view(), dropping(20));
  objective.begin_epoch(4);
  const Evaluation at = evaluate_one(objective, 1, network);
  constexpr double kStep = 1e-6;
  for (std::size_t k = 0; k < network.parameters().size(); k += 3) {
    const double before = network.parameters()[k];
    network.parameters()[k] = before + kStep;
    const double above = evaluate_one(objective, 1, network).value;
    network.parameters()[k] = before - kStep;
    const double below = evaluate_one(objective, 1, network).value;
    network.parameters()[k] = before;
    EXPECT_NEAR(at.gradient[k], (above - below) / (2 * kStep), 1e-6 * at.largest()) << k;
  }
}

TEST(Dropout, DependsOnTheStepAndNotOnThreads) {
  const Network network = deep();
  OwnedSamples<float> samples(network, 5000, 5);
  Objective one(network, samples.view(), dropping(0)),
      three(network, samples.view(), dropping(0, 3));
  one.begin_epoch(1);
  three.begin_epoch(1);
  const Evaluation first = evaluate_one(one, 0, network);
  EXPECT_EQ(first, evaluate_one(three, 0, network));
  EXPECT_EQ(first, evaluate_one(one, 0, network));
  one.begin_epoch(2);
  EXPECT_NE(first, evaluate_one(one, 0, network));
  // The whole function drops nothing.
  Objective plain(network, samples.view(), {});
  EXPECT_EQ(evaluate_all(one, network), evaluate_all(plain, network));
}

TEST(Dropout, LeavesOutItsShareAndKeepsTheMean) {
  const Network network = deep();
  constexpr std::size_t kRows = 512;
  Workspace<double> workspace(network, kRows);
  double kept = 0, all = 0, sum = 0;
  for (std::uint64_t step = 0; step < 40; ++step) {
    draw_dropout(
        network, {0.3, 1, step}, kRows, [](std::size_t k) { return k; }, workspace);
    for (std::size_t l = 0; l < 3; ++l) {
      for (std::size_t o = 0; o < network.layers()[l].outputs; ++o) {
        for (std::size_t k = 0; k < kRows; ++k) {
          const double factor = workspace.layers[l].kept[o * workspace.stride + k];
          kept += factor > 0;
          sum += factor;
          ++all;
        }
      }
    }
    EXPECT_TRUE(workspace.layers[3].kept.empty()) << "outputs are not left out";
  }
  EXPECT_NEAR(kept / all, 0.7, 0.005);
  EXPECT_NEAR(sum / all, 1, 0.005);
}

TEST(Dropout, AShareThatIsNoneIsRefused) {
  const Network network = deep();
  OwnedSamples<double> samples(network, 20, 5);
  for (double share : {-0.1, 1.0, std::nan("")}) {
    ObjectiveOptions options;
    options.dropout = share;
    EXPECT_THROW(Objective(network, samples.view(), options), Error) << share;
  }
}

}  // namespace
}  // namespace knotwork
