// SPDX-License-Identifier: MIT
// Tests curves on other knots, with half the step or on another range.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spline/test_bases.hpp"

#include <knotwork/error.hpp>
#include <knotwork/random.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

using testing_bases::bases;

constexpr double kTension = 0.375;  // the tension of the last of bases()

std::vector<double> random_points(std::size_t count, std::uint64_t seed) {
  const Random random(seed, Purpose::gradient_check);
  std::vector<double> q(count);
  for (std::size_t k = 0; k < count; ++k) q[k] = random.normal(k);
  return q;
}

double largest_first_difference(const std::vector<double>& q) {
  double most = 0;
  for (std::size_t k = 0; k + 1 < q.size(); ++k) most = std::max(most, std::fabs(q[k + 1] - q[k]));
  return most;
}

double largest_third_difference(const std::vector<double>& q) {
  double most = 0;
  for (std::size_t k = 0; k + 3 < q.size(); ++k) {
    most = std::max(most, std::fabs(q[k + 3] - 3 * q[k + 2] + 3 * q[k + 1] - q[k]));
  }
  return most;
}

// The largest distance of two curves, tails included.
double distance(const Spline& a, const Spline& b) {
  const Knots& knots = a.knots();
  double most = 0;
  for (int k = -300; k <= 1300; ++k) {
    const double s = std::lerp(knots.drawn_begin(), knots.drawn_end(), k / 1000.0);
    most = std::max(most, std::fabs(a.value(s) - b.value(s)));
  }
  return most;
}

// The bound of the header.
double bound_of_halving(const SplineBasis& basis, const std::vector<double>& q) {
  const double third = largest_third_difference(q), first = largest_first_difference(q);
  if (basis.name == "b-spline" || basis.name == "linear") return 0;
  const double tension = testing_bases::has_tension(basis) ? kTension : 0;
  return (1 - tension) * third / 64 + 3 * tension * first / 16;
}

TEST(SplineRefinement, HalvingDrawsTheSameRangeWithHalfTheStep) {
  const Knots finer = halved(Knots{-2, 0.2, 21});
  EXPECT_EQ(finer.count, 39u);
  EXPECT_DOUBLE_EQ(finer.step, 0.1);
  EXPECT_DOUBLE_EQ(finer.drawn_begin(), -1.8);
  EXPECT_NEAR(finer.drawn_end(), 1.8, 1e-15);
  EXPECT_EQ(halved(Knots{-1, 1, 4}).count, 5u);
}

TEST(SplineRefinement, HalvingKeepsRandomCurvesToTheStatedBound) {
  for (const SplineBasis& basis : bases()) {
    double closest = 0;  // largest ratio of the distance to the bound
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const Knots knots = {-1.3, 0.37, 4 + seed % 23};
      const auto q = random_points(knots.count, seed);
      for (const Tails tails : {Tails::linear, Tails::constant}) {
        const Spline before(basis, tails, knots, q);
        const Spline after(basis, tails, halved(knots), halved(basis, knots, q));
        const double bound = bound_of_halving(basis, q), moved = distance(before, after);
        ASSERT_LE(moved, bound + 1e-13 * (1 + largest_first_difference(q)))
            << basis.name << ", " << knots.count << " points, seed " << seed;
        if (bound > 0) closest = std::max(closest, moved / bound);
      }
    }
    // A bound far above all distances would prove little.
    if (closest > 0) {
      EXPECT_GT(closest, 0.6) << basis.name;
    }
  }
}

TEST(SplineRefinement, HalvingTanhMovesItAsLittleAsTheHeaderSays) {
  const SplineBasis& basis = spline_bases().at("catmull-rom");
  const Knots knots;
  const auto q = fit_control_points(basis, knots, initial_functions().at("tanh"));
  EXPECT_NEAR(largest_third_difference(q), 0.015, 0.0005);
  EXPECT_LT(distance(Spline(basis, Tails::linear, knots, q),
                     Spline(basis, Tails::linear, halved(knots), halved(basis, knots, q))),
            0.00024);
}

TEST(SplineRefinement, HalvingAgainAndAgainConverges) {
  const SplineBasis& basis = spline_bases().at("catmull-rom");
  Knots knots = {-2, 0.5, 9};
  auto q = random_points(9, 5);
  double before = 0;
  for (int times = 0; times < 4; ++times) {
    const auto finer = halved(basis, knots, q);
    const double moved = distance(Spline(basis, Tails::linear, knots, q),
                                  Spline(basis, Tails::linear, halved(knots), finer));
    if (times > 0) {
      EXPECT_LT(moved, 0.6 * before);
    }
    before = moved;
    q = finer;
    knots = halved(knots);
  }
}

TEST(SplineRefinement, ACurveIsCarriedToAnotherRangeWithItsValuesAndEndSlopes) {
  const Knots old = {-2, 0.2, 21};
  const std::vector<Knots> ranges = {
      {-1.03, 0.11, 21}, {-4.7, 0.43, 21}, {0.31, 0.3, 21}, {-9, 0.25, 21}, {-2.5, 0.7, 8}};
  for (const SplineBasis& basis : bases()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto q = random_points(old.count, seed);
      const Spline before(basis, Tails::linear, old, q);
      for (const Knots& knots : ranges) {
        const Spline after(basis, Tails::linear, knots,
                           refitted(basis, Tails::linear, old, q, knots));
        for (std::size_t k = 1; k + 1 < knots.count; ++k) {
          const double wanted = before.value(knots.at(k));
          EXPECT_NEAR(after.value(knots.at(k)), wanted, 1e-12 * (1 + std::fabs(wanted)))
              << basis.name;
        }
        if (basis.name == "linear") continue;
        for (const double end : {knots.drawn_begin(), knots.drawn_end()}) {
          EXPECT_NEAR(after.slope(end), before.slope(end), 1e-11) << basis.name;
        }
      }
    }
  }
}

TEST(SplineRefinement, TheSameKnotsGiveTheSamePoints) {
  const Knots knots = {-2, 0.2, 21};
  for (const SplineBasis& basis : bases()) {
    const auto q = random_points(knots.count, 3);
    const auto again = refitted(basis, Tails::linear, knots, q, knots);
    for (std::size_t k = 0; k < q.size(); ++k) {
      // The outermost points, which draw nothing, are placed on the tails.
      if (basis.name == "linear" && (k == 0 || k + 1 == q.size())) continue;
      EXPECT_NEAR(again[k], q[k], 1e-12) << basis.name << " " << k;
    }
  }
}

// A wider range with the same step, aligned with the old one, keeps the whole curve: it was
// straight at the new knots.
TEST(SplineRefinement, AWiderRangeInLineTakesTheWholeCurveAlong) {
  const Knots old = {-2, 0.25, 17}, wide = {-3, 0.25, 25};
  const SplineBasis& basis = spline_bases().at("catmull-rom");
  const auto q = fit_control_points(basis, old, initial_functions().at("tanh"));
  const Spline before(basis, Tails::linear, old, q);
  const Spline after(basis, Tails::linear, wide, refitted(basis, Tails::linear, old, q, wide));
  EXPECT_LT(distance(before, after), 0.003);  // only around the old ends, where the curve bends
  for (double s = -1.25; s <= 1.25; s += 0.01) EXPECT_NEAR(after.value(s), before.value(s), 1e-13);
}

TEST(SplineRefinement, ConstantTailsAreCarriedOverToo) {
  const SplineBasis& basis = spline_bases().at("b-spline");
  const Knots old = {-2, 0.2, 21}, wide = {-4, 0.4, 21};
  const auto q = random_points(old.count, 9);
  const Spline before(basis, Tails::constant, old, q);
  const Spline after(basis, Tails::constant, wide, refitted(basis, Tails::constant, old, q, wide));
  for (const double s : {-40.0, -3.2, 3.2, 40.0}) {
    EXPECT_NEAR(after.value(s), before.value(s), 1e-12) << s;
  }
}

TEST(SplineRefinement, PointsThatDoNotFitTheKnotsAreRefused) {
  const SplineBasis& basis = spline_bases().at("catmull-rom");
  const std::vector<double> few(20);
  EXPECT_THROW(halved(basis, Knots{}, few), Error);
  EXPECT_THROW(refitted(basis, Tails::linear, Knots{}, few, Knots{}), Error);
  EXPECT_THROW(halved(Knots{0, -1, 5}), Error);
}

}  // namespace
}  // namespace knotwork
