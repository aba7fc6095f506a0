// SPDX-License-Identifier: MIT
#include "scoring/score_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/test_dice.hpp"
#include "scoring/units.hpp"

#include <knotwork/error.hpp>

namespace knotwork::scoring {
namespace {

// Rows with some columns of predictions, by row.
struct Rows {
  std::size_t columns;
  std::vector<double> predictions, truth, weights;

  std::size_t size() const { return truth.size(); }
  MatrixView<const double> view() const {
    return row_major(std::span(predictions), size(), columns);
  }
  Rows chosen(std::span<const std::size_t> rows) const {
    Rows result{columns, {}, {}, {}};
    for (const std::size_t row : rows) {
      const auto first = predictions.begin() + static_cast<std::ptrdiff_t>(row * columns);
      result.predictions.insert(result.predictions.end(), first,
                                first + static_cast<std::ptrdiff_t>(columns));
      result.truth.push_back(truth[row]);
      if (!weights.empty()) result.weights.push_back(weights[row]);
    }
    return result;
  }
};

Rows number_rows(std::size_t count, std::size_t columns, bool weighted, double size = 1) {
  const Random random(7, Purpose::builtin_inputs);
  Rows rows{columns, {}, {}, {}};
  std::uint64_t index = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const double truth = random.normal(index++);
    rows.truth.push_back(size * truth);
    std::vector<double> own;
    for (std::size_t c = 0; c < columns; ++c) own.push_back(truth + random.normal(index++) / 3);
    std::sort(own.begin(), own.end());
    for (const double y : own) rows.predictions.push_back(size * y);
    if (weighted) rows.weights.push_back(r % 5 == 0 ? 0 : random.uniform(index++));
  }
  return rows;
}

Rows class_rows(std::size_t count, std::size_t classes, bool weighted) {
  const Random random(8, Purpose::builtin_inputs);
  Rows rows{classes, {}, {}, {}};
  std::uint64_t index = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t own = random.below(classes, index++);
    rows.truth.push_back(static_cast<double>(own));
    std::vector<double> p(classes);
    for (std::size_t c = 0; c < classes; ++c) {
      p[c] = std::exp(2 * random.normal(index++) + (c == own ? 1 : 0));
    }
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (const double one : p) rows.predictions.push_back(one / sum);
    if (weighted) rows.weights.push_back(random.uniform(index++));
  }
  return rows;
}

// Every number in a fixed order, to compare bits.
std::vector<double> score_numbers(const Scores& scores) {
  std::vector<double> all = {static_cast<double>(scores.rows), scores.rmse, scores.nrmse,
                             scores.mae, scores.r2};
  if (scores.classes) {
    const ClassScores& own = *scores.classes;
    all = {static_cast<double>(scores.rows), own.accuracy, own.log_loss, own.auc};
    for (const auto& row : own.confusion) all.insert(all.end(), row.begin(), row.end());
  }
  if (scores.pinball) all.insert(all.end(), {scores.pinball->loss, scores.pinball->deviation});
  if (scores.intervals) {
    all.insert(all.end(), {scores.intervals->coverage, scores.intervals->width});
  }
  return all;
}

// Scores from several objects that each see some of the rows, in their own order and in pieces.
template <class Sums>
Scores score_together(const Sums& fresh, const Rows& rows, Dice& dice) {
  std::vector<Sums> all(3, fresh);
  for (const bool first_pass : {true, false}) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[dice.below(k)]);
    for (std::size_t first = 0; first < order.size();) {
      const std::size_t count = std::min(order.size() - first, 1 + dice.below(order.size() / 3));
      const Rows piece = rows.chosen(std::span(order).subspan(first, count));
      Sums& own = all[dice.below(all.size())];
      if (first_pass) {
        own.see_truth(piece.truth, piece.weights);
      } else {
        own.see(piece.view(), piece.truth, piece.weights);
      }
      first += count;
    }
    std::vector<parallel::MergeState> states(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k].put(states[k]);
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (std::size_t other = 0; other < all.size(); ++other) {
        if (other == k) continue;
        parallel::StateReader reader(states[other]);
        all[k].merge(reader);
        reader.finish();
      }
      if (first_pass) all[k].end_truth();
    }
  }
  EXPECT_EQ(score_numbers(all[1].scores()), score_numbers(all[0].scores()));
  EXPECT_EQ(score_numbers(all[2].scores()), score_numbers(all[0].scores()));
  return all[0].scores();
}

TEST(ScoreSums, OfNumbersHaveTheSameBitsInAnyOrderAndPieces) {
  Dice dice(1);
  for (const bool weighted : {false, true}) {
    for (const double size : {1.0, 1e160, 1e-170, 1e307}) {
      const Rows rows = number_rows(200, 1, weighted, size);
      const Scores wanted =
          score(rows.view(), column_major(std::span(rows.truth), rows.size(), 1), rows.weights);
      EXPECT_TRUE(wanted.nrmse > 0.1 && wanted.nrmse < 1);
      for (int round = 0; round < 5; ++round) {
        EXPECT_EQ(score_numbers(score_together(NumberSums(), rows, dice)), score_numbers(wanted));
      }
    }
  }
}

TEST(ScoreSums, OfQuantilesHaveTheSameBitsInAnyOrderAndPieces) {
  Dice dice(2);
  const std::vector<double> levels = {0.1, 0.5, 0.9};
  for (const bool weighted : {false, true}) {
    const Rows rows = number_rows(200, 3, weighted);
    const Scores wanted = score_quantiles(rows.view(), levels, rows.truth, rows.weights);
    for (int round = 0; round < 5; ++round) {
      EXPECT_EQ(score_numbers(score_together(QuantileSums(levels), rows, dice)),
                score_numbers(wanted));
    }
  }
}

TEST(ScoreSums, OfClassesHaveTheSameBitsInAnyOrderAndPieces) {
  Dice dice(3);
  for (const bool weighted : {false, true}) {
    for (const std::size_t classes : {2u, 4u}) {
      const Rows rows = class_rows(300, classes, weighted);
      const Scores wanted = score_classes(rows.view(), rows.truth, rows.weights);
      // Declared to be more rows, they are counted in bins; the values are so far apart that it
      // makes no difference.
      for (const std::size_t declared : {rows.size(), kExactAucRows + 1}) {
        const ClassSums fresh(classes, declared);
        const std::vector<double> first = score_numbers(score_together(fresh, rows, dice));
        EXPECT_EQ(score_numbers(score_together(fresh, rows, dice)), first);
        if (declared == rows.size()) {
          EXPECT_EQ(first, score_numbers(wanted));
        }
        EXPECT_NEAR(first[3], wanted.classes->auc, 5e-4);
      }
    }
  }
}

double area_of(const std::vector<double>& p, const std::vector<double>& truth,
               std::size_t declared) {
  Rows rows{2, {}, truth, {}};
  for (const double one : p) rows.predictions.insert(rows.predictions.end(), {1 - one, one});
  ClassSums sums(2, declared);
  sums.see_truth(rows.truth, {});
  sums.end_truth();
  sums.see(rows.view(), rows.truth, {});
  return sums.scores().classes->auc;
}

TEST(AreaSums, BinsAreOffByHalfOfThePairsThatShareOne) {
  // Probabilities near 0 and 1 are distinguished as well as those in the middle.
  for (const double p : {1e-12, 1e-3, 0.3, 0.499, 0.5}) {
    for (const double near : {p, 1 - p}) {
      const double step = 0.005 * std::min(near, 1 - near);
      const std::vector<double> apart = {near, near + step, near - step};
      EXPECT_EQ(area_of(apart, {0, 1, 0}, kExactAucRows + 1), 1) << near;
      EXPECT_EQ(area_of(apart, {0, 1, 1}, kExactAucRows + 1), 0.5) << near;
    }
  }
  EXPECT_EQ(area_of({0.3, 0.3}, {0, 1}, kExactAucRows + 1), 0.5);
  EXPECT_EQ(area_of({0, 1, 1e-300, 1}, {0, 1, 0, 1}, kExactAucRows + 1), 1);
  EXPECT_EQ(area_of({-1, 2, -3, 5}, {0, 1, 0, 1}, kExactAucRows + 1), 1);
  EXPECT_TRUE(std::isnan(area_of({NAN, 0.5}, {0, 1}, kExactAucRows + 1)));
  EXPECT_TRUE(std::isnan(area_of({0.1, 0.5}, {1, 1}, kExactAucRows + 1)));
}

TEST(AreaSums, OfManyRowsIsCloseToTheExactOne) {
  const Random random(9, Purpose::builtin_inputs);
  std::vector<double> p, truth;
  for (std::uint64_t r = 0; r < 50'000; ++r) {
    truth.push_back(random.uniform(2 * r) < 0.01 ? 1 : 0);
    p.push_back(1 / (1 + std::exp(6 - random.normal(2 * r + 1) - truth.back())));
  }
  const double exact = area_of(p, truth, p.size());
  EXPECT_NEAR(area_of(p, truth, kExactAucRows + 1), exact, 1e-4);
  EXPECT_GT(exact, 0.7);
}

TEST(ScoreSums, WeightsThatAreNoneAreRefused) {
  EXPECT_THROW(check_weights(std::vector<double>{1, -1}, 0), Error);
  EXPECT_THROW(check_weights(std::vector<double>{std::numeric_limits<double>::infinity()}, 0),
               Error);
}

TEST(Units, AreTheLargestPowerOfTwoWithinTheLargestNumber) {
  EXPECT_EQ(unit_of_weights(std::vector<double>{0.5, 3, 0}), 2);
  EXPECT_EQ(unit_of_weights(std::vector<double>{0, 0x1p-1070}), 0x1p-1070);
  EXPECT_EQ(unit_of_weights(std::vector<double>{0, 0}), 1);
}

TEST(WideNumber, ReckonsBeyondTheRangeOfDoubles) {
  const WideNumber huge(1e300), tiny(1e-300);
  EXPECT_DOUBLE_EQ((huge * huge / huge).value(), 1e300);
  EXPECT_DOUBLE_EQ((tiny * tiny * huge).value(), 1e-300);
  EXPECT_DOUBLE_EQ((huge * huge).root().value(), 1e300);
  EXPECT_DOUBLE_EQ((tiny * tiny).root().value(), 1e-300);
  EXPECT_DOUBLE_EQ((huge * huge + huge * huge).root().value(), std::sqrt(2.0) * 1e300);
  EXPECT_EQ((huge - huge).value(), 0);
  EXPECT_EQ((huge * huge).value(), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan((WideNumber(0) / 0.0).value()));
  parallel::ExactSum sum;
  add_product(sum, 1e300, 1e300, 1e-300);
  add_product(sum, -1e300, 1e300, 1e-300);
  EXPECT_EQ(sum.value(), 0);
  add_product(sum, 1e-200, 1e-200);
  EXPECT_DOUBLE_EQ((WideNumber(sum) * 1e300).value(), 1e-100);
  const WideDifference far(1.5e308, -1.5e308);
  EXPECT_DOUBLE_EQ((WideNumber(far.value, far.exponent) / 2.0).value(), 1.5e308);
}

}  // namespace
}  // namespace knotwork::scoring
