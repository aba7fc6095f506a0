// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "scoring/score_sums.hpp"

#include <knotwork/error.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/random.hpp>

namespace knotwork::scoring {
namespace {

using Columns = std::vector<std::vector<double>>;

Scores scores_of(const Columns& probabilities, const std::vector<double>& truth,
                 const std::vector<double>& weights = {}) {
  std::vector<double> all;
  for (const auto& column : probabilities) all.insert(all.end(), column.begin(), column.end());
  return score_classes(
      column_major(std::span<const double>(all), truth.size(), probabilities.size()), truth,
      weights);
}

TEST(ClassScores, OfThreeClassesByHand) {
  const Scores scores =
      scores_of({{0.7, 0.2, 0.1, 0.3}, {0.2, 0.5, 0.6, 0.3}, {0.1, 0.3, 0.3, 0.4}}, {0, 1, 2, 2});
  ASSERT_TRUE(scores.classes);
  EXPECT_DOUBLE_EQ(scores.classes->accuracy, 0.75);
  EXPECT_DOUBLE_EQ(scores.classes->log_loss,
                   -(std::log(0.7) + std::log(0.5) + std::log(0.3) + std::log(0.4)) / 4);
  EXPECT_EQ(scores.classes->confusion, (Columns{{1, 0, 0}, {0, 1, 0}, {0, 1, 1}}));
  // Class 0: above all others. Class 1: above two of three. Class 2: 0.3 ties with row 1, 0.4 wins.
  EXPECT_DOUBLE_EQ(scores.classes->auc, (1 + 2.0 / 3 + 3.5 / 4) / 3);
  EXPECT_TRUE(std::isnan(scores.nrmse));
  EXPECT_EQ(scores.to_compare(), scores.classes->log_loss);
}

TEST(ClassScores, OfEquallyProbableClassesTheFirstIsPredicted) {
  const Scores scores = scores_of({{0.4, 0.2, 0.3}, {0.4, 0.4, 0.4}, {0.2, 0.4, 0.3}}, {0, 1, 2});
  EXPECT_EQ(scores.classes->confusion, (Columns{{1, 0, 0}, {0, 1, 0}, {0, 1, 0}}));
  EXPECT_DOUBLE_EQ(scores.classes->accuracy, 2.0 / 3);
}

TEST(ClassScores, TheAreaIsTheShareOfPairsInOrder) {
  const Random random(2, Purpose::weights);
  std::vector<double> p, rest, truth, weights;
  for (std::uint64_t k = 0; k < 60; ++k) {
    p.push_back(std::floor(10 * random.uniform(3 * k)) / 10);
    rest.push_back(1 - p.back());
    truth.push_back(random.uniform(3 * k + 1) < p.back() ? 1 : 0);
    weights.push_back(random.uniform(3 * k + 2));
  }
  double pairs = 0, all = 0;
  for (std::size_t a = 0; a < p.size(); ++a) {
    for (std::size_t b = 0; b < p.size(); ++b) {
      if (truth[a] != 1 || truth[b] != 0) continue;
      all += weights[a] * weights[b];
      pairs += weights[a] * weights[b] * (p[a] > p[b] ? 1 : (p[a] == p[b] ? 0.5 : 0));
    }
  }
  EXPECT_NEAR(scores_of({rest, p}, truth, weights).classes->auc, pairs / all, 1e-12);
}

TEST(ClassScores, OfAProbabilityThatIsNoNumberThereIsNoArea) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Scores scores = scores_of({{0.5, nan, 0.2, 1}, {0.5, nan, 0.8, 0}}, {0, 1, 1, 0});
  EXPECT_TRUE(std::isnan(scores.classes->auc));
  EXPECT_TRUE(std::isnan(scores.classes->log_loss));
}

TEST(ClassScores, WeightsOfAnySizeCountInProportion) {
  const Columns probabilities = {{0.7, 0.2, 0.6, 0.3}, {0.3, 0.8, 0.4, 0.7}};
  const Scores usual = scores_of(probabilities, {0, 1, 1, 0}, {1, 2, 3, 4});
  for (const double unit : {0x1p1000, 0x1p-1070}) {
    const Scores scores =
        scores_of(probabilities, {0, 1, 1, 0}, {unit, 2 * unit, 3 * unit, 4 * unit});
    EXPECT_EQ(scores.classes->accuracy, usual.classes->accuracy);
    EXPECT_EQ(scores.classes->log_loss, usual.classes->log_loss);
    EXPECT_EQ(scores.classes->auc, usual.classes->auc);
    EXPECT_EQ(scores.classes->confusion[1][0], 3 * unit);
  }
}

TEST(ClassScores, CertainlyWrongIsFinite) {
  const Scores scores = scores_of({{1, 1}, {0, 0}}, {0, 1});
  EXPECT_DOUBLE_EQ(scores.classes->log_loss, -std::log(1e-15) / 2);
  EXPECT_DOUBLE_EQ(scores.classes->auc, 0.5);
}

TEST(ClassScores, OneClassAloneHasNoArea) {
  EXPECT_TRUE(std::isnan(scores_of({{0.5, 0.2}, {0.5, 0.8}}, {1, 1}).classes->auc));
}

TEST(ClassScores, WeightsCount) {
  const Scores scores = scores_of({{0.9, 0.9}, {0.1, 0.1}}, {0, 1}, {3, 1});
  EXPECT_DOUBLE_EQ(scores.classes->accuracy, 0.75);
  EXPECT_EQ(scores.classes->confusion, (Columns{{3, 0}, {1, 0}}));
}

TEST(ClassScores, RefuseAClassThatIsNone) {
  EXPECT_THROW(scores_of({{1}, {0}}, {2}), Error);
  EXPECT_THROW(scores_of({{1}, {0}}, {-1}), Error);
  EXPECT_THROW(scores_of({{1}, {0}}, {0}, {1, 2}), Error);
}

TEST(ClassScores, TheRefusedRowIsCountedOverAllPieces) {
  ClassSums sums(2, 5);
  sums.see_truth(std::vector<double>{0, 1, 1}, {});
  try {
    sums.see_truth(std::vector<double>{0, 2}, {});
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "The class of row 4 is 2; there are 2 classes, from 0.");
  }
}

TEST(QuantileScores, CountWhatLiesWithin) {
  const std::vector<double> low = {0, 0, 0, 0}, middle = {1, 2, 3, 4}, high = {2, 4, 6, 8};
  std::vector<double> all = low;
  all.insert(all.end(), middle.begin(), middle.end());
  all.insert(all.end(), high.begin(), high.end());
  const std::vector<double> levels = {0.1, 0.5, 0.9}, truth = {1, 5, 6, 4};
  const Scores scores =
      score_quantiles(column_major(std::span<const double>(all), 4, 3), levels, truth);
  EXPECT_DOUBLE_EQ(scores.mae, (0 + 3 + 3 + 0) / 4.0);
  ASSERT_TRUE(scores.intervals);
  EXPECT_DOUBLE_EQ(scores.intervals->share, 0.8);
  EXPECT_DOUBLE_EQ(scores.intervals->coverage, 0.75);
  EXPECT_DOUBLE_EQ(scores.intervals->width, 5);
  // By hand: level 0.1 is off by 1, 5, 6, 4 from above, 0.9 by 1, 0 from above and by 1, -4.
  ASSERT_TRUE(scores.pinball);
  const double lowest = 0.1 * (1 + 5 + 6 + 4), medium = 0.5 * (0 + 3 + 3 + 0);
  const double highest = 0.1 * 1 + 0.9 * 1 + 0 + 0.1 * 4;
  EXPECT_DOUBLE_EQ(scores.pinball->loss, (lowest + medium + highest) / 12);
  EXPECT_DOUBLE_EQ(scores.pinball->deviation, std::sqrt((9 + 1 + 4 + 0) / 4.0));
  EXPECT_DOUBLE_EQ(scores.to_compare(), scores.pinball->loss / scores.pinball->deviation);
}

TEST(QuantileScores, WeighRows) {
  const std::vector<double> twice = {1, 1, 4}, once = {1, 4}, levels = {0.25};
  const Scores repeated = score_quantiles(column_major(std::span<const double>(twice), 3, 1),
                                          levels, std::vector<double>{0, 0, 6});
  const Scores weighted = score_quantiles(column_major(std::span<const double>(once), 2, 1), levels,
                                          std::vector<double>{0, 6}, std::vector<double>{2, 1});
  EXPECT_DOUBLE_EQ(repeated.pinball->loss, (0.75 + 0.75 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(weighted.pinball->loss, repeated.pinball->loss);
  EXPECT_DOUBLE_EQ(weighted.pinball->deviation, repeated.pinball->deviation);
  EXPECT_FALSE(weighted.intervals);
}

TEST(QuantileScores, ExactPredictionsOfOneValueScoreZero) {
  const std::vector<double> same = {2, 2}, levels = {0.5};
  const auto scored = [&](const std::vector<double>& truth) {
    return score_quantiles(column_major(std::span<const double>(same), 2, 1), levels, truth);
  };
  EXPECT_EQ(scored({2, 2}).to_compare(), 0);
  EXPECT_EQ(scored({3, 3}).to_compare(), std::numeric_limits<double>::infinity());
}

TEST(QuantileScores, AreInTheUnitsOfHugeAndTinyTargets) {
  const std::vector<double> levels = {0.1, 0.9};
  const auto scores = [&](double size) {
    const std::vector<double> y = {0 * size, 1 * size, 2 * size, 3 * size, 3 * size, 5 * size};
    const std::vector<double> d = {1 * size, 2 * size, 7 * size};
    return score_quantiles(column_major(std::span(y), 3, 2), levels, d);
  };
  const Scores usual = scores(1);
  for (const double size : {0x1p1000, 0x1p-1000}) {
    const Scores s = scores(size);
    EXPECT_EQ(s.pinball->loss, usual.pinball->loss * size);
    EXPECT_EQ(s.pinball->deviation, usual.pinball->deviation * size);
    EXPECT_EQ(s.intervals->width, usual.intervals->width * size);
    EXPECT_EQ(s.intervals->coverage, usual.intervals->coverage);
  }
}

TEST(QuantileScores, TargetsThatDoNotVaryHaveNoDeviation) {
  const std::vector<double> y(7, 0.2), d(7, 0.1);  // 0.1 * 7 / 7 is not 0.1
  const Scores s = score_quantiles(column_major(std::span(y), 7, 1), std::vector{0.5}, d);
  EXPECT_EQ(s.pinball->deviation, 0);
  EXPECT_TRUE(std::isinf(s.pinball->relative()));
}

}  // namespace
}  // namespace knotwork::scoring
