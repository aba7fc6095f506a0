// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "spline/bounded_differences.hpp"
#include "spline/test_bases.hpp"

#include <knotwork/random.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

std::vector<SplineBasis> all_bases() {
  std::vector<SplineBasis> all = spline_bases().entries();
  for (const double tension : {0.3, 0.9}) all.push_back(spline_basis("cardinal", tension));
  return all;
}

std::vector<double> random_curve(std::size_t count, std::uint64_t seed) {
  std::vector<double> points;
  const Random random(seed, Purpose::noise_value);
  for (std::size_t k = 0; k < count; ++k) points.push_back(random.normal(k));
  return points;
}

// The largest |slope| on a dense grid, tails included.
double sampled_slope(const Spline& spline) {
  const Knots& knots = spline.knots();
  const double begin = knots.first - 1, end = knots.at(knots.count - 1) + 1;
  double greatest = 0;
  for (int k = 0; k <= 20000; ++k) {
    greatest = std::max(greatest, std::abs(spline.slope(begin + (end - begin) * k / 20000)));
  }
  return greatest;
}

TEST(Slopes, TheFactorOfABasisIsWhatItsCurvesReach) {
  EXPECT_DOUBLE_EQ(slope_factor(spline_basis("b-spline")), 1);
  EXPECT_DOUBLE_EQ(slope_factor(spline_basis("linear")), 1);
  EXPECT_DOUBLE_EQ(slope_factor(spline_basis("catmull-rom")), 1.5);
  EXPECT_DOUBLE_EQ(slope_factor(spline_basis("cardinal", 0.6)), 1.5);
  const Knots knots{-1, 0.25, 9};
  for (const SplineBasis& basis : all_bases()) {
    // Alternating differences are the worst case for a curve that overshoots, equal ones for the
    // others.
    double reached = 0;
    for (const double sign : {-1.0, 1.0}) {
      std::vector<double> points = {0};
      for (std::size_t k = 1; k < knots.count; ++k) {
        points.push_back(points.back() + (k % 2 == 0 ? 1 : sign));
      }
      reached = std::max(reached,
                         sampled_slope(Spline(basis, Tails::linear, knots, points)) * knots.step);
    }
    EXPECT_NEAR(reached, slope_factor(basis), 1e-6) << basis.name;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      std::vector<double> points = random_curve(knots.count, seed);
      bound_differences(points, -1, 1);
      EXPECT_LE(sampled_slope(Spline(basis, Tails::linear, knots, points)) * knots.step,
                slope_factor(basis) * (1 + 1e-12))
          << basis.name;
    }
  }
}

// Any matrix whose first three rows sum to 0 has slopes that depend only on differences. Slopes of
// the bases in the table change their sign at few places.
TEST(Slopes, TheFactorOfARandomBasisIsWhatItsCurvesReach) {
  const Knots knots{-1, 1, 4};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SplineBasis basis = spline_basis("b-spline");
    const std::vector<double> entries = random_curve(9, seed);
    for (std::size_t row = 0; row < 3; ++row) {
      const double* const b = entries.data() + 3 * row;
      basis.matrix[row] = {b[0], b[1], b[2], -b[0] - b[1] - b[2]};
    }
    double reached = 0;
    for (unsigned signs = 0; signs < 8; ++signs) {
      std::vector<double> points = {0};
      for (unsigned k = 0; k < 3; ++k) points.push_back(points[k] + ((signs >> k & 1) ? 1 : -1));
      const Spline spline(basis, Tails::linear, knots, points);
      for (int k = 0; k <= 2000; ++k) {
        reached = std::max(reached, std::abs(spline.slope(k / 2000.0)));
      }
    }
    EXPECT_NEAR(slope_factor(basis), reached, 1e-5 * reached) << seed;
  }
}

TEST(Slopes, TheGreatestSlopeIsTheOneOnADenseGrid) {
  const Knots knots{-1, 0.25, 9};
  for (const SplineBasis& basis : all_bases()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<double> points = random_curve(knots.count, seed);
      const double sampled = sampled_slope(Spline(basis, Tails::linear, knots, points));
      const double exact = greatest_slope(basis, knots.step, points);
      EXPECT_LE(sampled, exact * (1 + 1e-12)) << basis.name;
      EXPECT_NEAR(sampled, exact, 1e-4 * exact) << basis.name;
    }
  }
}

TEST(Slopes, OrderedPointsMakeRisingCurvesOfSomeBases) {
  const Knots knots{-1, 0.25, 9};
  for (const SplineBasis& basis : all_bases()) {
    double lowest = 1;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      std::vector<double> points = random_curve(knots.count, seed);
      bound_differences(points, 0, INFINITY);
      const Spline spline(basis, Tails::linear, knots, points);
      for (int k = 0; k <= 2000; ++k) lowest = std::min(lowest, spline.slope(-2 + 0.002 * k));
    }
    EXPECT_EQ(lowest >= -1e-14, rises_with_its_points(basis)) << basis.name << " " << lowest;
  }
  EXPECT_TRUE(rises_with_its_points(spline_basis("b-spline")));
  EXPECT_TRUE(rises_with_its_points(spline_basis("linear")));
  EXPECT_FALSE(rises_with_its_points(spline_basis("catmull-rom")));
}

}  // namespace
}  // namespace knotwork
