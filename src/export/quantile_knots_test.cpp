// SPDX-License-Identifier: MIT
#include "export/quantile_knots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace knotwork::exporting {
namespace {

using ::testing::ElementsAre;

Scaling with(std::vector<double> quantiles) {
  return {.kind = ScalingKind::uniform, .offset = 0, .scale = 1, .quantiles = std::move(quantiles)};
}

// 2 p - 1 as exported programs compute it.
double uniform(const QuantileKnots& knots, double x) {
  const auto& v = knots.values;
  x = std::clamp(x, v.front(), v.back());
  std::size_t k = 0;
  while (k + 2 < v.size() && v[k + 1] <= x) ++k;
  const double share = (x - v[k]) / (v[k + 1] - v[k]);
  return 2 * (knots.ranks[k] + share * (knots.ranks[k + 1] - knots.ranks[k])) / knots.last_rank - 1;
}

TEST(QuantileKnots, AreTheCurveOfTheScaling) {
  const Scaling scaling = with({-3, -2.5, -1, -1, -1, 0.25, 0.75, 2, 4.5, 4.5});
  const QuantileKnots knots = quantile_knots(scaling);
  for (double x = -4; x < 6; x += 0.0625) {
    EXPECT_NEAR(uniform(knots, x), scaling.apply(x), 1e-15) << x;
  }
}

TEST(QuantileKnots, NumbersOutsideOfFloatAreItsLargest) {
  EXPECT_EQ(rounded_to_float(0.1), static_cast<double>(0.1F));
  EXPECT_EQ(rounded_to_float(-1e300), -static_cast<double>(std::numeric_limits<float>::max()));
}

TEST(QuantileKnots, OfOneValueAreOne) {
  const QuantileKnots equal = quantile_knots(with({2, 2, 2}));
  EXPECT_THAT(equal.values, ElementsAre(2));
  EXPECT_EQ(equal.ranks[0] / equal.last_rank, 0.5);
  EXPECT_THAT(quantile_knots(with({1, 1 + 1e-12})).values, ElementsAre(1, 1 + 1e-12));
}

}  // namespace
}  // namespace knotwork::exporting
