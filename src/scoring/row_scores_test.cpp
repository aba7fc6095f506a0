// SPDX-License-Identifier: MIT
#include "scoring/row_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/test_dice.hpp"
#include "model/score_predictions.hpp"

#include <knotwork/error.hpp>

namespace knotwork::scoring {
namespace {

// Truth and predictions of some rows, by row.
struct Sample {
  std::vector<TargetColumn> targets;
  std::size_t columns = 0;
  std::vector<double> predictions, truth, weights;

  std::size_t rows() const { return truth.size() / targets.size(); }
};

Sample make_sample(std::vector<TargetColumn> targets, std::size_t rows, bool weighted) {
  const Random random(3, Purpose::builtin_inputs);
  Sample sample;
  sample.targets = std::move(targets);
  std::uint64_t index = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (const TargetColumn& target : sample.targets) {
      const bool classes = !target.classes.empty();
      const double truth = classes ? static_cast<double>(random.below(target.classes.size(), index))
                                   : random.normal(index);
      ++index;
      std::vector<double> own;
      for (std::size_t c = 0; c < target.predictions(); ++c) {
        own.push_back(classes ? random.uniform(index) : truth + random.normal(index));
        ++index;
      }
      if (!classes) std::sort(own.begin(), own.end());
      sample.truth.push_back(truth);
      sample.predictions.insert(sample.predictions.end(), own.begin(), own.end());
    }
    if (weighted) sample.weights.push_back(random.uniform(index++));
  }
  sample.columns = sample.predictions.size() / rows;
  return sample;
}

std::vector<double> numbers_of(const Scores& scores) {
  std::vector<double> all = {static_cast<double>(scores.rows)};
  if (scores.classes) {
    const ClassScores& own = *scores.classes;
    all.insert(all.end(), {own.accuracy, own.log_loss, own.auc});
    for (const auto& row : own.confusion) all.insert(all.end(), row.begin(), row.end());
  } else {
    all.insert(all.end(), {scores.rmse, scores.nrmse, scores.mae, scores.r2});
  }
  if (scores.pinball) all.insert(all.end(), {scores.pinball->loss, scores.pinball->deviation});
  if (scores.intervals) {
    all.insert(all.end(),
               {scores.intervals->share, scores.intervals->coverage, scores.intervals->width});
  }
  return all;
}

// Ranks that take pieces of the rows in turn, at different positions in each pass.
Scores score_by_ranks(const Sample& sample, Dice& dice, std::vector<Scores>& each) {
  std::vector<RowScores> ranks(3, RowScores(sample.targets, sample.rows()));
  for (const bool first_pass : {true, false}) {
    for (std::size_t first = 0; first < sample.rows();) {
      const std::size_t count = std::min(sample.rows() - first, 1 + dice.below(40));
      const auto part = [&](const std::vector<double>& all, std::size_t columns) {
        return std::span(all).subspan(first * columns, count * columns);
      };
      const auto truth =
          row_major(part(sample.truth, sample.targets.size()), count, sample.targets.size());
      const auto weights =
          sample.weights.empty() ? std::span<const double>() : part(sample.weights, 1);
      RowScores& rank = ranks[dice.below(ranks.size())];
      if (first_pass) {
        rank.see_truth(truth, weights);
      } else {
        rank.see(row_major(part(sample.predictions, sample.columns), count, sample.columns), truth,
                 weights);
      }
      first += count;
    }
    std::vector<parallel::MergeState> states;
    for (const RowScores& rank : ranks) states.push_back(rank.state());
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      for (std::size_t other = 0; other < ranks.size(); ++other) {
        if (other != k) ranks[k].merge(states[other]);
      }
      if (first_pass) ranks[k].begin_predictions();
    }
  }
  EXPECT_EQ(numbers_of(ranks[2].finish(nullptr)), numbers_of(ranks[0].finish(nullptr)));
  EXPECT_EQ(ranks[2].infinite_rows(), ranks[0].infinite_rows());
  return ranks[1].finish(&each);
}

TEST(RowScores, OfRanksAndPiecesAreThoseOfAllRowsAtOnce) {
  const std::vector<double> levels = {0.1, 0.5, 0.9};
  const std::vector<std::vector<TargetColumn>> kinds = {
      {{.column = "y"}},
      {{.column = "a"}, {.column = "b"}},
      {{.column = "q", .quantiles = levels}},
      {{.column = "q", .quantiles = levels}, {.column = "p", .quantiles = levels}},
      {{.column = "c", .classes = {"no", "yes"}}},
      {{.column = "c", .classes = {"a", "b", "c"}}}};
  Dice dice(1);
  for (const auto& targets : kinds) {
    for (const bool weighted : {false, true}) {
      const Sample sample = make_sample(targets, 300, weighted);
      std::vector<double> by_column;
      for (std::size_t c = 0; c < sample.columns; ++c) {
        for (std::size_t r = 0; r < sample.rows(); ++r) {
          by_column.push_back(sample.predictions[r * sample.columns + c]);
        }
      }
      std::vector<Scores> wanted_each, each;
      const Scores wanted = model::score_predictions(
          targets, by_column, row_major(std::span(sample.truth), sample.rows(), targets.size()),
          sample.weights, &wanted_each);
      EXPECT_EQ(numbers_of(score_by_ranks(sample, dice, each)), numbers_of(wanted));
      ASSERT_EQ(each.size(), targets.size());
      for (std::size_t t = 0; t < each.size(); ++t) {
        EXPECT_EQ(numbers_of(each[t]), numbers_of(wanted_each[t]));
      }
    }
  }
}

TEST(RowScores, CountRowsWithoutAFinitePrediction) {
  Sample sample = make_sample({{.column = "a"}, {.column = "b"}}, 50, false);
  sample.predictions[6] = std::numeric_limits<double>::infinity();
  sample.predictions[7] = std::numeric_limits<double>::quiet_NaN();  // of the same row
  sample.predictions[90] = std::numeric_limits<double>::quiet_NaN();
  RowScores scores(sample.targets, sample.rows());
  const auto truth = row_major(std::span<const double>(sample.truth), 50, 2);
  scores.see_truth(truth, {});
  EXPECT_EQ(scores.total_weight(), 50);
  scores.begin_predictions();
  scores.see(row_major(std::span<const double>(sample.predictions), 50, 2), truth, {});
  EXPECT_EQ(scores.infinite_rows(), 2u);
  EXPECT_TRUE(std::isnan(scores.finish(nullptr).rmse));
}

TEST(RowScores, ShapesAndStatesThatDoNotFitAreRefused) {
  const Sample sample = make_sample({{.column = "a"}, {.column = "b"}}, 50, true);
  RowScores scores(sample.targets, sample.rows());
  const auto truth = row_major(std::span(sample.truth), 50, 2);
  const auto one = row_major(std::span(sample.truth), 100, 1);
  EXPECT_THROW(scores.see_truth(one, {}), Error);
  EXPECT_THROW(scores.see_truth(truth, std::vector<double>(3, 1.0)), Error);
  EXPECT_THROW(scores.see_truth(truth, std::vector<double>(50, -1.0)), Error);
  EXPECT_THROW(scores.merge(RowScores({sample.targets.data(), 1}, 50).state()), Error);
  RowScores other(sample.targets, sample.rows());
  other.begin_predictions();
  EXPECT_THROW(other.see(one, truth, {}), Error);
}

}  // namespace
}  // namespace knotwork::scoring
