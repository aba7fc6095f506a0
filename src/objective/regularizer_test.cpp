// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "network/test_networks.hpp"

#include <knotwork/regularizer.hpp>

namespace knotwork {
namespace {

Network penalized_network() {
  SplineOptions smooth;
  smooth.basis = "b-spline";
  smooth.knots = 11;
  smooth.range = 1.5;
  std::vector<Layer> layers = {{3, 4, make_spline_activation()},
                               {4, 2, builtin_activations().at("tanh").make({})},
                               {2, 2, make_spline_activation(smooth)}};
  Network network(std::move(layers));
  testing_networks::scatter(network, 0.4, 3);
  return network;
}

struct Result {
  double value;
  std::vector<double> gradient;
};
Result apply(const std::string& name, const Network& network, double lambda,
             const RegularizerOptions& options = {}, double already = 0) {
  Result result{0, std::vector<double>(network.parameters().size(), already)};
  result.value = builtin_regularizers().at(name).make(options)->add(network, network.parameters(),
                                                                    lambda, result.gradient);
  return result;
}

TEST(Regularizer, WeightsAreSquaredWithTheirBiasesUnlessThoseAreFree) {
  const Network network = penalized_network();
  for (bool free_bias : {false, true}) {
    double sum = 0;
    std::vector<double> gradient(network.parameters().size(), 0.25);
    for (const TensorInfo& tensor : network.tensors()) {
      if (tensor.group == ParameterGroup::activation) continue;
      if (tensor.group == ParameterGroup::bias && free_bias) continue;
      const auto values = network.values(tensor);
      for (std::size_t k = 0; k < tensor.size; ++k) {
        sum += values[k] * values[k];
        gradient[tensor.offset + k] += 2 * 0.3 * values[k];
      }
    }
    const Result got = apply("weights", network, 0.3, {free_bias}, 0.25);
    EXPECT_NEAR(got.value, 0.3 * sum, 1e-14 * sum);
    for (std::size_t k = 0; k < gradient.size(); ++k)
      EXPECT_DOUBLE_EQ(got.gradient[k], gradient[k]);
  }
}

TEST(Regularizer, DampingIsTheDistanceFromTheStartWithoutNoise) {
  const Network network = penalized_network();
  double sum = 0;
  std::vector<double> gradient(network.parameters().size(), 0.25);
  for (const char* layer : {"layers.0", "layers.2"}) {
    const std::string prefix = std::string(layer) + ".activation.";
    const TensorInfo& tensor = network.tensor(prefix + "control_points");
    const auto q = network.values(tensor),
               start = network.values(network.tensor(prefix + "anchor"));
    for (std::size_t k = 0; k < q.size(); ++k) {
      sum += (q[k] - start[k]) * (q[k] - start[k]);
      gradient[tensor.offset + k] += 2 * 0.3 * (q[k] - start[k]);
    }
  }
  ASSERT_GT(sum, 1);
  const Result got = apply("damping", network, 0.3, {}, 0.25);
  EXPECT_NEAR(got.value, 0.3 * sum, 1e-14 * sum);
  for (std::size_t k = 0; k < gradient.size(); ++k) EXPECT_DOUBLE_EQ(got.gradient[k], gradient[k]);
}

TEST(Regularizer, DampingOfAStartWithoutNoiseIsZero) {
  SplineOptions options;
  options.noise_share = 0;
  Network network =
      make_network({3, 4, 1}, make_spline_activation(options), make_spline_activation(options));
  network.initialize(1);
  EXPECT_EQ(apply("damping", network, 1).value, 0);
}

TEST(Regularizer, RoughnessIsSummedOverAllCurves) {
  const Network network = penalized_network();
  for (const auto& [name, which] :
       {std::pair("slope", Roughness::slope), std::pair("curvature", Roughness::curvature)}) {
    double sum = 0;
    for (const auto& [layer, basis, knots] :
         {std::tuple("layers.0", "catmull-rom", Knots::symmetric(2, 21)),
          std::tuple("layers.2", "b-spline", Knots::symmetric(1.5, 11))}) {
      const auto q =
          network.values(network.tensor(std::string(layer) + ".activation.control_points"));
      for (std::size_t first = 0; first < q.size(); first += knots.count) {
        sum += add_roughness(roughness_form(spline_bases().at(basis), which), which, knots.step,
                             q.subspan(first, knots.count), 1, {});
      }
    }
    EXPECT_NEAR(apply(name, network, 0.3).value, 0.3 * sum, 1e-13 * sum) << name;
  }
}

TEST(Regularizer, RoughnessFollowsTheNeuronsOwnStep) {
  Network network = penalized_network();
  const double before = apply("curvature", network, 1).value;
  for (const char* name : {"layers.0.activation.step", "layers.2.activation.step"}) {
    for (double& step : network.values(network.tensor(name))) step *= 2;
  }
  EXPECT_NEAR(apply("curvature", network, 1).value, before / 8, 1e-12 * before);
}

TEST(Regularizer, NetworksWithoutCurvesHaveNothingToSmooth) {
  const auto tanh = builtin_activations().at("tanh").make({});
  Network network = make_network({3, 4, 1}, tanh, tanh);
  network.initialize(1);
  for (const char* name : {"damping", "slope", "curvature", "kinks"}) {
    const Result got = apply(name, network, 5, {}, 0.5);
    EXPECT_EQ(got.value, 0) << name;
    for (double g : got.gradient) EXPECT_EQ(g, 0.5);
  }
}

// Every smooth regularizer is quadratic, so central differences are exact for any step.
// proximal_test.cpp tests the others.
TEST(Regularizer, GradientIsTheCentralDifference) {
  std::vector<Layer> layers = penalized_network().layers();
  layers.insert(layers.begin(), {1, 3, make_spline_activation(), LayerKind::bank});
  Network network(std::move(layers));
  testing_networks::scatter(network, 0.4, 3);
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    if (!entry.make({})->is_smooth()) continue;
    const Result here = apply(entry.name, network, 0.3);
    EXPECT_GT(here.value, 0);
    EXPECT_EQ(entry.make({})->name(), entry.name);
    double largest = 0;
    for (std::size_t k = 0; k < here.gradient.size(); ++k) {
      const double p = network.parameters()[k];
      network.parameters()[k] = p + 1;
      const double above = apply(entry.name, network, 0.3).value;
      network.parameters()[k] = p - 1;
      const double below = apply(entry.name, network, 0.3).value;
      network.parameters()[k] = p;
      ASSERT_NEAR(here.gradient[k], (above - below) / 2, 1e-12 * (above + below)) << entry.name;
      largest = std::max(largest, std::fabs(here.gradient[k]));
    }
    EXPECT_GT(largest, 1e-3) << entry.name;
  }
}

TEST(Regularizer, SharedCurvesCountOnceAndBanksByThemselves) {
  const auto spline = make_spline_activation();
  Network shared({{2, 5, spline, LayerKind::dense, false, Sharing::network},
                  {5, 3, spline, LayerKind::dense, false, Sharing::network}});
  Network one({{2, 1, spline}});
  Network bank(
      {{1, 1, spline, LayerKind::bank}, {1, 1, builtin_activations().at("tanh").make({})}});
  for (Network* network : {&shared, &one, &bank}) {
    network->initialize(0);
    const auto points = network->values(network->tensor("layers.0.activation.control_points"));
    for (std::size_t k = 0; k < points.size(); ++k) points[k] = std::sin(static_cast<double>(k));
  }
  const double curvature = apply("curvature", one, 1).value;
  EXPECT_GT(curvature, 1);
  EXPECT_EQ(apply("curvature", shared, 1).value, curvature);
  EXPECT_EQ(apply("damping", shared, 1).value, apply("damping", one, 1).value);
  EXPECT_EQ(apply("bank-curvature", bank, 1).value, curvature);
  EXPECT_EQ(apply("curvature", bank, 1).value, 0);
  EXPECT_EQ(apply("bank-curvature", one, 1).value, 0);
  // The slope penalty has one weight for the curves of all layers.
  EXPECT_GT(apply("slope", one, 1).value, 1);
  EXPECT_EQ(apply("slope", bank, 1).value, apply("slope", one, 1).value);
}

TEST(Regularizer, OnlyThatOfBanksConcernsSomeNetworks) {
  const auto spline = builtin_activations().at("spline").make({});
  const Network plain({{2, 2, spline}});
  Layer front{2, 4, spline};
  front.kind = LayerKind::bank;
  const Network bank({front, {4, 1, spline}});
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    const auto regularizer = entry.make({});
    EXPECT_TRUE(regularizer->concerns(bank)) << entry.name;
    EXPECT_EQ(regularizer->concerns(plain), entry.name != "bank-curvature") << entry.name;
  }
}

}  // namespace
}  // namespace knotwork
