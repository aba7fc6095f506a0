// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <knotwork/metrics.hpp>

namespace knotwork::scoring {
namespace {

Scores score_columns(const std::vector<double>& y, const std::vector<double>& d,
                     std::size_t columns = 1, const std::vector<double>& weights = {}) {
  const std::size_t rows = d.size() / columns;
  return score(column_major(std::span(y), rows, columns), column_major(std::span(d), rows, columns),
               weights);
}

TEST(Metrics, AreThoseComputedByHand) {
  // Errors 1, 0, -2, 1: squares 6, sizes 4. Targets around their mean 2.5: squares 5.
  const Scores s = score_columns({2, 2, 1, 5}, {1, 2, 3, 4});
  EXPECT_EQ(s.rows, 4u);
  EXPECT_DOUBLE_EQ(s.rmse, std::sqrt(1.5));
  EXPECT_DOUBLE_EQ(s.nrmse, std::sqrt(6.0 / 5));
  EXPECT_DOUBLE_EQ(s.mae, 1);
  EXPECT_DOUBLE_EQ(s.r2, 1 - 6.0 / 5);
}

TEST(Metrics, PredictingTheMeanScoresOne) {
  const Scores s = score_columns({2.5, 2.5, 2.5, 2.5}, {1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(s.nrmse, 1);
  EXPECT_NEAR(s.r2, 0, 1e-15);
}

TEST(Metrics, WeightsCountInEverySumAndMean) {
  // Weights 2, 1, 0, 1: mean (2 + 2 + 4) / 4 = 2; spread 2 + 0 + 4 = 6; errors 1, 0, -, 1.
  const Scores s = score_columns({2, 2, 100, 5}, {1, 2, 3, 4}, 1, {2, 1, 0, 1});
  EXPECT_DOUBLE_EQ(s.rmse, std::sqrt(3.0 / 4));
  EXPECT_DOUBLE_EQ(s.mae, 3.0 / 4);
  EXPECT_DOUBLE_EQ(s.nrmse, std::sqrt(3.0 / 6));
  const Scores doubled = score_columns({2, 2, 2, 5}, {1, 1, 2, 4});
  EXPECT_DOUBLE_EQ(doubled.nrmse, s.nrmse);
  EXPECT_DOUBLE_EQ(doubled.rmse, s.rmse);
}

TEST(Metrics, SeveralOutputsAreSummedEachAroundItsOwnMean) {
  // Second output: errors 0, 3; targets 10, 20 around 15: squares 50. First: errors 1, 1; 0, 2: 2.
  const Scores s = score_columns({1, 3, 10, 23}, {0, 2, 10, 20}, 2);
  EXPECT_EQ(s.rows, 2u);
  EXPECT_DOUBLE_EQ(s.nrmse, std::sqrt(11.0 / 52));
  EXPECT_DOUBLE_EQ(s.rmse, std::sqrt(11.0 / 4));
  EXPECT_DOUBLE_EQ(s.mae, 5.0 / 4);
}

TEST(Metrics, LayoutDoesNotMatter) {
  const std::vector<double> y = {1, 10, 3, 23}, d = {0, 10, 2, 20};
  const Scores s = score(row_major(std::span(y), 2, 2), row_major(std::span(d), 2, 2));
  EXPECT_DOUBLE_EQ(s.nrmse, std::sqrt(11.0 / 52));
}

// 0.1 three times does not sum to 0.3: the mean must be exact to the last bit.
TEST(Metrics, TargetsThatDoNotVaryGiveInfinityOrZero) {
  for (double constant : {0.1, 1.0 / 3, -7.3, 0.0, 1e300}) {
    for (std::size_t rows : {1u, 3u, 7u, 10u}) {
      const std::vector<double> d(rows, constant), weights(rows, 0.7);
      std::vector<double> y = d;
      EXPECT_EQ(score_columns(y, d).nrmse, 0);
      EXPECT_EQ(score_columns(y, d).r2, 1);
      y[0] += std::max(1e-3, 1e-3 * std::fabs(constant));
      EXPECT_EQ(score_columns(y, d).nrmse, std::numeric_limits<double>::infinity())
          << constant << " " << rows;
      EXPECT_EQ(score_columns(y, d).r2, -std::numeric_limits<double>::infinity());
      EXPECT_EQ(score_columns(y, d, 1, weights).nrmse, std::numeric_limits<double>::infinity());
    }
  }
  // A row without weight does not make targets vary.
  EXPECT_EQ(score_columns({0, 1, 1, 1}, {5, 0.1, 0.1, 0.1}, 1, {0, 1, 1, 1}).nrmse,
            std::numeric_limits<double>::infinity());
}

TEST(Metrics, AFarAwayMeanCostsNoDigits) {
  const double far = 1e9;
  const Scores s =
      score_columns({far + 2, far + 2, far + 1, far + 5}, {far + 1, far + 2, far + 3, far + 4});
  EXPECT_DOUBLE_EQ(s.nrmse, std::sqrt(6.0 / 5));
}

// Between 2^53 and 2^53 + 2 there is no double, so their mean is rounded to one of them.
TEST(Metrics, ARoundedMeanCostsNoDigits) {
  const double low = 0x1p53, high = low + 2;
  for (const double weight : {1.0, 3.0}) {
    const Scores s = score_columns({high, low}, {low, high}, 1, {weight, weight});
    EXPECT_DOUBLE_EQ(s.nrmse, 2) << weight;
    EXPECT_DOUBLE_EQ(s.r2, -3) << weight;
  }
}

TEST(Metrics, WhatCannotBeScoredIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Scores bad = score_columns({1, nan}, {1, 2});
  EXPECT_TRUE(std::isnan(bad.rmse));
  EXPECT_TRUE(std::isnan(bad.nrmse));
  EXPECT_TRUE(std::isnan(bad.mae));
  EXPECT_TRUE(std::isnan(bad.r2));
  // If no row has weight there is no score, and certainly not a perfect one.
  const Scores weightless = score_columns({1, 3}, {1, 2}, 1, {0, 0});
  EXPECT_TRUE(std::isnan(weightless.rmse));
  EXPECT_TRUE(std::isnan(weightless.nrmse));
  EXPECT_TRUE(std::isnan(weightless.r2));
}

TEST(Metrics, ShapesThatDoNotFitAreRefused) {
  EXPECT_THROW(score_columns({1, 2}, {1, 2, 3}), Error);
  try {
    score_columns({1, 2}, {1, 2}, 1, {1});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_THAT(error.what(), testing::HasSubstr("weight"));
  }
}

TEST(Metrics, SquaresOfHugeAndTinyNumbersNeitherOverflowNorVanish) {
  for (const double size : {1e200, 1e-200, 1.0}) {
    const std::vector<double> d = {1 * size, 2 * size, 3 * size},
                              y = {1 * size, 2 * size, 4 * size};
    const Scores scores = score(column_major(std::span(y), 3, 1), column_major(std::span(d), 3, 1));
    EXPECT_NEAR(scores.nrmse, std::sqrt(0.5), 1e-14) << size;
    EXPECT_NEAR(scores.rmse / size, std::sqrt(1.0 / 3), 1e-14) << size;
    EXPECT_NEAR(scores.mae / size, 1.0 / 3, 1e-14) << size;
  }
}

TEST(Metrics, WeightsOfAnySizeCountInProportion) {
  const Scores usual = score_columns({2, 2, 100, 5}, {1, 2, 3, 4}, 1, {2, 1, 0, 1});
  for (const double unit : {0x1p1000, 0x1p-1070}) {
    const Scores s =
        score_columns({2, 2, 100, 5}, {1, 2, 3, 4}, 1, {2 * unit, 1 * unit, 0, 1 * unit});
    EXPECT_EQ(s.rmse, usual.rmse) << unit;
    EXPECT_EQ(s.nrmse, usual.nrmse) << unit;
    EXPECT_EQ(s.mae, usual.mae) << unit;
  }
}

TEST(Metrics, NothingToScoreIsNoScore) {
  const Scores s = score_columns({}, {});
  EXPECT_EQ(s.rows, 0u);
  for (const double one : {s.rmse, s.nrmse, s.mae, s.r2}) EXPECT_TRUE(std::isnan(one));
}

TEST(Metrics, WhatDoesNotFitIsRefused) {
  const std::vector<double> two(2, 1.0), one(1, 1.0);
  EXPECT_THROW(score(column_major(std::span(two), 2, 1), column_major(std::span(one), 1, 1)),
               Error);
  EXPECT_THROW(score_columns(two, two, 1, one), Error);
  for (const double weight : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(score_columns(two, two, 1, {1, weight}), Error);
  }
}

TEST(MeanDeviation, IsThatOfASample) {
  const MeanDeviation result = mean_deviation(std::vector<double>{1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(result.mean, 3);
  EXPECT_DOUBLE_EQ(result.deviation, std::sqrt(14.0 / 3));
  EXPECT_EQ(mean_deviation(std::vector<double>{0.25}).deviation, 0);
}

}  // namespace
}  // namespace knotwork::scoring
