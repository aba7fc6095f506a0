// SPDX-License-Identifier: MIT
// Compares curves, networks and gradients with numbers from an independent implementation, in
// double.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

using Json = nlohmann::json;
using Numbers = std::vector<double>;
using Table = std::vector<Numbers>;

Json read(const std::string& name) {
  const std::string path = std::string(KNOTWORK_GOLDEN_DIR) + "/" + name;
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return Json::parse(file);
}

testing::AssertionResult agrees(double ours, double golden) {
  if (std::fabs(ours - golden) <= 1e-12 * std::max(1.0, std::fabs(golden))) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << ours << " against " << golden << ", off by " << ours - golden;
}

TEST(Golden, CurvesTheirSlopesAndControlPointDerivatives) {
  const Json cases = read("spline.json");
  ASSERT_EQ(cases.size(), 4u);
  for (const Json& golden : cases) {
    SCOPED_TRACE(golden.at("basis").get<std::string>() + " " +
                 golden.at("tails").get<std::string>());
    const auto q = golden.at("control_points").get<Numbers>();
    const Spline spline(spline_bases().at(golden.at("basis").get<std::string>()),
                        from_string<Tails>(golden.at("tails").get<std::string>()),
                        {golden.at("first_knot"), golden.at("step"), q.size()}, q);
    const auto inputs = golden.at("input").get<Numbers>(),
               values = golden.at("value").get<Numbers>(),
               slopes = golden.at("slope").get<Numbers>();
    const auto derivatives = golden.at("d_value_d_control_points").get<Table>();
    ASSERT_GE(inputs.size(), 32u);
    ASSERT_EQ(values.size(), inputs.size());
    ASSERT_EQ(slopes.size(), inputs.size());
    ASSERT_EQ(derivatives.size(), inputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      SCOPED_TRACE(inputs[k]);
      EXPECT_TRUE(agrees(spline.value(inputs[k]), values[k]));
      EXPECT_TRUE(agrees(spline.slope(inputs[k]), slopes[k]));
      Numbers gradient(q.size());
      spline.add_control_point_gradient(inputs[k], 1, gradient);
      ASSERT_EQ(derivatives[k].size(), gradient.size());
      for (std::size_t j = 0; j < q.size(); ++j)
        EXPECT_TRUE(agrees(gradient[j], derivatives[k][j]));
    }
  }
}

// A golden network, with its parameters written into the named tensors.
Network network_of(const Json& golden) {
  const auto control_points = golden.at("control_points").get<std::vector<Table>>();
  const auto weights = golden.at("weights").get<std::vector<Table>>();
  const auto anchor = golden.at("anchor_control_points").get<Numbers>();
  SplineOptions options;
  options.basis = golden.at("basis").get<std::string>();
  options.tails = from_string<Tails>(golden.at("tails").get<std::string>());
  options.knots = anchor.size();
  const auto spline = make_spline_activation(options);
  Network network =
      make_network(golden.at("sizes").get<std::vector<std::size_t>>(), spline, spline);
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    const std::string prefix = "layers." + std::to_string(l) + ".";
    const auto tensor = [&](const char* name) {
      return network.values(network.tensor(prefix + name));
    };
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      const auto& row = weights.at(l).at(o);
      std::copy_n(row.begin(), layer.inputs, tensor("weight").subspan(o * layer.inputs).begin());
      tensor("bias")[o] = row.at(layer.inputs);  // the bias is last
      const auto& q = control_points.at(l).at(o);
      EXPECT_EQ(q.size(), anchor.size());
      std::copy(q.begin(), q.end(),
                tensor("activation.control_points").subspan(o * q.size()).begin());
      std::copy(anchor.begin(), anchor.end(),
                tensor("activation.anchor").subspan(o * q.size()).begin());
      tensor("activation.first_knot")[o] = golden.at("first_knot");
      tensor("activation.step")[o] = golden.at("step");
    }
  }
  return network;
}

Numbers in_columns(const Table& rows) {
  Numbers values;
  for (std::size_t c = 0; c < rows.front().size(); ++c) {
    for (const Numbers& row : rows) values.push_back(row[c]);
  }
  return values;
}

TEST(Golden, OutputsOfNetworks) {
  for (const Json& golden : read("network.json")) {
    SCOPED_TRACE(golden.at("sizes").dump() + golden.at("basis").dump() + golden.at("tails").dump());
    const Network network = network_of(golden);
    const auto inputs = golden.at("inputs").get<Table>(),
               wanted = golden.at("outputs").get<Table>();
    const Numbers columns = in_columns(inputs);
    Numbers outputs(inputs.size() * network.outputs());
    evaluate(network, column_major(std::span(columns), inputs.size(), network.inputs()),
             row_major(std::span(outputs), inputs.size(), network.outputs()));
    ASSERT_EQ(wanted.size(), inputs.size());
    for (std::size_t r = 0; r < inputs.size(); ++r) {
      for (std::size_t o = 0; o < network.outputs(); ++o) {
        EXPECT_TRUE(agrees(outputs[r * network.outputs() + o], wanted[r].at(o)));
      }
    }
  }
}

TEST(Golden, ObjectivesAndTheirGradients) {
  const Json cases = read("network.json");
  ASSERT_EQ(cases.size(), 3u);
  for (const Json& golden : cases) {
    SCOPED_TRACE(golden.at("sizes").dump() + golden.at("basis").dump() + golden.at("tails").dump());
    const Network network = network_of(golden);
    const auto rows = golden.at("inputs").size();
    const Numbers inputs = in_columns(golden.at("inputs").get<Table>()),
                  targets = in_columns(golden.at("targets").get<Table>());
    ObjectiveOptions options;
    options.regularizers = {{builtin_regularizers().at("weights").make({}), golden.at("lambda_w")},
                            {builtin_regularizers().at("damping").make({}), golden.at("lambda_q")}};
    Objective objective(network,
                        Samples<double>{column_major(std::span(inputs), rows, network.inputs()),
                                        column_major(std::span(targets), rows, network.outputs()),
                                        {}},
                        options);
    Numbers gradient(objective.size());
    EXPECT_TRUE(agrees(objective.evaluate(network.parameters(), gradient),
                       golden.at("objective").get<double>()));
    std::size_t compared = 0;
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      const Layer& layer = network.layers()[l];
      const std::string prefix = "layers." + std::to_string(l) + ".";
      const auto at = [&](const char* name, std::size_t index) {
        ++compared;
        return gradient[network.tensor(prefix + name).offset + index];
      };
      const auto weights = golden.at("d_objective_d_weights").at(l).get<Table>();
      const auto q = golden.at("d_objective_d_control_points").at(l).get<Table>();
      for (std::size_t o = 0; o < layer.outputs; ++o) {
        for (std::size_t i = 0; i < layer.inputs; ++i) {
          EXPECT_TRUE(agrees(at("weight", o * layer.inputs + i), weights.at(o).at(i)));
        }
        EXPECT_TRUE(agrees(at("bias", o), weights.at(o).at(layer.inputs)));
        for (std::size_t k = 0; k < q.at(o).size(); ++k) {
          EXPECT_TRUE(agrees(at("activation.control_points", o * q[o].size() + k), q[o][k]));
        }
      }
    }
    EXPECT_EQ(compared, gradient.size());
  }
}

}  // namespace
}  // namespace knotwork
