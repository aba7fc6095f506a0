// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "training/run/test_trainings.hpp"

#include <knotwork/random.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model {
namespace {

// y = x plus noise that grows with x, from a known distribution.
Table noisy(std::size_t rows, std::size_t targets = 1) {
  const Random random(9, Purpose::builtin_inputs), noise(9, Purpose::builtin_noise);
  Table table;
  table.source = "noisy";
  table.names = {"x"};
  table.columns.resize(1 + targets);
  for (std::size_t t = 0; t < targets; ++t) table.names.push_back("y" + std::to_string(t + 1));
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = random.uniform(r);
    table.columns[0].push_back(x);
    for (std::size_t t = 0; t < targets; ++t) {
      const double sign = t == 0 ? 1 : -1;
      table.columns[1 + t].push_back(sign * x + (0.1 + x) * noise.normal(targets * r + t));
    }
  }
  return table;
}

TrainOptions quick(const std::string& loss) {
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 300;
  options.loss = loss;
  options.lambda_w = 1e-5;
  options.threads = 1;
  return options;
}

TEST(Quantiles, CoverTheShareThatTheyPromise) {
  TrainOptions options = quick("quantile");
  options.quantiles = {0.1, 0.5, 0.9};
  TableTask task;
  task.test_fraction = 0.5;
  const Model model = train(noisy(2000), task, options);
  EXPECT_THAT(model.prediction_names(), testing::ElementsAre("y1 0.1", "y1 0.5", "y1 0.9"));
  ASSERT_TRUE(model.training.test->intervals);
  EXPECT_DOUBLE_EQ(model.training.test->intervals->share, 0.8);
  EXPECT_NEAR(model.training.test->intervals->coverage, 0.8, 0.05);
  // The true width at x is 2.563 (0.1 + x), with a mean of 1.54.
  EXPECT_NEAR(model.training.test->intervals->width, 1.54, 0.2);
  const auto columns = model.predict(noisy(500));
  for (std::size_t r = 0; r < 500; ++r) {
    ASSERT_LE(columns[0][r], columns[1][r]);
    ASSERT_LE(columns[1][r], columns[2][r]);
  }
}

TEST(Quantiles, OfSeveralTargets) {
  TrainOptions options = quick("quantile");
  options.iterations = 40;
  const Table table = noisy(300, 2);
  TableTask task;
  task.targets = {"y1", "y2"};
  const Model model = train(table, task, options);
  EXPECT_EQ(model.outputs(), 6u);
  ASSERT_EQ(model.training.target_scores.size(), 2u);
  EXPECT_TRUE(model.training.target_scores[1].train->intervals);
  EXPECT_TRUE(model.training.train->intervals);
  const PinballScores &first = *model.training.target_scores[0].train->pinball,
                      &second = *model.training.target_scores[1].train->pinball;
  EXPECT_DOUBLE_EQ(model.training.train->pinball->loss, (first.loss + second.loss) / 2);
  EXPECT_DOUBLE_EQ(model.training.train->pinball->deviation,
                   std::sqrt((std::pow(first.deviation, 2) + std::pow(second.deviation, 2)) / 2));
}

// As point predictions, high quantiles are worse than the mean (an NRMSE above 1); as quantiles,
// good predictions have a loss of about 0.175 standard deviations of the noise.
TEST(Quantiles, SettingsAreComparedByTheirPinballLoss) {
  TrainOptions options = quick("quantile");
  options.quantiles = {0.9};
  options.iterations = 60;
  options.ensemble = 1;
  const Model model =
      train_automatically(noisy(400), {}, options,
                          std::vector<std::string>{"hidden", "iterations", "ensemble", "lambda-w",
                                                   "scale-inputs", "optimizer"});
  ASSERT_FALSE(model.training.tried.empty());
  double best = 1;
  for (const TriedSetting& tried : model.training.tried) best = std::min(best, tried.score);
  EXPECT_LT(best, 0.25);
  EXPECT_GT(best, 0.05);
  EXPECT_GT(model.training.train->nrmse, 1);
}

TEST(Quantiles, GoOnWithTheLevelsOfTheModelOnly) {
  TrainOptions options = quick("quantile");
  options.iterations = 5;
  options.quantiles = {0.1, 0.5, 0.9};
  const Table table = noisy(200);
  const PreparedData prepared(table, {}, 0);
  const Model start = train(table, {}, options);
  const auto go_on = [&] { return train(prepared.data(), {}, options, {.start = lent(start)}); };
  EXPECT_NO_THROW(go_on());
  options.quantiles = {0.05, 0.5, 0.95};
  EXPECT_THROW(go_on(), Error);
  options.loss = "squared";
  EXPECT_THROW(go_on(), Error);
}

TEST(RobustLosses, PassOverRowsFarOff) {
  Table table = noisy(300);
  for (std::size_t r = 0; r < 300; r += 20) table.columns[1][r] = 500;
  const auto median_error = [&](const std::string& loss) {
    TrainOptions options = quick(loss);
    options.huber_delta = 0.01;
    const auto predicted = train(table, {}, options).predict(table)[0];
    std::vector<double> errors;
    for (std::size_t r = 0; r < 300; ++r) {
      errors.push_back(std::fabs(predicted[r] - table.columns[0][r]));
    }
    std::nth_element(errors.begin(), errors.begin() + 150, errors.end());
    return errors[150];
  };
  const double squared = median_error("squared");
  EXPECT_LT(median_error("absolute"), squared / 10);
  EXPECT_LT(median_error("huber"), squared / 3);
}

}  // namespace
}  // namespace knotwork::model
