// SPDX-License-Identifier: MIT
#include <knotwork/knots.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "network/single_layer.hpp"
#include "network/test_networks.hpp"

#include <knotwork/error.hpp>

namespace knotwork {
namespace {

using testing_networks::in_columns;
using testing_networks::naive_forward;
using testing_networks::random_table;
using testing_networks::scatter;
using Rows = testing_networks::Table;

Network spline_network(const std::vector<std::size_t>& sizes, SplineOptions options = {}) {
  const auto spline = make_spline_activation(options);
  Network network = make_network(sizes, spline, spline);
  network.initialize(3);
  return network;
}

struct Inputs {
  explicit Inputs(Rows table) : rows(std::move(table)), columns(in_columns<double>(rows)) {}
  MatrixView<const double> view() const {
    return column_major(std::span<const double>(columns), rows.size(), rows.front().size());
  }
  Rows rows;
  std::vector<double> columns;
};

// The inputs of a neuron, sorted.
std::vector<double> received(const Network& network, const Inputs& inputs, std::size_t layer,
                             std::size_t neuron) {
  std::vector<double> all;
  for (const auto& row : inputs.rows) {
    all.push_back(naive_forward(network, row).s[layer][neuron]);
  }
  std::sort(all.begin(), all.end());
  return all;
}

double share_outside(const std::vector<double>& all, const Knots& knots) {
  const auto outside = std::count_if(all.begin(), all.end(), [&](double s) {
    return s < knots.drawn_begin() || s > knots.drawn_end();
  });
  return static_cast<double>(outside) / static_cast<double>(all.size());
}

double largest_change(const Network& before, const Network& after, const Inputs& inputs) {
  double most = 0;
  for (const auto& row : inputs.rows) {
    const auto a = naive_forward(before, row).y.back(), b = naive_forward(after, row).y.back();
    for (std::size_t o = 0; o < a.size(); ++o) most = std::max(most, std::fabs(a[o] - b[o]));
  }
  return most;
}

TEST(SingleLayer, GivesWhatTheNetworkHasInside) {
  Network network = spline_network({3, 4, 2, 1});
  scatter(network, 0.5, 1);
  const Inputs inputs(random_table(5, 3, 1, 7));
  for (std::size_t l = 0; l < 3; ++l) {
    for (const LayerEnd end : {LayerEnd::sums, LayerEnd::outputs}) {
      const Network part = single_layer(network, l, end);
      for (const auto& row : inputs.rows) {
        const auto whole = naive_forward(network, row);
        const auto& wanted = end == LayerEnd::sums ? whole.s[l] : whole.y[l];
        const auto found = naive_forward(part, l == 0 ? row : whole.y[l - 1]).y.back();
        for (std::size_t o = 0; o < found.size(); ++o) EXPECT_NEAR(found[o], wanted[o], 1e-14);
      }
    }
  }
}

TEST(SingleLayer, AfterEachOtherTheyGiveTheBitsOfTheNetwork) {
  const auto spline = builtin_activations().at("spline").make({});
  Network network({{3, 6, spline, LayerKind::bank},
                   {6, 4, spline, LayerKind::dense, false, Sharing::network},
                   {4, 4, spline, LayerKind::dense, true, Sharing::network},
                   {4, 4, spline, LayerKind::dense, true, Sharing::layer},
                   {4, 2, spline, LayerKind::dense, false, Sharing::network}});
  network.initialize(1);
  scatter(network, 0.3, 2);
  constexpr std::size_t kRows = 37;
  const Random random(3, Purpose::builtin_inputs);
  std::vector<double> values, whole(2 * kRows);
  for (std::size_t k = 0; k < 3 * kRows; ++k) values.push_back(random.normal(k));
  evaluate(network, column_major(std::span<const double>(values), kRows, 3),
           column_major(std::span<double>(whole), kRows, 2));
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Network part = single_layer(network, l, LayerEnd::outputs);
    std::vector<double> next(kRows * part.outputs());
    evaluate(part, column_major(std::span<const double>(values), kRows, part.inputs()),
             column_major(std::span<double>(next), kRows, part.outputs()));
    values = std::move(next);
  }
  EXPECT_EQ(values, whole);
}

TEST(FitRange, EveryNeuronGetsTheRangeThatItReceives) {
  Network network = spline_network({4, 6, 3, 1});
  const Inputs inputs(random_table(1000, 4, 5, 2));
  fit_range(network, inputs.view(), FitRange::neuron, CurveState::initial);
  for (std::size_t l = 0; l < 3; ++l) {
    const SplineLayer layer(network, l);
    for (std::size_t neuron = 0; neuron < layer.curves(); ++neuron) {
      const Knots knots = layer.knots(neuron);
      const auto all = received(network, inputs, l, neuron);
      EXPECT_EQ(knots.count, 21u);
      EXPECT_LE(share_outside(all, knots), 0.0101);
      // The range is not much wider either.
      const double covered = all[994] - all[5];
      EXPECT_NEAR(knots.drawn_end() - knots.drawn_begin(), 1.1 * covered, 0.02 * covered);
    }
  }
}

TEST(FitRange, ALayerCanHaveOneRange) {
  Network network = spline_network({4, 6, 1});
  const Inputs inputs(random_table(400, 4, 3, 2));
  fit_range(network, inputs.view(), FitRange::layer, CurveState::initial);
  const SplineLayer layer(network, 0);
  std::vector<double> all;
  for (std::size_t neuron = 0; neuron < 6; ++neuron) {
    EXPECT_EQ(layer.knots(neuron).first, layer.knots(0).first);
    EXPECT_EQ(layer.knots(neuron).step, layer.knots(0).step);
    const auto own = received(network, inputs, 0, neuron);
    all.insert(all.end(), own.begin(), own.end());
  }
  EXPECT_LE(share_outside(all, layer.knots(0)), 0.0101);
  EXPECT_NE(layer.knots(0).step, SplineLayer(network, 1).knots(0).step);
}

TEST(FitRange, AStartIsSampledAnewWithItsNoise) {
  SplineOptions options;
  options.noise_share = 0.5;
  const Network before = spline_network({2, 3, 1}, options);
  Network after = before;
  const Inputs inputs(random_table(300, 2, 12, 5));
  fit_range(after, inputs.view(), FitRange::neuron, CurveState::initial);
  const SplineLayer old_layer(before, 0), layer(after, 0);
  for (std::size_t neuron = 0; neuron < 3; ++neuron) {
    const Knots knots = layer.knots(neuron);
    ASSERT_GT(knots.drawn_end(), 3);  // where the old curve had only a tail
    for (std::size_t k = 0; k < knots.count; ++k) {
      EXPECT_EQ(layer.anchor(neuron)[k], std::tanh(knots.at(k)));
      EXPECT_NEAR(layer.control_points(neuron)[k] - layer.anchor(neuron)[k],
                  old_layer.control_points(neuron)[k] - old_layer.anchor(neuron)[k], 1e-15);
    }
  }
}

TEST(FitRange, LearnedCurvesAreCarriedOverAndTheirAnchorsToo) {
  SplineOptions options;
  options.knots = 41;
  options.init_noise = 0;
  Network before = spline_network({3, 5, 2, 1}, options);
  scatter(before, 0.4, 8, 0);
  for (const char* points : {"layers.0.activation.control_points",
                             "layers.1.activation.control_points"}) {  // smooth, but no tanh
    const auto q = before.values(before.tensor(points));
    for (std::size_t k = 0; k < q.size(); ++k) {
      q[k] += 0.3 * std::sin(0.2 * static_cast<double>(k % 41));
    }
  }
  Network after = before;
  const Inputs inputs(random_table(500, 3, 0.7, 5));
  fit_range(after, inputs.view(), FitRange::neuron, CurveState::learned);
  EXPECT_LT(largest_change(before, after, inputs), 0.02);
  EXPECT_GT(largest_change(before, after, inputs), 0);
  const SplineLayer old_layer(before, 0), layer(after, 0);
  for (std::size_t neuron = 0; neuron < 5; ++neuron) {
    EXPECT_NE(layer.knots(neuron).step, old_layer.knots(neuron).step);
    const auto wanted = refitted(layer.basis(), layer.tails(), old_layer.knots(neuron),
                                 old_layer.anchor(neuron), layer.knots(neuron));
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), layer.anchor(neuron).begin()));
  }
}

TEST(FitRange, NeuronsThatReceiveOneValueKeepTheirRange) {
  Network network = spline_network({2, 3, 1});
  const auto weights = network.values(network.tensor("layers.0.weight"));
  weights[2] = weights[3] = 0;  // the weights of neuron 1
  network.values(network.tensor("layers.0.bias"))[1] = 0.7;
  const Inputs inputs(random_table(100, 2, 1, 5));
  fit_range(network, inputs.view(), FitRange::neuron, CurveState::initial);
  const SplineLayer layer(network, 0);
  EXPECT_EQ(layer.knots(1).first, -2);
  EXPECT_EQ(layer.knots(1).step, 0.2);
  EXPECT_NE(layer.knots(0).step, 0.2);
}

TEST(FitRange, NoRangeBecomesNarrowerThanATenthOfTheFirst) {
  Network network = spline_network({2, 1});
  const Inputs inputs(random_table(100, 2, 1e-4, 5));
  fit_range(network, inputs.view(), FitRange::neuron, CurveState::initial);
  const Knots knots = SplineLayer(network, 0).knots(0);
  EXPECT_NEAR(knots.drawn_end() - knots.drawn_begin(), 0.4, 1e-12);
}

TEST(FitRange, ValuesThatAreNotFiniteDoNotCount) {
  Rows rows = random_table(200, 2, 3, 5);
  Network with = spline_network({2, 3, 1}), without = with;
  fit_range(without, Inputs(rows).view(), FitRange::neuron, CurveState::initial);
  rows.push_back({std::numeric_limits<double>::infinity(), 0});
  rows.push_back({std::numeric_limits<double>::quiet_NaN(), 1});
  fit_range(with, Inputs(rows).view(), FitRange::neuron, CurveState::initial);
  EXPECT_TRUE(
      std::equal(with.constants().begin(), with.constants().end(), without.constants().begin()));
}

TEST(FitRange, ThreadsDoNotChangeABit) {
  const Inputs inputs(random_table(3000, 4, 2, 2));
  Network one = spline_network({4, 6, 3, 1}), several = one;
  fit_range(one, inputs.view(), FitRange::neuron, CurveState::initial, 1);
  fit_range(several, inputs.view(), FitRange::neuron, CurveState::initial, 3);
  EXPECT_TRUE(
      std::equal(one.constants().begin(), one.constants().end(), several.constants().begin()));
}

TEST(FitRange, NamesReadBack) {
  for (const std::string& name : names<FitRange>()) {
    EXPECT_EQ(to_string(from_string<FitRange>(name)), name);
  }
  EXPECT_THROW(from_string<FitRange>("neurons"), Error);
}

TEST(HalfStep, TheNetworkStaysTheSameWithTwiceAsManySpans) {
  for (const std::string basis : {"b-spline", "linear", "catmull-rom"}) {
    SplineOptions options;
    options.basis = basis;
    const auto spline = make_spline_activation(options);
    Network before(
        {{3, 4, spline}, {4, 3, builtin_activations().at("prelu").make({})}, {3, 1, spline}});
    scatter(before, 0.4, 8, 0.01);
    const Network after = with_half_step(before);
    EXPECT_EQ(std::get<double>(after.layers()[0].activation->settings().at("knots")), 39);
    EXPECT_EQ(after.tensor("layers.2.activation.control_points").shape.back(), 39u);
    EXPECT_EQ(after.layers()[1].activation->name(), "prelu");
    const Inputs inputs(random_table(200, 3, 1, 5));
    EXPECT_LT(largest_change(before, after, inputs), basis == "catmull-rom" ? 0.01 : 1e-13);
    const auto anchor = SplineLayer(after, 0).anchor(0);
    const Knots knots = SplineLayer(after, 0).knots(0);
    for (std::size_t k = 1; k + 1 < knots.count && basis == "catmull-rom"; ++k) {
      EXPECT_NEAR(anchor[k], std::tanh(knots.at(k)), 2e-4);
    }
  }
}

TEST(SplineLayer, WhatIsNotThereIsRefused) {
  static_assert(!std::is_constructible_v<SplineLayer, Network&&, std::size_t>);
  const auto tanh = builtin_activations().at("tanh").make({});
  Network network = make_network({3, 4, 1}, make_spline_activation({}), tanh);
  network.initialize(1);
  const auto expect_refused = [](const auto& call) {
    try {
      call();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option) << error.what();
    }
  };
  expect_refused([&] { SplineLayer::has_splines(network, 2); });
  expect_refused([&] { SplineLayer(network, 1); });
  expect_refused([&] { SplineLayer(network, 2); });
  const SplineLayer layer(network, 0);
  expect_refused([&] { layer.knots(4); });
  expect_refused([&] { layer.spline(4); });

  const auto numbers = [&](std::size_t points) {
    Knots knots = layer.knots(3);
    knots.count = points;
    return SplineLayer::Curve{knots, std::vector<double>(points), std::vector<double>(points)};
  };
  const std::size_t points = layer.control_points(3).size();
  expect_refused([&] { SplineLayer::set(network, 1, 0, numbers(points)); });
  expect_refused([&] { SplineLayer::set(network, 0, 4, numbers(points)); });
  expect_refused([&] { SplineLayer::set(network, 0, 3, numbers(points + 1)); });
  SplineLayer::set(network, 0, 3, numbers(points));
  EXPECT_EQ(layer.control_points(3)[0], 0);
}

TEST(HalfStep, WithoutSplinesNothingChanges) {
  const auto tanh = builtin_activations().at("tanh").make({});
  Network before = make_network({3, 4, 1}, tanh, tanh);
  before.initialize(1);
  const Network after = with_half_step(before);
  EXPECT_TRUE(std::equal(before.parameters().begin(), before.parameters().end(),
                         after.parameters().begin(), after.parameters().end()));
}

}  // namespace
}  // namespace knotwork
