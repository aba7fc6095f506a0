// SPDX-License-Identifier: MIT
// Tests of the contract of every regularizer in the table during training, of proximal steps, and
// of schedules.
#include "training/run/stage_setup.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "network/curves.hpp"
#include "training/run/projections.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/random.hpp>
#include <knotwork/regularizer.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using ::testing::ElementsAreArray;

TrainOptions by_adam() {
  TrainOptions options;
  options.hidden = {4};
  options.output_activation = "same";
  options.optimizer = "adam";
  options.rate = 0.01;
  options.iterations = 15;
  options.batch = 32;
  options.precision = Precision::float64;
  options.lambda_w = options.lambda_curvature = 0;
  return options;
}

double part_of(const ObjectiveParts& parts, std::string_view name) {
  for (const auto& [own, value] : parts.parts) {
    if (own == name) return value;
  }
  return 0;
}

double recomputed(const Network& network, const std::string& name, double lambda) {
  std::vector<double> gradient(network.parameters().size());
  return builtin_regularizers().at(name).make({})->add(network, network.parameters(), lambda,
                                                       gradient);
}

TEST(Penalties, EveryOneIsLoweredWithTheSameBitsForAnyThreads) {
  const Table table = make_builtin("friedman1", 150);
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    SCOPED_TRACE(entry.name);
    TrainOptions options = by_adam();
    if (entry.name == "bank-curvature") options.input_splines = 2;
    lambda_field(entry.name).set(options, "0.003");
    double at_start = 0;
    options.threads = 1;
    const Model model =
        train(PreparedData(table, {}, 0), options, watched([&](const TrainIteration& now) {
                if (now.iteration == 0) at_start = now.objective.value;
                return true;
              }));
    const ObjectiveParts& parts = model.training.objective;
    EXPECT_LT(parts.value, 0.9 * at_start);
    EXPECT_GT(part_of(parts, entry.name), 0);
    EXPECT_NEAR(part_of(parts, entry.name), recomputed(model.members[0], entry.name, 0.003), 1e-12);
    EXPECT_NEAR(part_of(parts, "loss") + part_of(parts, entry.name), parts.value, 1e-12);

    options.threads = 2;
    EXPECT_EQ(train(table, {}, options).parameters_sha256(), model.parameters_sha256());
    options.ensemble = 2;
    options.batch = 0;
    const Model both = train(table, {}, options);
    options.ensemble = 1;
    EXPECT_THAT(both.members[0].parameters(),
                ElementsAreArray(train(table, {}, options).members[0].parameters()));
  }
}

TEST(Penalties, AbsoluteWeightsBecomeExactlyZero) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options = by_adam();
  options.batch = 0;  // the noise of mini-batches would move weights away from 0
  options.iterations = 400;
  const auto zeros_and_score = [&](double lambda) {
    options.lambda_w1 = lambda;
    const Model model = train(table, {}, options);
    const auto weights = model.members[0].values(model.members[0].tensor("layers.0.weight"));
    return std::pair(std::count(weights.begin(), weights.end(), 0.0), model.training.train->nrmse);
  };
  EXPECT_EQ(zeros_and_score(0).first, 0);
  const auto [zeros, score] = zeros_and_score(0.05);
  EXPECT_GT(zeros, 8) << "of 40, five of the ten inputs have nothing to say";
  EXPECT_LT(score, 0.5);
  EXPECT_EQ(zeros_and_score(100).first, 40);
}

// Counts second differences that are 0 up to the rounding of the points, and the others.
std::pair<std::size_t, std::size_t> straight_and_bent(const Network& network) {
  std::size_t straight = 0, bent = 0;
  for_each_curve(network, network.parameters(), [&](const CurveShape& shape, std::size_t first) {
    const auto q = network.parameters().subspan(first, shape.points);
    for (std::size_t k = 1; k + 1 < q.size(); ++k) {
      const double bend = std::abs(q[k - 1] - 2 * q[k] + q[k + 1]);
      (bend < 1e-14 * (1 + std::abs(q[k])) ? straight : bent) += 1;
    }
  });
  return {straight, bent};
}

TEST(Penalties, KnotsBecomeExactlyStraight) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options = by_adam();
  options.batch = 0;
  options.iterations = 400;
  EXPECT_EQ(straight_and_bent(train(table, {}, options).members[0]).first, 0u);
  options.lambda_kinks = 0.003;
  const Model model = train(table, {}, options);
  const auto [straight, bent] = straight_and_bent(model.members[0]);
  EXPECT_GT(straight, 40u) << "of 95";
  EXPECT_GT(bent, 0u);
  EXPECT_LT(model.training.train->nrmse, 0.5);
}

TEST(Penalties, AScheduleThatStaysIsNoSchedule) {
  const Table table = make_builtin("friedman1", 150);
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    TrainOptions plain = by_adam();
    if (entry.name == "bank-curvature") plain.input_splines = 2;
    TrainOptions scheduled = plain;
    const TrainOptionField& field = lambda_field(entry.name);
    field.set(plain, "0.25");
    scheduled.penalty_schedule = {{field.name, 0.25, 0.25}};
    EXPECT_EQ(train(table, {}, scheduled).parameters_sha256(),
              train(table, {}, plain).parameters_sha256())
        << entry.name;
  }
}

TEST(Penalties, AScheduleGoesOverAllStagesAndItsLastValueIsTold) {
  const Table table = make_builtin("friedman1", 150);
  TrainOptions options = by_adam();
  options.batch = 0;
  options.rate = 1e-3;
  options.iterations = 7;
  options.warm_path_q = {0.1, 0.01};
  options.penalty_schedule = {{"lambda-w", 1e-1, 1e-3}, {"lambda-slope", 0.5, 0}};
  std::vector<double> weights;
  const Model model =
      train(PreparedData(table, {}, 0), options, watched([&](const TrainIteration& now) {
              weights.push_back(part_of(now.objective, "weights"));
              return true;
            }));
  ASSERT_EQ(weights.size(), 8u);
  // Weights hardly change in an epoch; their penalty falls by a factor of 10^(1/3) in each epoch.
  for (std::size_t k = 2; k < weights.size(); ++k) {
    EXPECT_NEAR(weights[k] / weights[k - 1], std::pow(10, -1.0 / 3), 0.03) << k;
  }
  const Summary& summary = model.training;
  EXPECT_NEAR(part_of(summary.objective, "weights"), recomputed(model.members[0], "weights", 1e-3),
              1e-15);
  EXPECT_EQ(part_of(summary.objective, "slope"), 0) << "its weight ended at 0";
  ASSERT_EQ(summary.stages.size(), 2u);
  EXPECT_EQ(summary.stages[0].lambda_w, 1e-3);

  // A run that ends early reports its objective with the same weight.
  options.max_evaluations = 3;
  const Model ended = train(table, {}, options);
  EXPECT_NEAR(part_of(ended.training.objective, "weights"),
              recomputed(ended.members[0], "weights", 1e-3), 1e-15);
}

// Everything after an update depends only on the point, the metric and the epoch.
TEST(Penalties, AResumedRunHasTheSameBits) {
  TrainOptions options = by_adam();
  options.lambda_w1 = 0.01;
  options.monotone = true;
  options.max_slope = 2;
  options.penalty_schedule = {{"lambda-kinks", 0.1, 1e-3}, {"lambda-w", 0, 0.1}};
  options.spline.basis = "b-spline";
  const auto spline = make_spline_activation(options.spline);
  Network network = make_network({3, 4, 1}, spline, spline);
  network.initialize(1);
  const Random random(3, Purpose::noise_value);
  std::vector<double> inputs, targets;
  for (std::size_t k = 0; k < 300; ++k) inputs.push_back(random.normal(k));
  for (std::size_t k = 0; k < 100; ++k) targets.push_back(std::sin(inputs[k]) + inputs[100 + k]);

  constexpr std::size_t kEpochs = 9;
  const auto run = [&](const OptimizerState* state, std::size_t done, std::size_t until) {
    ObjectiveOptions terms;
    terms.batch = 25;
    for (const char* name : {"weights", "absolute-weights", "kinks"}) {
      terms.regularizers.push_back({builtin_regularizers().at(name).make({}), 0.01});
    }
    const Samples<double> samples{column_major(std::span<const double>(inputs), 100, 3),
                                  column_major(std::span<const double>(targets), 100, 1)};
    Objective objective(network, samples, terms);
    set_courses(objective, options, kEpochs, 0);
    OptimizerOptions how;
    how.adam.rate = 0.02;
    how.adam.proximal_steps = {shrinking_step(objective, options),
                               projection_for(network, options, {})};
    const auto optimizer = builtin_optimizers().at("adam").make(how);
    StopRules rules;
    rules.iterations = until;
    if (state) {
      resume(*optimizer, objective, *state, done, rules);
    } else {
      minimize(*optimizer, objective, network.parameters(), rules);
    }
    return optimizer->state();
  };
  const OptimizerState whole = run(nullptr, 0, kEpochs);
  for (std::size_t cut = 0; cut < kEpochs; ++cut) {
    const OptimizerState half = run(nullptr, 0, cut);
    const OptimizerState rest = run(&half, cut, kEpochs);
    EXPECT_EQ(rest.vectors, whole.vectors) << cut;
    EXPECT_EQ(rest.numbers, whole.numbers) << cut;
  }
}

}  // namespace
}  // namespace knotwork::training
