// SPDX-License-Identifier: MIT
// Fits of control points that must be exact: checked by their optimality conditions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "spline/bounded_differences.hpp"
#include "spline/straighten.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Noise, steps, waves and flat runs, so that from few to many bounds are active at the solution.
std::vector<double> some_points(std::size_t count, std::uint64_t seed) {
  const Random random(seed, Purpose::noise_value);
  std::vector<double> points(count);
  double walk = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double noise = random.normal(k), x = static_cast<double>(k);
    walk += noise;
    switch (seed % 5) {
      case 0:
        points[k] = noise;
        break;
      case 1:
        points[k] = walk;
        break;
      case 2:
        points[k] = std::sin(0.3 * x) + 0.05 * noise;
        break;
      case 3:
        points[k] = std::round(walk);  // many second differences of exactly 0
        break;
      default:
        points[k] = std::tanh(0.2 * (x - static_cast<double>(count) / 2));
    }
  }
  return points;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

double second_difference(const std::vector<double>& x, std::size_t k) {
  return x[k - 1] - 2 * x[k] + x[k + 1];
}

// u with D'u = z - x must exist, stay within the weight, and equal it where x bends.
void expect_straightened(const std::vector<double>& z, const std::vector<double>& x,
                         double weight) {
  const std::size_t n = z.size();
  const auto size = static_cast<double>(n);
  const double rounding = std::numeric_limits<double>::epsilon() * largest_of(z);
  const double straight = 32 * rounding;
  // Rounding errors of the residuals add up twice.
  const double tolerance = size * size * rounding + 1e-12 * weight;
  std::vector<double> u(n + 1, 0.0);  // u[k] belongs to the second difference at k
  for (std::size_t k = 0; k + 1 < n; ++k) {
    u[k + 1] = z[k] - x[k] - (k > 0 ? u[k - 1] : 0) + 2 * u[k];
  }
  ASSERT_NEAR(u[n - 1], 0, tolerance) << "the residuals have a mean or a trend";
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double bend = second_difference(x, k);
    ASSERT_LE(std::abs(u[k]), weight + tolerance) << k;
    if (std::abs(bend) > straight) {
      ASSERT_NEAR(u[k], std::copysign(weight, bend), tolerance) << k;
    }
  }
}

TEST(Straighten, FulfilsItsOptimalityConditions) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::size_t count = seed < 40 ? 4 + seed % 8 : 4 + seed * 197 / 400;
    const std::vector<double> z = some_points(count, seed);
    for (const double weight : {1e-9, 1e-3, 0.1, 1.0, 30.0, 1e4}) {
      std::vector<double> x = z;
      straighten(x, weight);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", weight " + std::to_string(weight));
      expect_straightened(z, x, weight);
      if (HasFatalFailure()) return;
    }
  }
}

// For these points guessing all bends at once cycles, and the second point becomes a bend later.
TEST(Straighten, FulfilsItsOptimalityConditionsWhereGuessingCycles) {
  const std::pair<double, std::vector<double>> cases[] = {
      {2, {5, -3, 4, -1, 9, -1, 1, -3, 2, 2, 4, 0, 7}},
      {2, {4, -2, 3, 0, 3, 8, 1, -6, -1, -4, 0}},
      {0.25, {-1, -1, -2, -3, -4, -4, -4, -5, -6, -6, -8, -8}},
  };
  for (const auto& [weight, z] : cases) {
    std::vector<double> x = z;
    straighten(x, weight);
    expect_straightened(z, x, weight);
  }
}

TEST(Straighten, PointsBecomeStraightToRounding) {
  const std::vector<double> z = some_points(21, 1);
  std::size_t bends_before = 19;
  for (const double weight : {0.01, 0.3, 3.0, 100.0}) {
    std::vector<double> x = z;
    straighten(x, weight);
    std::size_t bends = 0;
    for (std::size_t k = 1; k + 1 < x.size(); ++k) {
      const double bend = std::abs(second_difference(x, k));
      EXPECT_TRUE(bend < 4e-15 || bend > 1e-6) << bend << " is neither 0 nor a bend";
      bends += bend > 1e-6;
    }
    EXPECT_LE(bends, bends_before);
    bends_before = bends;
  }
  EXPECT_EQ(bends_before, 0u);
}

// The dual of three points is one number: (0, 3, 0) has the second difference -6, and a weight w
// moves it by w * 6 towards 0.
TEST(Straighten, ThreePointsAreAFormula) {
  std::vector<double> x = {0, 3, 0};
  straighten(x, 0.5);
  EXPECT_DOUBLE_EQ(x[0], 0.5);
  EXPECT_DOUBLE_EQ(x[1], 2);
  EXPECT_DOUBLE_EQ(x[2], 0.5);
  x = {0, 3, 0};
  straighten(x, kInfinity);
  for (const double point : x) EXPECT_DOUBLE_EQ(point, 1);
}

TEST(Straighten, NothingHappensWithoutAWeightOrABend) {
  const std::vector<double> z = some_points(30, 0);
  std::vector<double> x = z;
  straighten(x, 0);
  EXPECT_EQ(x, z);
  std::vector<double> line(30);
  for (std::size_t k = 0; k < line.size(); ++k) line[k] = 0.5 * static_cast<double>(k) - 3;
  x = line;
  straighten(x, 2);
  for (std::size_t k = 0; k < line.size(); ++k) EXPECT_NEAR(x[k], line[k], 1e-14);
  x = {std::nan(""), 1, 2, 3};
  straighten(x, 1);  // terminates
}

// The sums of x - z up to k show whether the first k points would have a lower cost higher up; they
// may not, unless a bound holds them.
void expect_bounded(const std::vector<double>& z, const std::vector<double>& x, double low,
                    double high) {
  const double tolerance = 1e-12 * (1 + largest_of(z)) * static_cast<double>(z.size());
  double sum = 0;
  for (std::size_t k = 0; k + 1 < z.size(); ++k) {
    const double difference = x[k + 1] - x[k];
    ASSERT_GE(difference, low - 1e-15 * (1 + largest_of(z)));
    ASSERT_LE(difference, high + 1e-15 * (1 + largest_of(z)));
    sum += x[k] - z[k];
    // The next point holds it down at a difference of low, and up at a difference of high.
    if (difference > low + tolerance) {
      ASSERT_GE(sum, -tolerance) << k;
    }
    if (difference < high - tolerance) {
      ASSERT_LE(sum, tolerance) << k;
    }
  }
  ASSERT_NEAR(sum + x.back() - z.back(), 0, tolerance);
}

TEST(BoundedDifferences, FulfilTheirOptimalityConditions) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<double> z = some_points(1 + seed * 200 / 300, seed);
    for (const auto& [low, high] :
         {std::pair(0.0, kInfinity), std::pair(-0.1, 0.1), std::pair(0.0, 0.2),
          std::pair(-2.0, 2.0), std::pair(-kInfinity, 0.5), std::pair(0.3, 0.3),
          std::pair(-kInfinity, kInfinity)}) {
      std::vector<double> x = z;
      bound_differences(x, low, high);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(low) + " to " +
                   std::to_string(high));
      expect_bounded(z, x, low, high);
      if (HasFatalFailure()) return;
    }
  }
}

// Pooling adjacent violators gives the same non-decreasing sequence.
TEST(BoundedDifferences, RisingSequencesArePooledNeighbors) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<double> z = some_points(5 + seed, seed);
    struct Pool {
      double sum;
      std::size_t count;
      double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Pool> pools;
    for (const double point : z) {
      pools.push_back({point, 1});
      while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
        pools[pools.size() - 2].sum += pools.back().sum;
        pools[pools.size() - 2].count += pools.back().count;
        pools.pop_back();
      }
    }
    std::vector<double> x = z;
    bound_differences(x, 0, kInfinity);
    EXPECT_TRUE(std::is_sorted(x.begin(), x.end())) << "not even by rounding";
    std::size_t k = 0;
    for (const Pool& pool : pools) {
      for (std::size_t j = 0; j < pool.count; ++j, ++k) EXPECT_NEAR(x[k], pool.mean(), 1e-12);
    }
  }
}

TEST(BoundedDifferences, LeaveAloneWhatIsWithin) {
  std::vector<double> x = {0.1, 0.2, 0.4, 0.4};
  const std::vector<double> before = x;
  bound_differences(x, 0, 0.25);
  EXPECT_EQ(x, before);
}

}  // namespace
}  // namespace knotwork
