// SPDX-License-Identifier: MIT
#include <knotwork/guarantees.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "network/test_networks.hpp"

namespace knotwork::model {
namespace {

using testing_networks::random_table;

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

double length(const std::vector<double>& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

// The spectral norm by power iteration, which approaches it from below. The vector is normalized,
// because its elements would overflow otherwise.
double spectral_norm(const std::vector<double>& matrix, std::size_t rows) {
  const std::size_t columns = matrix.size() / rows;
  std::vector<double> x(columns, 1 / std::sqrt(static_cast<double>(columns))), y(rows);
  for (int k = 0; k < 400; ++k) {
    for (std::size_t r = 0; r < rows; ++r) {
      y[r] = std::inner_product(x.begin(), x.end(), &matrix[r * columns], 0.0);
    }
    std::fill(x.begin(), x.end(), 0);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) x[c] += matrix[r * columns + c] * y[r];
    }
    const double stretched = length(x);
    for (double& element : x) element /= stretched;
  }
  return length(y);
}

TEST(Lipschitz, SpectralNormsAreBoundedFromAboveAndClosely) {
  for (const auto& [rows, columns] : {std::pair(1, 1), std::pair(1, 7), std::pair(40, 3),
                                      std::pair(25, 25), std::pair(64, 200), std::pair(300, 260)}) {
    const std::vector<double> matrix = testing_networks::in_rows<double>(
        random_table(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), 0.7, 5));
    const double norm = spectral_norm(matrix, static_cast<std::size_t>(rows));
    const double bound = spectral_norm_bound(matrix, static_cast<std::size_t>(rows));
    EXPECT_GE(bound, norm * (1 - 1e-12)) << rows << " x " << columns;
    EXPECT_LE(bound, norm * (std::min(rows, columns) <= 256 ? 1.001 : 20));
  }
  EXPECT_EQ(spectral_norm_bound(std::vector<double>(6), 2), 0);
  EXPECT_NEAR(spectral_norm_bound(std::vector<double>{1e-200, 0, 0, 2e-200}, 2), 2e-200, 1e-203);
  EXPECT_NEAR(spectral_norm_bound(std::vector<double>{1e200, 0, 0, 2e200}, 2), 2e200, 1e197);
  EXPECT_THROW(spectral_norm_bound(std::vector<double>(5), 2), Error);
}

TEST(Lipschitz, TheBoundOfOneNeuronIsItsWeightTimesItsSlope) {
  for (const auto& [name, slope] : {std::pair("tanh", 1.0), std::pair("sigmoid", 0.25),
                                    std::pair("gelu", 1.12890415), std::pair("prelu", 1.0)}) {
    Network network({{1, 1, builtin_activations().at(name).make({})}});
    network.initialize(1);
    network.parameters()[0] = -3;
    EXPECT_NEAR(lipschitz_bound(network), 3 * slope, 1e-10) << name;
  }
}

TEST(Lipschitz, NoTwoPointsAreFartherApartThanItSays) {
  int bounded = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Network network = testing_networks::random_network(seed);
    const double bound = lipschitz_bound(network);
    if (std::isfinite(bound)) ++bounded;
    const auto rows = random_table(40, network.inputs(), 3, seed);
    for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
      std::vector<double> near = rows[r];
      for (std::size_t c = 0; c < near.size(); ++c) near[c] += 1e-3 * rows[r + 1][c];
      const auto here = testing_networks::naive_forward(network, rows[r]).y.back();
      for (const auto& other : {near, rows[r + 1]}) {
        const auto there = testing_networks::naive_forward(network, other).y.back();
        EXPECT_LE(distance(here, there), bound * distance(rows[r], other) * (1 + 1e-9)) << seed;
      }
    }
  }
  EXPECT_GT(bounded, 15) << "too few networks had a bound to be tested";
}

TEST(Lipschitz, AnUnknownSlopeHasNoBoundAndAnEnsembleHasTheMean) {
  Network unknown({{2, 1, builtin_activations().at("rational").make({})}});
  unknown.initialize(1);
  EXPECT_EQ(lipschitz_bound(unknown), INFINITY);
  for (double& weight : unknown.values(unknown.tensor("layers.0.weight"))) weight = 0;
  EXPECT_EQ(lipschitz_bound(unknown), 0);
  std::vector<Network> members;
  for (const double weight : {1.0, 3.0}) {
    members.emplace_back(std::vector<Layer>{{1, 1, builtin_activations().at("tanh").make({})}});
    members.back().parameters()[0] = weight;
  }
  EXPECT_NEAR(lipschitz_bound(members), 2, 1e-10);
}

TEST(LipschitzBound, CountsBanksAndWhatGoesPastALayer) {
  const auto identity = builtin_activations().at("identity").make({});
  Network bank({{1, 4, identity, LayerKind::bank}, {4, 1, identity}});
  for (double& weight : bank.values(bank.tensor("layers.1.weight"))) weight = 0.5;
  EXPECT_GE(lipschitz_bound(bank), 2);  // y = 2 x
  EXPECT_LE(lipschitz_bound(bank), 2.001);
  Network past({{2, 2, identity, LayerKind::dense, true}});
  EXPECT_EQ(lipschitz_bound(past), 1);
  past.parameters()[0] = past.parameters()[3] = 3;
  EXPECT_GE(lipschitz_bound(past), 4);
  EXPECT_LE(lipschitz_bound(past), 4.001);
}

TEST(LipschitzBound, IsZeroWhereALayerGivesNothingWhateverIsBelow) {
  const auto unknown = builtin_activations().at("rational").make({});
  Network network({{1, 2, unknown}, {2, 1, builtin_activations().at("identity").make({})}});
  network.initialize(1);
  EXPECT_TRUE(std::isinf(lipschitz_bound(network)));
  for (double& weight : network.values(network.tensor("layers.1.weight"))) weight = 0;
  EXPECT_EQ(lipschitz_bound(network), 0);
}

}  // namespace
}  // namespace knotwork::model
