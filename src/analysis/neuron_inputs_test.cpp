// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <knotwork/neurons.hpp>

namespace knotwork::analysis {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::Truly;

Table table_of(std::vector<double> x, std::vector<double> z) {
  return {"made.csv", {"x", "z"}, {std::move(x), std::move(z)}};
}

// Two inputs, two hidden tanh neurons, one output; the first input is doubled by its scaling.
Model small_model() {
  Model model;
  const auto tanh = builtin_activations().at("tanh").make({});
  model.members.push_back(make_network({2, 2, 1}, tanh, tanh));
  const auto set = [&](const char* name, std::vector<double> values) {
    Network& network = model.members[0];
    std::copy(values.begin(), values.end(), network.values(network.tensor(name)).begin());
  };
  set("layers.0.weight", {1, 0, 0, 1});
  set("layers.0.bias", {0.5, 0});
  set("layers.1.weight", {1, 1});
  model.inputs = {{.column = "x"}, {.column = "z"}};
  model.inputs[0].scaling =
      fit_scaling(ScalingKind::range, std::vector<double>{0, 4}, ColumnRole::input, -4, 4);
  model.targets = {{"y", {}}};
  return model;
}

TEST(NeuronInputs, AreCountedInBinsBetweenTheSmallestAndTheLargest) {
  const auto all = neuron_inputs(small_model(), table_of({0, 1, 2, 4}, {0, 0, 0, 1}), {}, 4);
  ASSERT_THAT(all, SizeIs(3));
  // 2x - 4 + 0.5
  EXPECT_THAT(all[0].received.edges, ElementsAre(-3.5, -1.5, 0.5, 2.5, 4.5));
  EXPECT_THAT(all[0].received.counts, ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(all[1].received.edges, ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_THAT(all[1].received.counts, ElementsAre(3, 0, 0, 1));
  EXPECT_EQ(all[2].layer, 1u);
  EXPECT_NEAR(all[2].received.edges.front(), std::tanh(-3.5), 1e-12);
  EXPECT_NEAR(all[2].received.edges.back(), std::tanh(4.5) + std::tanh(1.0), 1e-12);
}

TEST(NeuronInputs, LooksAtTheGivenRowsOnly) {
  const std::vector<std::size_t> rows = {1, 2};
  const auto all = neuron_inputs(small_model(), table_of({0, 1, 2, 4}, {0, 0, 0, 1}), rows, 2);
  EXPECT_THAT(all[0].received.edges, ElementsAre(-1.5, -0.5, 0.5));
  EXPECT_THAT(all[0].received.counts, ElementsAre(1, 1));
}

TEST(NeuronInputs, ASingleValueStandsInTheMiddleOfItsBins) {
  const auto all = neuron_inputs(small_model(), table_of({1, 1}, {3, 3}), {}, 1);
  EXPECT_THAT(all[1].received.edges, ElementsAre(2.5, 3.5));
  EXPECT_THAT(all[1].received.counts, ElementsAre(2));
}

TEST(NeuronInputs, NeighboringValuesHaveBinsThatDiffer) {
  for (const double value : {1.0, 0.0, 3e15}) {
    const double next = std::nextafter(value, 1e300);
    const auto all = neuron_inputs(small_model(), table_of({0, 0}, {value, next}), {}, 40);
    const std::vector<double>& edges = all[1].received.edges;
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end(), std::less_equal<>())) << value;
  }
}

TEST(NeuronInputs, ExtremeInputsHaveBinsToo) {
  const auto wide = neuron_inputs(small_model(), table_of({0, 0}, {-1.7e308, 1.7e308}), {}, 2);
  EXPECT_THAT(wide[1].received.edges, ElementsAre(-1.7e308, 0, 1.7e308));
  EXPECT_THAT(wide[1].received.counts, ElementsAre(1, 1));
  for (const double value : {1e300, -1e300, 1.7e308, -1.7e308}) {
    const auto one = neuron_inputs(small_model(), table_of({0, 0}, {value, value}), {}, 2);
    const std::vector<double>& edges = one[1].received.edges;
    EXPECT_THAT(edges, Each(Truly([](double edge) { return std::isfinite(edge); })));
    EXPECT_LT(edges.front(), value);
    EXPECT_GT(edges.back(), value);
    EXPECT_EQ(one[1].received.counts[0] + one[1].received.counts[1], 2);
  }
}

TEST(NeuronInputs, ManyRowsAreAllCounted) {
  std::vector<double> x(10'000), z(10'000, 1.0);
  std::iota(x.begin(), x.end(), 0.0);
  for (const NeuronInputs& neuron : neuron_inputs(small_model(), table_of(x, z))) {
    EXPECT_THAT(neuron.received.counts, SizeIs(40));
    EXPECT_EQ(std::accumulate(neuron.received.counts.begin(), neuron.received.counts.end(), 0.0),
              10'000);
  }
}

TEST(NeuronInputs, WhatCannotBeCountedIsRefused) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Model model = small_model();
  const Table table = table_of({0, 1}, {0, 1});
  EXPECT_THAT(message([&] { neuron_inputs(model, table, {}, 0); }), HasSubstr("at least 1 bin"));
  const std::vector<std::size_t> rows = {2};
  EXPECT_THAT(message([&] { neuron_inputs(model, table, rows); }),
              HasSubstr("Row 2 was requested, but made.csv has only 2 rows"));
  EXPECT_THAT(message([&] {
                neuron_inputs(model, {"made.csv", {"x"}, {{1.0}}});
              }),
              HasSubstr("'z'"));
}

}  // namespace
}  // namespace knotwork::analysis
