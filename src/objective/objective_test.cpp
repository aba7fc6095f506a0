// SPDX-License-Identifier: MIT
// Tests the objective over all rows; batches_test.cpp tests mini-batches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "network/test_networks.hpp"
#include "objective/test_samples.hpp"

#include <knotwork/objective.hpp>

namespace knotwork {
namespace {

using testing_networks::naive_forward;
using testing_networks::random_network;
using testing_samples::evaluate_all;
using testing_samples::Evaluation;
using testing_samples::OwnedSamples;

ObjectiveOptions with_every_regularizer() {
  ObjectiveOptions options;
  double lambda = 0.01;
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    options.regularizers.push_back({entry.make({}), lambda});
    lambda /= 3;
  }
  return options;
}

double naive_loss(const Network& network, const OwnedSamples<double>& samples) {
  double sum = 0, mass = 0;
  for (std::size_t r = 0; r < samples.rows(); ++r) {
    const auto y = naive_forward(network, samples.inputs[r]).y.back();
    const double weight = samples.weights.empty() ? 1 : samples.weights[r];
    for (std::size_t o = 0; o < y.size(); ++o) {
      sum += weight * std::pow(y[o] - samples.targets[r][o], 2);
    }
    mass += weight;
  }
  return sum / mass;
}

TEST(Objective, IsTheMeanLossPlusTheRegularizers) {
  const ObjectiveOptions options = with_every_regularizer();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Network network = random_network(seed, 6);
    OwnedSamples<double> samples(network, 1 + seed * 137 % 700, seed, seed % 2 == 1);
    Objective objective(network, samples.view(), options);
    const Evaluation got = evaluate_all(objective, network);
    const double loss = naive_loss(network, samples);
    const ObjectiveParts parts = objective.parts_at(network.parameters(), got.value);
    ASSERT_EQ(parts.parts.size(), options.regularizers.size() + 1);
    EXPECT_EQ(parts.parts[0].first, "loss");
    EXPECT_NEAR(parts.parts[0].second, loss, 1e-12 * got.value) << seed;
    double sum = loss;
    for (std::size_t k = 1; k < parts.parts.size(); ++k) {
      const auto& [regularizer, lambda] = options.regularizers[k - 1];
      std::vector<double> unused(network.parameters().size());
      const double wanted = regularizer->add(network, network.parameters(), lambda, unused);
      EXPECT_EQ(parts.parts[k].first, regularizer->name());
      EXPECT_EQ(parts.parts[k].second, wanted);
      sum += wanted;
    }
    EXPECT_NEAR(got.value, sum, 1e-12 * sum) << seed;
    EXPECT_EQ(parts.value, got.value);
    EXPECT_EQ(objective.size(), network.parameters().size());
  }
}

TEST(Objective, TheGradientIsThatOfTheLossPlusThoseOfTheRegularizers) {
  const Network network = random_network(4, 6);
  OwnedSamples<double> samples(network, 50, 1);
  Objective bare(network, samples.view(), {});
  const ObjectiveOptions options = with_every_regularizer();
  Objective full(network, samples.view(), options);
  std::vector<double> wanted = evaluate_all(bare, network).gradient;
  for (const auto& [regularizer, lambda] : options.regularizers) {
    regularizer->add(network, network.parameters(), lambda, wanted);
  }
  EXPECT_EQ(evaluate_all(full, network).gradient, wanted);
}

TEST(Objective, IsEvaluatedAtTheGivenParametersNotTheNetworks) {
  const Network network = random_network(4, 6), other = [] {
    Network moved = random_network(4, 6);
    for (double& p : moved.parameters()) p += 0.1;
    return moved;
  }();
  OwnedSamples<double> samples(network, 50, 1);
  Objective objective(network, samples.view(), {});
  EXPECT_NEAR(evaluate_all(objective, other).value, naive_loss(other, samples), 1e-12);
  EXPECT_NEAR(evaluate_all(objective, network).value, naive_loss(network, samples), 1e-12);
}

template <class T>
class ObjectiveIn : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ObjectiveIn, Precisions);

TYPED_TEST(ObjectiveIn, GivesTheSameBitsForAnyNumberOfThreads) {
  using T = TypeParam;
  for (std::uint64_t seed : {0u, 3u, 5u}) {
    const Network network = random_network(seed, 8);
    OwnedSamples<T> samples(network, 20011 - 4000 * seed, seed, seed == 3);
    ObjectiveOptions options = with_every_regularizer();
    Objective one(network, samples.view(), options);
    const Evaluation wanted = evaluate_all(one, network);
    ASSERT_TRUE(std::isfinite(wanted.value));
    for (std::size_t threads : {2u, 3u, 7u}) {
      options.threads = threads;
      Objective many(network, samples.view(), options);
      EXPECT_EQ(evaluate_all(many, network), wanted) << seed << " on " << threads;
      EXPECT_EQ(evaluate_all(many, network), wanted) << "the second time";
    }
  }
}

TYPED_TEST(ObjectiveIn, AWeightOfTwoIsTheRowTwiceAndOfZeroTheRowLeftOut) {
  using T = TypeParam;
  const double tolerance = std::is_same_v<T, double> ? 1e-12 : 1e-4;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Network network = random_network(seed, 6);
    OwnedSamples<T> weighted(network, 93, seed), repeated = weighted;
    weighted.weights.assign(93, T{1});
    repeated.inputs.clear();
    repeated.targets.clear();
    for (std::size_t r = 0; r < 93; ++r) {
      weighted.weights[r] = static_cast<T>((r + seed) % 3);
      for (std::size_t copy = 0; copy < (r + seed) % 3; ++copy) {
        repeated.inputs.push_back(weighted.inputs[r]);
        repeated.targets.push_back(weighted.targets[r]);
      }
    }
    Objective a(network, weighted.view(), {}), b(network, repeated.view(), {});
    const Evaluation got = evaluate_all(a, network), wanted = evaluate_all(b, network);
    EXPECT_NEAR(got.value, wanted.value, tolerance * wanted.value) << seed;
    EXPECT_LT(got.distance(wanted), tolerance * (1 + wanted.largest())) << seed;
  }
}

TYPED_TEST(ObjectiveIn, TheScaleOfTheWeightsDoesNotMatter) {
  using T = TypeParam;
  const Network network = random_network(2, 6);
  OwnedSamples<T> plain(network, 70, 1), scaled = plain;
  scaled.weights.assign(70, T{4});  // a power of two: exactly the same bits
  Objective a(network, plain.view(), {}), b(network, scaled.view(), {});
  EXPECT_EQ(evaluate_all(a, network), evaluate_all(b, network));
}

TEST(Objective, FloatAgreesWithDouble) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Network network = random_network(seed, 6);
    OwnedSamples<double> wide(network, 333, seed);
    OwnedSamples<float> narrow(network, 333, seed);
    Objective a(network, wide.view(), {}), b(network, narrow.view(), {});
    const Evaluation wanted = evaluate_all(a, network), got = evaluate_all(b, network);
    EXPECT_NEAR(got.value, wanted.value, 1e-4 * wanted.value) << seed;
    EXPECT_LT(got.distance(wanted), 1e-3 * wanted.largest()) << seed;
  }
}

// Rows may be part of a larger table, with a separate stride for columns.
TEST(Objective, ReadsColumnsOfALargerTableInPlace) {
  const Network network = random_network(7, 6);
  for (std::size_t rows : {16u, 37u, 1500u}) {
    OwnedSamples<double> samples(network, rows, 1);
    Objective a(network, samples.view(), {});
    const auto view = std::get<Samples<double>>(samples.view());
    const std::size_t stride = rows + 5;
    std::vector<double> inputs(stride * network.inputs(), 1e9),
        targets(stride * network.outputs(), 1e9);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < network.inputs(); ++c) inputs[c * stride + r] = view.inputs(r, c);
      for (std::size_t c = 0; c < network.outputs(); ++c)
        targets[c * stride + r] = view.targets(r, c);
    }
    Objective b(network,
                Samples<double>{{inputs.data(), rows, network.inputs(), 1, stride},
                                {targets.data(), rows, network.outputs(), 1, stride},
                                {}},
                {});
    EXPECT_EQ(evaluate_all(a, network), evaluate_all(b, network)) << rows;
  }
}

TEST(Objective, SetLambdaChangesOneTerm) {
  const Network network = random_network(4, 6);
  OwnedSamples<double> samples(network, 50, 1);
  Objective objective(network, samples.view(), with_every_regularizer());
  const Evaluation before = evaluate_all(objective, network);
  std::vector<double> slope(network.parameters().size());
  const double weights =
      builtin_regularizers().at("weights").make({})->add(network, network.parameters(), 1, slope);
  ASSERT_GT(weights, 0.1);
  objective.set_lambda("weights", 0.03);  // it was 0.01
  const Evaluation after = evaluate_all(objective, network);
  EXPECT_NEAR(after.value - before.value, 0.02 * weights, 1e-13 * after.value);
  for (std::size_t k = 0; k < slope.size(); ++k) {
    EXPECT_NEAR(after.gradient[k] - before.gradient[k], 0.02 * slope[k], 1e-13 * after.largest());
  }
  objective.set_lambda("weights", 0);
  const ObjectiveParts parts = objective.parts_at(network.parameters(), after.value);
  for (const auto& [name, part] : parts.parts) EXPECT_NE(name, "weights");
  EXPECT_THROW(objective.set_lambda("weights", -1), Error);
  EXPECT_THROW(objective.set_lambda("weights", std::numeric_limits<double>::quiet_NaN()), Error);
}

TEST(Objective, RefusesWhatDoesNotFitWithOneSentence) {
  const Network network = make_network({2, 1}, nullptr, builtin_activations().at("tanh").make({}));
  const std::vector<double> numbers(12, 1.0);
  const double* data = numbers.data();
  using View = MatrixView<const double>;
  const View x{data, 3, 2, 1, 3}, d{data, 3, 1, 1, 3};
  const auto refusal = [&](View inputs, View targets, std::vector<double> weights = {},
                           ObjectiveOptions options = {}) -> std::string {
    try {
      Objective objective(network, Samples<double>{inputs, targets, weights}, std::move(options));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  using testing::HasSubstr;
  EXPECT_EQ(refusal(x, d), "accepted");
  EXPECT_THAT(refusal({data, 0, 2, 1, 0}, {data, 0, 1, 1, 0}), HasSubstr("no training rows"));
  EXPECT_THAT(refusal({data, 3, 3, 1, 3}, d), HasSubstr("3 inputs"));
  EXPECT_THAT(refusal(x, {data, 3, 2, 1, 3}), HasSubstr("2 targets"));
  EXPECT_THAT(refusal(x, {data, 4, 1, 1, 4}), HasSubstr("4 rows of targets"));
  EXPECT_THAT(refusal({data, 3, 2, 2, 1}, d), HasSubstr("column by column"));
  EXPECT_THAT(refusal(x, d, {1, 1}), HasSubstr("2 sample weights"));
  EXPECT_THAT(refusal(x, d, {1, -1, 1}), HasSubstr("row 1"));
  EXPECT_THAT(refusal(x, d, {1, 1, NAN}), HasSubstr("row 2"));
  EXPECT_THAT(refusal(x, d, {0, 0, 0}), HasSubstr("All sample weights are 0"));
  const std::vector<ColumnScale> one_scale(1);
  EXPECT_THROW(Objective(network, Samples<double>{x, d, {}, one_scale}, {}), Error);
  ObjectiveOptions options;
  const auto weights = builtin_regularizers().at("weights").make({});
  options.regularizers = {{weights, -1}};
  EXPECT_THAT(refusal(x, d, {}, options), HasSubstr("'weights'"));
  options.regularizers = {{weights, INFINITY}};
  EXPECT_THAT(refusal(x, d, {}, options), HasSubstr("'weights'"));
  options.regularizers = {{nullptr, 1}};
  EXPECT_THAT(refusal(x, d, {}, options), HasSubstr("regularizer"));

  Objective objective(network, Samples<double>{x, d, {}}, {});
  std::vector<double> right(3), wrong(2);
  EXPECT_NO_THROW(objective.evaluate(right, right));
  EXPECT_THROW(objective.evaluate(right, wrong), Error);
  EXPECT_THROW(objective.evaluate(wrong, right), Error);
}

TEST(Objective, ALossOfOnesOwnIsUsed) {
  struct Linear {
    static double value(double f, double d) { return 3 * (f - d); }
    static float value(float f, float d) { return 3 * (f - d); }
    static double slope(double, double) { return 3; }
    static float slope(float, float) { return 3; }
  };
  Network network = make_network({1, 1}, nullptr, builtin_activations().at("identity").make({}));
  network.parameters()[0] = 2;
  const std::vector<double> x = {1, 2, 6}, d = {1, 1, 1};
  ObjectiveOptions options;
  options.loss = std::make_shared<ElementwiseLoss<Linear>>("linear");
  Objective objective(network, Samples<double>{{x.data(), 3, 1, 1, 3}, {d.data(), 3, 1, 1, 3}, {}},
                      options);
  const Evaluation got = evaluate_all(objective, network);
  EXPECT_DOUBLE_EQ(got.value, 3 * (2 * 3.0 - 1));
  EXPECT_DOUBLE_EQ(got.gradient[0], 9);
  EXPECT_DOUBLE_EQ(got.gradient[1], 3);
}

TEST(Objective, TheSquaredLossIsFourForOneAgainstThree) {
  const auto loss = builtin_losses().at("squared").make({});
  const double f = 3, d = 1, weight = 2;
  double g = 0;
  EXPECT_EQ(loss->evaluate(LossBlock<double>{1, 1, 1, &f, &d, nullptr, &g}), 4);
  EXPECT_EQ(g, 4);
  EXPECT_EQ(loss->evaluate(LossBlock<double>{1, 1, 1, &f, &d, &weight, &g}), 8);
  EXPECT_EQ(g, 8);
}

}  // namespace
}  // namespace knotwork
