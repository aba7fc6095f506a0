// SPDX-License-Identifier: MIT
// Tests regularizers that are not smooth, and weights that change from epoch to epoch.
#include <gtest/gtest.h>

#include <cmath>

#include "network/test_networks.hpp"
#include "objective/test_samples.hpp"

#include <knotwork/objective.hpp>

namespace knotwork {
namespace {

using testing_samples::OwnedSamples;

Network some_network(std::uint64_t seed = 3) {
  SplineOptions smooth;
  smooth.basis = "b-spline";
  smooth.knots = 11;
  std::vector<Layer> layers = {{3, 4, make_spline_activation()},
                               {4, 2, builtin_activations().at("tanh").make({})},
                               {2, 2, make_spline_activation(smooth)}};
  Network network(std::move(layers));
  testing_networks::scatter(network, 0.4, seed);
  return network;
}

std::vector<double> some_steps(const Network& network, bool equal) {
  std::vector<double> steps(network.parameters().size(), 0.7);
  const Random random(1, Purpose::noise_value);
  for (std::size_t k = 0; k < steps.size() && !equal; ++k) steps[k] = 0.1 + random.uniform(k);
  return steps;
}

std::vector<std::shared_ptr<const Regularizer>> rough_regularizers() {
  std::vector<std::shared_ptr<const Regularizer>> all;
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    if (auto made = entry.make({}); !made->is_smooth()) all.push_back(made);
  }
  return all;
}

// The function that a proximal step minimizes.
double cost(const Regularizer& regularizer, const Network& network, const std::vector<double>& x,
            const std::vector<double>& z, double lambda, const std::vector<double>& steps) {
  std::vector<double> gradient(x.size());
  double sum = regularizer.add(network, x, lambda, gradient);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_EQ(gradient[k], 0) << "the gradient must be left alone";
    sum += (x[k] - z[k]) * (x[k] - z[k]) / (2 * steps[k]);
  }
  return sum;
}

TEST(Proximal, NoPointNearbyCostsLessThanTheOneAfterTheStep) {
  for (const auto& regularizer : rough_regularizers()) {
    for (const double lambda : {0.01, 0.3, 5.0}) {
      const Network network = some_network();
      // The step of kinks is exact if the points of a curve have equal steps.
      const std::vector<double> steps = some_steps(network, regularizer->name() == "kinks");
      const std::vector<double> z(network.parameters().begin(), network.parameters().end());
      std::vector<double> x = z;
      regularizer->shrink(network, x, lambda, steps);
      EXPECT_NE(x, z);
      const double best = cost(*regularizer, network, x, z, lambda, steps);
      EXPECT_LT(best, cost(*regularizer, network, z, z, lambda, steps));
      for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Random random(seed, Purpose::noise_value);
        std::vector<double> other = x;
        const double size = std::pow(10.0, -static_cast<double>(seed % 6));
        if (seed % 2 == 0) {
          for (std::size_t k = 0; k < x.size(); ++k) other[k] += size * random.normal(k);
        } else {
          other[random.below(x.size(), 0)] += size * random.normal(1);
        }
        EXPECT_GE(cost(*regularizer, network, other, z, lambda, steps), best * (1 - 1e-12))
            << regularizer->name() << " " << lambda << " " << seed;
      }
    }
  }
}

TEST(Proximal, WeightsMoveTowardsZeroByLambdaTimesTheirStep) {
  for (const bool free_bias : {false, true}) {
    const Network network = some_network();
    const std::vector<double> steps = some_steps(network, false);
    std::vector<double> x(network.parameters().begin(), network.parameters().end());
    builtin_regularizers().at("absolute-weights").make({free_bias})->shrink(network, x, 0.5, steps);
    std::size_t zeros = 0;
    for (const TensorInfo& tensor : network.tensors()) {
      if (!tensor.trained) continue;
      const bool left_alone = tensor.group == ParameterGroup::activation ||
                              (free_bias && tensor.group == ParameterGroup::bias);
      const auto before = network.values(tensor);
      for (std::size_t k = 0; k < tensor.size; ++k) {
        const double after = x[tensor.offset + k];
        const double moved = std::max(0.0, std::abs(before[k]) - 0.5 * steps[tensor.offset + k]);
        EXPECT_EQ(after, left_alone ? before[k] : std::copysign(moved, before[k]));
        zeros += after == 0;
      }
    }
    EXPECT_GT(zeros, 3u);
  }
}

TEST(Proximal, KinksTakeTheMeanOfTheDenominatorsOfACurve) {
  const Network network = some_network();
  std::vector<double> uneven = some_steps(network, false), even = uneven;
  const TensorInfo& points = network.tensor("layers.2.activation.control_points");
  for (std::size_t first = points.offset; first < points.offset + points.size; first += 11) {
    double mean = 0;
    for (std::size_t k = first; k < first + 11; ++k) mean += 1 / uneven[k] / 11;
    std::fill_n(even.begin() + static_cast<std::ptrdiff_t>(first), 11, 1 / mean);
  }
  const auto kinks = builtin_regularizers().at("kinks").make({});
  std::vector<double> a(network.parameters().begin(), network.parameters().end()), b = a;
  kinks->shrink(network, a, 0.1, uneven);
  kinks->shrink(network, b, 0.1, even);
  for (std::size_t k = points.offset; k < points.offset + points.size; ++k) {
    EXPECT_NEAR(a[k], b[k], 1e-14);
  }
}

TEST(Proximal, AnObjectiveShrinksWhatHasAWeightAndCountsItInItsValue) {
  const Network network = some_network();
  OwnedSamples<double> samples(network, 30, 1);
  ObjectiveOptions options;
  for (const auto& regularizer : rough_regularizers())
    options.regularizers.push_back({regularizer, 0});
  Objective objective(network, samples.view(), options);
  const std::vector<double> z(network.parameters().begin(), network.parameters().end());
  const std::vector<double> steps = some_steps(network, false);
  std::vector<double> x = z, gradient(z.size()), same(z.size());
  objective.shrink(x, steps);
  EXPECT_EQ(x, z);
  const double loss = objective.evaluate(z, gradient);
  objective.set_lambda("kinks", 0.2);
  const double value = objective.evaluate(z, same);
  EXPECT_EQ(gradient, same);
  const ObjectiveParts parts = objective.parts_at(z, value);
  ASSERT_EQ(parts.parts.size(), 2u);
  EXPECT_EQ(parts.parts[1].first, "kinks");
  EXPECT_GT(parts.parts[1].second, 0);
  EXPECT_NEAR(parts.parts[1].second, value - loss, 1e-14);
  objective.shrink(x, steps);
  const TensorInfo& weights = network.tensor("layers.0.weight");
  EXPECT_EQ(x[weights.offset], z[weights.offset]);
  EXPECT_NE(x, z);
  EXPECT_THROW(objective.shrink(std::span(x).first(3), steps), Error);
}

TEST(Proximal, AWeightFollowsItsCourseEpochByEpoch) {
  const LambdaCourse geometric{1, 0.01, 5, 0}, linear{0.4, 0, 5, 0}, later{1, 0.01, 5, 2};
  EXPECT_EQ(geometric.at(0), 1);
  EXPECT_NEAR(geometric.at(2), 0.1, 1e-15);
  EXPECT_EQ(geometric.at(4), 0.01);
  EXPECT_EQ(geometric.at(400), 0.01);
  EXPECT_NEAR(linear.at(1), 0.3, 1e-15);
  EXPECT_EQ(linear.at(4), 0);
  EXPECT_NEAR(later.at(0), 0.1, 1e-15);
  EXPECT_EQ((LambdaCourse{1, 0.5, 1, 0}.at(0)), 0.5) << "an only epoch is the last one";

  const Network network = some_network();
  OwnedSamples<double> samples(network, 30, 1);
  ObjectiveOptions options;
  options.regularizers = {{builtin_regularizers().at("weights").make({}), 7}};
  Objective objective(network, samples.view(), options);
  objective.set_course("weights", geometric);
  const auto part = [&] { return objective.parts_at(network.parameters(), 0).parts.at(1).second; };
  const double at_start = part();
  for (const std::uint64_t epoch : {3u, 1u, 0u, 4u}) {  // any order works
    objective.begin_epoch(epoch);
    EXPECT_NEAR(part(), at_start * geometric.at(epoch), 1e-12 * at_start);
  }
  objective.set_course("weights", later);
  EXPECT_NEAR(part(), at_start * 0.1, 1e-12 * at_start);
  EXPECT_THROW(objective.set_course("weights", {-1, 1, 5, 0}), Error);
  EXPECT_THROW(objective.set_course("kinks", geometric), Error);
}

}  // namespace
}  // namespace knotwork
