// SPDX-License-Identifier: MIT
// Tests mini-batches: which rows they contain, and that the number of threads does not matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "objective/test_samples.hpp"

#include <knotwork/objective.hpp>

namespace knotwork {
namespace {

using testing_networks::random_network;
using testing_samples::evaluate_all;
using testing_samples::evaluate_one;
using testing_samples::Evaluation;
using testing_samples::OwnedSamples;

// Records the target of every sample; for one thread only.
class Recorder final : public Loss {
 public:
  std::string_view name() const override { return "recorder"; }
  double evaluate(const LossBlock<float>&) const override { return 0; }
  double evaluate(const LossBlock<double>& block) const override {
    for (std::size_t k = 0; k < block.samples; ++k) {
      seen.push_back(static_cast<std::size_t>(block.targets[k]));
      block.gradients[k] = 0;
    }
    return 0;
  }
  mutable std::vector<std::size_t> seen;
};

// The rows of every batch of an epoch, each row recognized by its target.
class Batches {
 public:
  Batches(std::size_t rows, std::size_t batch, std::uint64_t seed = 1)
      : network_(make_network({1, 1}, nullptr, builtin_activations().at("identity").make({}))),
        numbers_(rows),
        recorder_(std::make_shared<Recorder>()) {
    std::iota(numbers_.begin(), numbers_.end(), 0.0);
    ObjectiveOptions options;
    options.loss = recorder_;
    options.batch = batch;
    options.seed = seed;
    const MatrixView<const double> view{numbers_.data(), rows, 1, 1, rows};
    objective_ = std::make_unique<Objective>(network_, Samples<double>{view, view, {}}, options);
  }

  std::vector<std::vector<std::size_t>> epoch(std::uint64_t number) {
    std::vector<std::vector<std::size_t>> rows(objective_->begin_epoch(number));
    std::vector<double> gradient(2);
    for (std::size_t b = 0; b < rows.size(); ++b) {
      rows[b] = rows_of([&] { objective_->evaluate_batch(b, network_.parameters(), gradient); });
    }
    return rows;
  }
  template <class Action>
  std::vector<std::size_t> rows_of(const Action& action) {
    recorder_->seen.clear();
    action();
    return recorder_->seen;
  }
  Objective& objective() { return *objective_; }

 private:
  Network network_;
  std::vector<double> numbers_;
  std::shared_ptr<Recorder> recorder_;
  std::unique_ptr<Objective> objective_;
};

struct Shape {
  std::size_t rows, batch;
};
const std::vector<Shape> kShapes = {{1, 1},      {5, 1},        {7, 2},    {8, 8},     {9, 8},
                                    {20, 1},     {100, 7},      {1000, 4}, {1000, 32}, {1000, 999},
                                    {1001, 128}, {20000, 6000}, {50, 0},   {50, 50},   {50, 1000}};

TEST(Batches, EveryRowAppearsExactlyOnceInAnEpoch) {
  for (const auto& [rows, batch] : kShapes) {
    Batches batches(rows, batch);
    for (std::uint64_t epoch : {0u, 1u, 9u}) {
      std::vector<std::size_t> all;
      for (const auto& one : batches.epoch(epoch)) all.insert(all.end(), one.begin(), one.end());
      std::sort(all.begin(), all.end());
      ASSERT_EQ(all.size(), rows);
      for (std::size_t r = 0; r < rows; ++r) ASSERT_EQ(all[r], r) << rows << " by " << batch;
    }
  }
}

TEST(Batches, HaveTheAskedSizeToWithinWhatDoesNotDivide) {
  for (const auto& [rows, batch] : kShapes) {
    const auto epoch = Batches(rows, batch).epoch(3);
    const std::size_t wanted = batch == 0 || batch >= rows ? 1 : (rows + batch - 1) / batch;
    ASSERT_EQ(epoch.size(), wanted) << rows << " by " << batch;
    for (const auto& one : epoch) {
      EXPECT_GE(one.size(), rows / wanted) << rows << " by " << batch;
      EXPECT_LE(one.size(), (rows + wanted - 1) / wanted) << rows << " by " << batch;
    }
  }
}

TEST(Batches, AreAFunctionOfTheSeedAndTheEpochAlone) {
  Batches a(500, 30), b(500, 30), other_seed(500, 30, 2);
  const auto seventh = a.epoch(7);
  EXPECT_NE(a.epoch(8), seventh);
  EXPECT_EQ(b.epoch(7), seventh) << "without the epochs before it";
  EXPECT_EQ(a.epoch(7), seventh) << "once more";
  EXPECT_NE(other_seed.epoch(7), seventh);
}

// One worker can own a lane: the lane's share of every batch consists of its own rows.
TEST(Batches, TakeTheirShareFromEveryLane) {
  // A leaf of 1024 rows for each lane.
  for (const auto& [batch, lanes] : {std::pair{64u, 4u}, std::pair{1024u, 8u}}) {
    const std::size_t lane = 1024, rows = lanes * lane;
    for (const auto& one : Batches(rows, batch).epoch(2)) {
      std::vector<std::size_t> from(lanes);
      for (std::size_t r : one) ++from[r / lane];
      for (std::size_t count : from) EXPECT_EQ(count, batch / lanes);
    }
  }
}

// Lanes are whole leaves, so they differ in size, and each contributes in proportion.
TEST(Batches, UnequalLanesGiveInProportion) {
  // Lanes of two and three leaves, the last one shorter.
  const std::size_t rows = 10 * 1024 + 100, first_lane = 2 * 1024;
  for (const auto& one : Batches(rows, 120).epoch(2)) {
    std::size_t from_first = 0;
    for (std::size_t r : one) from_first += r < first_lane;
    EXPECT_NEAR(static_cast<double>(from_first),
                120.0 * static_cast<double>(first_lane) / static_cast<double>(rows), 1);
  }
}

// If the shuffle is good, a row is in every batch about equally often over many epochs.
TEST(Batches, EveryRowMayLandInEveryBatch) {
  Batches batches(160, 16);
  constexpr int kEpochs = 2000;
  std::vector<int> met(10 * 160);
  for (int e = 0; e < kEpochs; ++e) {
    const auto epoch = batches.epoch(static_cast<std::uint64_t>(e));
    ASSERT_EQ(epoch.size(), 10u);
    for (std::size_t b = 0; b < 10; ++b) {
      for (std::size_t r : epoch[b]) ++met[b * 160 + r];
    }
  }
  // Binomial with mean 200 and deviation 13.4; the most extreme of 1600 is within five deviations.
  for (int count : met) EXPECT_NEAR(count, kEpochs / 10, 67);
}

TEST(Batches, AFullEvaluationBetweenBatchesSeesAllRowsAndDisturbsNothing) {
  Batches batches(100, 10), undisturbed(100, 10);
  const auto wanted = undisturbed.epoch(4);
  std::vector<double> x(2), g(2);
  ASSERT_EQ(batches.objective().begin_epoch(4), 10u);
  std::vector<std::size_t> all(100);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t b = 0; b < 10; ++b) {
    EXPECT_EQ(batches.rows_of([&] { batches.objective().evaluate_batch(b, x, g); }), wanted[b]);
    EXPECT_EQ(batches.rows_of([&] { batches.objective().evaluate(x, g); }), all);
  }
}

TEST(Batches, ABatchThatDoesNotExistIsRefused) {
  Batches batches(100, 10);
  std::vector<double> x(2), g(2);
  ASSERT_EQ(batches.objective().begin_epoch(0), 10u);
  EXPECT_NO_THROW(batches.objective().evaluate_batch(9, x, g));
  EXPECT_THROW(batches.objective().evaluate_batch(10, x, g), Error);
}

template <class T>
class BatchesIn : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(BatchesIn, Precisions);

TYPED_TEST(BatchesIn, TheMeanOfAllBatchesByTheirRowsIsTheWhole) {
  using T = TypeParam;
  const double tolerance = std::is_same_v<T, double> ? 1e-12 : 1e-4;
  constexpr std::size_t kRows = 777;
  for (const bool weighted : {false, true}) {
    const Network network = random_network(6, 6);
    OwnedSamples<T> samples(network, kRows, 1, weighted);
    ObjectiveOptions options;
    options.batch = 50;
    options.seed = 1;
    Objective objective(network, samples.view(), options);
    const Evaluation whole = evaluate_all(objective, network);
    const auto rows = Batches(kRows, options.batch, options.seed).epoch(5);
    ASSERT_EQ(objective.begin_epoch(5), rows.size());
    Evaluation mean{0, std::vector<double>(network.parameters().size())};
    for (std::size_t b = 0; b < rows.size(); ++b) {
      const Evaluation one = evaluate_one(objective, b, network);
      const double share = static_cast<double>(rows[b].size()) / kRows;
      mean.value += share * one.value;
      for (std::size_t k = 0; k < mean.gradient.size(); ++k) {
        mean.gradient[k] += share * one.gradient[k];
      }
    }
    EXPECT_NEAR(mean.value, whole.value, tolerance * whole.value);
    EXPECT_LT(mean.distance(whole), tolerance * whole.largest());
  }
}

TYPED_TEST(BatchesIn, HaveTheSameBitsForAnyNumberOfThreads) {
  using T = TypeParam;
  const Network network = random_network(3, 8);
  OwnedSamples<T> samples(network, 9001, 2, true);
  ObjectiveOptions options;
  options.batch = 3000;
  options.regularizers = {{builtin_regularizers().at("weights").make({}), 0.01}};
  std::vector<Evaluation> wanted;
  for (std::size_t threads : {1u, 2u, 3u, 7u}) {
    options.threads = threads;
    Objective objective(network, samples.view(), options);
    ASSERT_EQ(objective.begin_epoch(1), 4u);
    std::vector<Evaluation> got;
    for (std::size_t b = 0; b < 4; ++b) got.push_back(evaluate_one(objective, b, network));
    if (wanted.empty()) wanted = got;
    EXPECT_EQ(got, wanted) << threads;
  }
}

TYPED_TEST(BatchesIn, ABatchLargerThanTheSetIsTheSet) {
  using T = TypeParam;
  const Network network = random_network(3, 8);
  OwnedSamples<T> samples(network, 333, 2);
  Objective whole(network, samples.view(), {});
  for (std::size_t batch : {0u, 333u, 1000u}) {
    ObjectiveOptions options;
    options.batch = batch;
    Objective objective(network, samples.view(), options);
    ASSERT_EQ(objective.begin_epoch(1), 1u);
    EXPECT_EQ(evaluate_one(objective, 0, network), evaluate_all(whole, network)) << batch;
  }
}

// Blocks are padded; the remains of an earlier batch in a thread's memory must have no effect.
TYPED_TEST(BatchesIn, ABatchDoesNotSeeWhatAnEarlierOneLeftBehind) {
  using T = TypeParam;
  constexpr std::size_t kRows = 103;
  const Network network = random_network(3, 8);
  ObjectiveOptions options;
  options.batch = 50;
  options.seed = 1;
  const auto rows = Batches(kRows, options.batch, options.seed).epoch(0);
  ASSERT_EQ(rows.size(), 3u);
  OwnedSamples<T> clean(network, kRows, 2), poisoned = clean;
  for (std::size_t r : rows[2]) poisoned.inputs[r].assign(network.inputs(), NAN);
  Objective a(network, clean.view(), options), b(network, poisoned.view(), options);
  a.begin_epoch(0);
  b.begin_epoch(0);
  for (std::size_t batch : {0u, 1u}) {
    EXPECT_TRUE(std::isnan(evaluate_one(b, 2, network).value));
    EXPECT_EQ(evaluate_one(b, batch, network), evaluate_one(a, batch, network)) << batch;
  }
}

// The regularizers are added in full to every batch, because the loss of a batch is a mean too.
TEST(Batches, AreOnTheScaleOfTheWhole) {
  const Network network = random_network(3, 8);
  OwnedSamples<double> samples(network, 333, 2);
  ObjectiveOptions options;
  options.batch = 20;
  Objective bare(network, samples.view(), options);
  options.regularizers = {{builtin_regularizers().at("weights").make({}), 0.5}};
  Objective objective(network, samples.view(), options);
  std::vector<double> unused(network.parameters().size());
  const double penalty =
      options.regularizers[0].regularizer->add(network, network.parameters(), 0.5, unused);
  ASSERT_GT(penalty, 0);
  bare.begin_epoch(1);
  for (std::size_t b = 0; b < objective.begin_epoch(1); ++b) {
    const double with = evaluate_one(objective, b, network).value;
    EXPECT_NEAR(with - evaluate_one(bare, b, network).value, penalty, 1e-12 * with);
  }
}

TEST(Batches, RowsOfNoWeightLeaveABatchWithNothingButItsRegularizers) {
  const Network network = random_network(3, 8);
  OwnedSamples<double> samples(network, 16, 2);
  samples.weights.assign(16, 0);
  samples.weights[5] = 1;
  ObjectiveOptions options;
  options.batch = 1;
  Objective objective(network, samples.view(), options);
  Objective whole(network, samples.view(), {});
  const Evaluation wanted = evaluate_all(whole, network);
  const std::size_t batches = objective.begin_epoch(0);
  std::size_t empty = 0;
  for (std::size_t b = 0; b < batches; ++b) {
    const Evaluation one = evaluate_one(objective, b, network);
    if (one.value == 0) {
      ++empty;
      EXPECT_EQ(one.largest(), 0);
    } else {
      // The only row with weight, in a batch that is a sixteenth of the whole.
      EXPECT_NEAR(one.value, 16 * wanted.value, 1e-14 * one.value);
      for (std::size_t k = 0; k < wanted.gradient.size(); ++k) {
        EXPECT_NEAR(one.gradient[k], 16 * wanted.gradient[k], 1e-14 * one.largest());
      }
    }
  }
  EXPECT_EQ(empty, 15u);
}

}  // namespace
}  // namespace knotwork
