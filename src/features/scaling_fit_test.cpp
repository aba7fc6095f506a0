// SPDX-License-Identifier: MIT
#include "features/scaling_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/test_dice.hpp"

#include <knotwork/error.hpp>

namespace knotwork::features {
namespace {

constexpr ScalingKind kAllKinds[] = {ScalingKind::none, ScalingKind::range, ScalingKind::standard,
                                     ScalingKind::quantile, ScalingKind::uniform};

// Skewed, with a distant largest value.
std::vector<double> skewed_values(std::size_t count) {
  const Random random(5, Purpose::builtin_inputs);
  std::vector<double> values(count);
  for (std::size_t r = 0; r < count; ++r) values[r] = std::exp(3 * random.normal(r));
  return values;
}

void expect_same(const Scaling& a, const Scaling& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.offset), std::bit_cast<std::uint64_t>(b.offset));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.scale), std::bit_cast<std::uint64_t>(b.scale));
  EXPECT_EQ(a.quantiles, b.quantiles);
}

std::vector<std::size_t> shuffled_rows(std::size_t count, Dice& dice) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (std::size_t k = count; k > 1; --k) std::swap(rows[k - 1], rows[dice.below(k)]);
  return rows;
}

// A fit by several objects that each see some of the rows, in their own order and in pieces.
Scaling fit_together(ScalingKind kind, const std::vector<double>& values, Dice& dice) {
  std::vector<ScalingFit> fits(3, ScalingFit(kind, ColumnRole::input));
  while (fits[0].needs_another_pass()) {
    const std::vector<std::size_t> rows = shuffled_rows(values.size(), dice);
    for (std::size_t first = 0; first < rows.size();) {
      const std::size_t count = std::min(rows.size() - first, 1 + dice.below(rows.size() / 4));
      const auto piece = std::span(rows).subspan(first, count);
      std::vector<double> cells;
      for (const std::size_t row : piece) cells.push_back(values[row]);
      fits[dice.below(fits.size())].see(cells, piece);
      first += count;
    }
    std::vector<parallel::MergeState> states;
    for (const ScalingFit& fit : fits) states.push_back(fit.state());
    for (std::size_t f = 0; f < fits.size(); ++f) {
      for (std::size_t other = 0; other < fits.size(); ++other) {
        if (other != f) fits[f].merge(states[other]);
      }
      fits[f].end_pass();
    }
  }
  expect_same(fits[1].finish(), fits[0].finish());
  expect_same(fits[2].finish(), fits[0].finish());
  return fits[0].finish();
}

TEST(ScalingFit, OrdersAndPiecesDoNotChangeABit) {
  Dice dice(1);
  for (const std::size_t count : {std::size_t{4}, std::size_t{50}, std::size_t{5000}}) {
    std::vector<double> values = skewed_values(count);
    values[1] = -0.0;
    values[3] = 0.0;
    for (const ScalingKind kind : kAllKinds) {
      const Scaling wanted = fit_scaling(kind, values, ColumnRole::input);
      for (int round = 0; round < 5; ++round) {
        expect_same(fit_together(kind, values, dice), wanted);
      }
    }
  }
}

TEST(ScalingFit, ASampleDependsOnTheRowsAlone) {
  Dice dice(2);
  const std::vector<double> values = skewed_values(kExactQuantileValues + 300'000);
  const Scaling wanted = fit_scaling(ScalingKind::uniform, values, ColumnRole::input);
  expect_same(fit_together(ScalingKind::uniform, values, dice), wanted);
  // The result depends on which rows there are, not on how they are passed.
  const std::vector<std::size_t> rows = shuffled_rows(values.size(), dice);
  std::vector<double> shuffled;
  for (const std::size_t row : rows) shuffled.push_back(values[row]);
  expect_same(fit_scaling(ScalingKind::uniform, shuffled, ColumnRole::input, -1, 1, rows), wanted);
}

TEST(ScalingFit, RanksOfASampleAreWithinTheBound) {
  std::vector<double> values = skewed_values(3 * kExactQuantileValues);
  const Scaling scaling = fit_scaling(ScalingKind::uniform, values, ColumnRole::input);
  ASSERT_EQ(scaling.quantiles.size(), kMaxQuantiles);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(scaling.quantiles.front(), values.front());
  EXPECT_EQ(scaling.quantiles.back(), values.back());
  double worst = 0;
  for (std::size_t i = 0; i < kMaxQuantiles; ++i) {
    const auto place = std::lower_bound(values.begin(), values.end(), scaling.quantiles[i]);
    const double share =
        static_cast<double>(place - values.begin()) / static_cast<double>(values.size());
    worst = std::max(worst, std::fabs(share - static_cast<double>(i) / (kMaxQuantiles - 1.0)));
  }
  EXPECT_LT(worst, 0.012);
  EXPECT_GT(worst, 0);
}

TEST(ScalingFit, RefusesWhatCannotBeScaled) {
  EXPECT_THROW(ScalingFit(ScalingKind::uniform, ColumnRole::target), Error);
  EXPECT_THROW(ScalingFit(ScalingKind::range, ColumnRole::input, 1, 1), Error);
  ScalingFit empty(ScalingKind::standard, ColumnRole::input);
  EXPECT_THROW(empty.end_pass(), Error);
  const std::vector<double> bad = {1, std::numeric_limits<double>::infinity()};
  ScalingFit fit(ScalingKind::none, ColumnRole::input);
  EXPECT_THROW(fit.see(bad, 0), Error);
  EXPECT_THROW(fit.merge(parallel::MergeState{1}), Error);
}

TEST(QuantileSample, KeepsTheSameRowsHoweverTheyAreSeen) {
  Dice dice(3);
  const std::vector<double> values = skewed_values(1000);
  QuantileSample wanted(100);
  for (std::size_t row = 0; row < values.size(); ++row) wanted.see(values[row], row);
  EXPECT_EQ(wanted.seen(), values.size());
  EXPECT_FALSE(wanted.is_all());
  EXPECT_EQ(wanted.sorted().size(), 100u);
  for (int round = 0; round < 20; ++round) {
    std::vector<QuantileSample> parts(1 + dice.below(4), QuantileSample(100));
    for (const std::size_t row : shuffled_rows(values.size(), dice)) {
      parts[dice.below(parts.size())].see(values[row], row);
    }
    QuantileSample merged(100), received(100);
    for (const QuantileSample& part : parts) {
      merged.merge(part);
      parallel::MergeState state;
      part.put(state);
      parallel::StateReader reader(state);
      received.merge(reader);
    }
    EXPECT_EQ(merged.sorted(), wanted.sorted());
    EXPECT_EQ(received.sorted(), wanted.sorted());
    EXPECT_EQ(received.seen(), values.size());
    EXPECT_EQ(received.median(), wanted.median());
  }
}

TEST(QuantileSample, OfFewValuesTheMedianIsExact) {
  QuantileSample sample;
  for (const double x : {4.0, 1.0, 3.0}) sample.see(x, sample.seen());
  EXPECT_EQ(sample.median(), 3);
  sample.see(100, sample.seen());
  EXPECT_EQ(sample.median(), 3.5);
  EXPECT_TRUE(sample.is_all());
}

}  // namespace
}  // namespace knotwork::features
