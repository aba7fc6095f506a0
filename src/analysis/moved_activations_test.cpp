// SPDX-License-Identifier: MIT
#include <knotwork/neurons.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace knotwork::analysis {
namespace {

// A model with two inputs, three neurons and one output. Its splines start as the identity without
// noise, on a drawn range of [-1.8, 1.8], so their spread is 3.6.
Model untrained(std::size_t members, const char* init = "identity",
                const std::string& basis = "catmull-rom", double tension = 0) {
  SplineOptions options;
  options.init = init;
  options.basis = basis;
  options.tension = tension;
  options.init_noise = 0;
  const auto spline = make_spline_activation(options);
  Model model;
  for (std::size_t m = 0; m < members; ++m) {
    model.members.push_back(make_network({2, 3, 1}, spline, spline));
    model.members.back().initialize(m);
  }
  return model;
}

std::span<double> control_points(Model& model, std::size_t member, std::size_t layer,
                                 std::size_t neuron) {
  Network& network = model.members[member];
  const TensorInfo& tensor =
      network.tensor("layers." + std::to_string(layer) + ".activation.control_points");
  const std::size_t each = tensor.shape[1];
  return network.values(tensor).subspan(neuron * each, each);
}

TEST(MovedActivations, AnUntrainedModelHasNotMovedAndIsListedInItsOrder) {
  const auto moved = moved_activations(untrained(2));
  ASSERT_EQ(moved.size(), 8u);
  for (std::size_t k = 0; k < moved.size(); ++k) {
    EXPECT_EQ(moved[k].distance, 0);
    EXPECT_EQ(moved[k].member, k / 4);
    EXPECT_EQ(moved[k].layer, k % 4 / 3);
    EXPECT_EQ(moved[k].neuron, k % 4 % 3);
  }
}

TEST(MovedActivations, AShiftedCurveIsAsFarAsItsShiftRelativeToTheSpread) {
  for (const char* basis : {"catmull-rom", "b-spline"}) {
    Model model = untrained(1, "identity", basis);
    for (double& point : control_points(model, 0, 0, 1)) point += 0.9;
    const MovedActivation first = moved_activations(model).front();
    EXPECT_EQ(first.layer, 0u);
    EXPECT_EQ(first.neuron, 1u);
    EXPECT_NEAR(first.distance, 0.25, 1e-12) << basis;
  }
}

TEST(MovedActivations, CurvesAreThoseThatTheNetworkComputes) {
  for (const SplineBasis& basis : spline_bases().entries()) {
    Model model = untrained(1, "tanh", basis.name, basis.with_tension ? 0.5 : 0);
    control_points(model, 0, 0, 1)[9] += 0.9;
    const MovedActivation first = moved_activations(model).front();
    ASSERT_EQ(first.neuron, 1u);
    for (const FigurePoint& point : first.learned) {
      EXPECT_NEAR(point.y, model.members[0].activate(0, 1, point.x), 1e-15) << basis.name;
    }
  }
}

TEST(MovedActivations, AreasOnBothSidesAddUp) {
  Model model = untrained(1);
  // The mirrored line: |2x| has the mean 1.8 over the range; halves of opposite sign must not
  // cancel.
  for (double& point : control_points(model, 0, 1, 0)) point = -point;
  EXPECT_NEAR(moved_activations(model).front().distance, 1.8 / 3.6, 1e-12);
}

TEST(MovedActivations, CurvesAreThoseOfTheNetworkAndEndAtTheDrawnRange) {
  Model model = untrained(1, "tanh");
  for (double& point : control_points(model, 0, 0, 2)) point = point * point + 1;
  const MovedActivation first = moved_activations(model).front();
  ASSERT_EQ(first.neuron, 2u);
  ASSERT_EQ(first.learned.size(), first.initial.size());
  EXPECT_NEAR(first.learned.front().x, -1.8, 1e-12);
  EXPECT_NEAR(first.learned.back().x, 1.8, 1e-12);
  for (std::size_t k = 0; k < first.learned.size(); ++k) {
    const double x = first.learned[k].x;
    EXPECT_EQ(first.initial[k].x, x);
    EXPECT_NEAR(first.learned[k].y, model.members[0].activate(0, 2, x), 1e-12);
    EXPECT_NEAR(first.initial[k].y, std::tanh(x), 1e-3);
  }
  ASSERT_EQ(first.control_points.size(), 21u);
  EXPECT_NEAR(first.control_points.front().x, -2, 1e-12);
  EXPECT_EQ(first.control_points[3].y, control_points(model, 0, 0, 2)[3]);
}

TEST(MovedActivations, TheFarthestComeFirstAndNoMoreThanAskedFor) {
  Model model = untrained(3);
  control_points(model, 1, 0, 0)[10] += 3;
  control_points(model, 2, 1, 0)[10] += 5;
  const auto moved = moved_activations(model, 2);
  ASSERT_EQ(moved.size(), 2u);
  EXPECT_EQ(moved[0].member, 2u);
  EXPECT_EQ(moved[1].member, 1u);
  EXPECT_GT(moved[0].distance, moved[1].distance);
}

TEST(MovedActivations, AFlatStartCountsAsOneAndOtherActivationsArePassedOver) {
  Model model;
  const auto tanh = builtin_activations().at("tanh").make({});
  model.members.push_back(make_network({2, 3, 1}, make_spline_activation(), tanh));
  Network& network = model.members.front();
  network.initialize(0);
  for (const char* name : {"control_points", "anchor"}) {
    const TensorInfo& tensor = network.tensor(std::string("layers.0.activation.") + name);
    for (double& value : network.values(tensor)) value = name[0] == 'a' ? 0.5 : 0.75;
  }
  const auto moved = moved_activations(model);
  ASSERT_EQ(moved.size(), 3u);
  EXPECT_NEAR(moved.front().distance, 0.25, 1e-12);
}

}  // namespace
}  // namespace knotwork::analysis
