// SPDX-License-Identifier: MIT
#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/neurons.hpp>
#include <knotwork/training.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <knotwork/error.hpp>

namespace knotwork::analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Table table_of(std::vector<double> x) {
  return {"made.csv", {"x"}, {std::move(x)}};
}

// A model with one input, splines that receive it times 1 and times `second`, and their plain sum.
Model small_model(const SplineOptions& options, double second) {
  Model model;
  model.members.push_back(make_network({1, 2, 1}, make_spline_activation(options),
                                       builtin_activations().at("identity").make({})));
  Network& network = model.members[0];
  network.initialize(1);
  network.values(network.tensor("layers.0.weight"))[0] = 1;
  network.values(network.tensor("layers.0.weight"))[1] = second;
  network.values(network.tensor("layers.1.weight"))[0] = 1;
  network.values(network.tensor("layers.1.weight"))[1] = 1;
  model.inputs = {{.column = "x"}};
  model.targets = {{"y", {}}};
  return model;
}

SplineOptions without_noise() {
  SplineOptions options;
  options.init_noise = 0;
  return options;
}

TEST(KnotUse, SharesOfTheTailsAreThoseOfTheSamples) {
  // Curves are drawn on [-1.8, 1.8]; the second neuron receives the negative input.
  const auto layers =
      knot_use(small_model(without_noise(), -1), table_of({-3, -2, 0, 0.5, 1.7, 1.9, 5, 7}));
  ASSERT_THAT(layers, SizeIs(2));
  EXPECT_TRUE(layers[0].splines);
  EXPECT_DOUBLE_EQ(layers[0].neurons[0].left_tail, 2.0 / 8);
  EXPECT_DOUBLE_EQ(layers[0].neurons[0].right_tail, 3.0 / 8);
  EXPECT_DOUBLE_EQ(layers[0].neurons[1].left_tail, 3.0 / 8);
  EXPECT_DOUBLE_EQ(layers[0].left_tail, 5.0 / 16);
  EXPECT_DOUBLE_EQ(layers[0].right_tail, 5.0 / 16);
  EXPECT_FALSE(layers[1].splines);
  EXPECT_EQ(layers[1].left_tail + layers[1].right_tail, 0);
  EXPECT_EQ(layers[1].control_points, 0u);
}

// The gradient of a sample's value shows which points it touches, if the sample is between two
// knots.
TEST(KnotUse, PointsThatNoSampleTouchesAreThoseWithoutGradient) {
  const std::vector<std::vector<double>> samples = {
      {0.11},     {-1.7, -1.33, 0.45},
      {-9, 1.05}, {9},
      {-9, 9},    {-1.75, -1.05, -0.3, 0.33, 0.71, 1.75}};
  for (const SplineBasis& basis : spline_bases().entries()) {
    for (const Tails tails : {Tails::linear, Tails::constant}) {
      SplineOptions options = without_noise();
      options.basis = basis.name;
      options.tails = tails;
      for (const auto& x : samples) {
        const Knots knots;
        const Spline spline(basis, tails, knots,
                            fit_control_points(basis, knots, initial_functions().at("tanh")));
        std::vector<bool> touched(knots.count);
        for (const double s : x) {
          std::vector<double> gradient(knots.count);
          spline.add_control_point_gradient(s, 1, gradient);
          for (std::size_t k = 0; k < knots.count; ++k) {
            if (std::fabs(gradient[k]) > 1e-12) touched[k] = true;
          }
        }
        const auto idle =
            static_cast<std::size_t>(std::count(touched.begin(), touched.end(), false));
        const auto layers = knot_use(small_model(options, 1), table_of(x));
        EXPECT_EQ(layers[0].neurons[0].untouched, idle) << basis.name << " " << x[0];
        EXPECT_EQ(layers[0].untouched, 2 * idle);
        EXPECT_EQ(layers[0].control_points, 42u);
      }
    }
  }
}

TEST(KnotUse, SpreadsAreStandardDeviationsAndDeadNeuronsAreCounted) {
  const auto layers = knot_use(small_model(without_noise(), 0), table_of({-1, 1, -1, 1}));
  EXPECT_DOUBLE_EQ(layers[0].neurons[0].input_spread, 1);
  EXPECT_NEAR(layers[0].neurons[0].output_spread, std::tanh(1.0), 1e-12);
  EXPECT_FALSE(layers[0].neurons[0].dead);
  EXPECT_EQ(layers[0].neurons[1].input_spread, 0);  // receives 0 always
  EXPECT_TRUE(layers[0].neurons[1].dead);
  EXPECT_EQ(layers[0].dead, 1u);
  EXPECT_NEAR(layers[0].input_spread, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(layers[0].output_spread, std::tanh(1.0) * std::sqrt(0.5), 1e-12);
  EXPECT_EQ(layers[1].dead, 0u);
}

TEST(KnotUse, LooksAtTheGivenRowsAndAtFiniteNumbersOnly) {
  const double infinite = std::numeric_limits<double>::infinity();
  const Table table = table_of({0.5, 3, infinite, -0.5});
  const std::vector<std::size_t> rows = {0, 2, 3};
  const auto layers = knot_use(small_model(without_noise(), 1), table, rows);
  EXPECT_EQ(layers[0].right_tail, 0);
  EXPECT_DOUBLE_EQ(layers[0].neurons[0].input_spread, 0.5);
  const std::vector<std::size_t> beyond = {4};
  try {
    knot_use(small_model(without_noise(), 1), table, beyond);
    ADD_FAILURE() << "row 4 is not there";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Row 4 was requested"));
  }
}

TEST(KnotUse, EveryMemberHasItsLayers) {
  Model model = small_model(without_noise(), 1);
  model.members.push_back(model.members[0]);
  const auto layers = knot_use(model, table_of({0, 1}));
  ASSERT_THAT(layers, SizeIs(4));
  EXPECT_EQ(layers[3].member, 1u);
  EXPECT_EQ(layers[3].layer, 1u);
}

TEST(KnotUse, ACurveOfSeveralLayersIsTouchedByWhatAnyOfThemReceives) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options;
  options.hidden = {3, 3};
  options.output_activation = "identity";
  options.spline.knots = 61;
  options.iterations = 10;
  options.sharing = Sharing::network;
  const Model model = train(table, {}, options);
  const std::vector<LayerUse> use = knot_use(model, table);
  EXPECT_EQ(use[0].untouched, use[1].untouched);
  std::size_t least = 61;
  for (const LayerUse& layer : use) {
    for (const NeuronUse& neuron : layer.neurons) {
      if (layer.splines) least = std::min(least, neuron.untouched);
    }
  }
  EXPECT_LE(use[0].untouched, least);
}

}  // namespace
}  // namespace knotwork::analysis
