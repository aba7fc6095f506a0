// SPDX-License-Identifier: MIT
#include "optimizer/line_search.hpp"

#include <gtest/gtest.h>

#include "optimizer/test_functions.hpp"
#include "optimizer/vectors.hpp"

namespace knotwork {
namespace {

using testing::Curve;
using testing::kInfinity;
using testing::kNan;
using Point = std::pair<double, double>;  // value, slope

// Searches a curve from t = 0 in the direction of +1.
struct CurveSearch {
  explicit CurveSearch(Curve::Rule rule) : curve(std::move(rule)) {}

  LineSearchResult run(double value, double slope, double first_step) {
    const std::vector<double> point{0}, gradient{slope}, direction{1};
    return search_line(curve, {point, value, gradient, direction, slope, first_step}, options,
                       work);
  }

  Curve curve;
  LineSearchOptions options;
  LineSearchWork work;
};

// Returns one answer after the other, and then repeats the last one.
Curve::Rule script(std::vector<Point> answers) {
  return [answers = std::move(answers), next = std::size_t{0}](double) mutable {
    return answers[std::min(next++, answers.size() - 1)];
  };
}

Point parabola(double t) {
  return {(t - 1) * (t - 1), 2 * (t - 1)};
}

void expect_steps(const std::vector<double>& asked, const std::vector<double>& wanted) {
  ASSERT_GE(asked.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(asked[i], wanted[i], 1e-14) << i;
}

TEST(LineSearch, ExtrapolatesAtMostThreefoldThenHitsTheMinimum) {
  CurveSearch search(parabola);
  const LineSearchResult found = search.run(1, -2, 0.2);
  EXPECT_TRUE(found.success);
  EXPECT_EQ(search.curve.asked.size(), 3u);
  expect_steps(search.curve.asked, {0.2, 0.6, 1});
  EXPECT_EQ(found.evaluations, 3u);
  EXPECT_NEAR(found.step, 1, 1e-14);
  EXPECT_NEAR(found.value, 0, 1e-14);
  EXPECT_NEAR(found.slope, 0, 1e-13);
  EXPECT_NEAR(search.work.point[0], 1, 1e-14);
  EXPECT_NEAR(search.work.best_point[0], 1, 1e-14);
}

TEST(LineSearch, InterpolatesByParabolaWhenTheEndIsAboveTheStart) {
  CurveSearch search(parabola);
  EXPECT_TRUE(search.run(1, -2, 4).success);
  EXPECT_EQ(search.curve.asked.size(), 2u);
  expect_steps(search.curve.asked, {4, 1});
}

TEST(LineSearch, InterpolatesByCubicWhenTheEndIsNotAboveTheStart) {
  // t^3 - t: below the start at t = 0.9 but rising; a cubic fits it exactly.
  CurveSearch search([](double t) { return Point{t * t * t - t, 3 * t * t - 1}; });
  EXPECT_TRUE(search.run(0, -1, 0.9).success);
  EXPECT_EQ(search.curve.asked.size(), 2u);
  expect_steps(search.curve.asked, {0.9, 1 / std::sqrt(3.0)});
}

TEST(LineSearch, StaysAwayFromTheEndsOfTheBracket) {
  CurveSearch low(script({{1e6, 1}, {-1, 0}}));  // the parabola's minimum is at about 5e-7
  low.run(0, -1, 1);
  expect_steps(low.curve.asked, {1, 0.1});

  // Falls almost straight to just before 1: the cubic's minimum is beyond 0.9.
  CurveSearch high(script({{-0.9, 0.5}, {-1, 0}}));
  high.run(0, -1, 1);
  expect_steps(high.curve.asked, {1, 0.9});
}

TEST(LineSearch, FitsEveryExtrapolationFromTheOrigin) {
  const auto curve = [](double t) {
    return Point{std::pow(t, 4) / 4 - t - 0.4 * t * t, t * t * t - 1 - 0.8 * t};
  };
  CurveSearch search(curve);
  EXPECT_TRUE(search.run(0, -1, 0.25).success);
  ASSERT_GE(search.curve.asked.size(), 3u);
  // The minimum of the Hermite cubic through steps 0 and `newest`, found by plain scanning.
  const double newest = search.curve.asked[1];
  const auto [value, slope] = curve(newest);
  double best = 0, lowest = 0;
  for (double t = 0; t < 3 * newest; t += 1e-6) {
    const double u = t / newest;
    const double height = -newest * u * (1 - u) * (1 - u) + value * u * u * (3 - 2 * u) +
                          slope * newest * u * u * (u - 1);
    if (height < lowest) {
      lowest = height;
      best = t;
    }
  }
  ASSERT_GT(best, 1.1 * newest);  // otherwise the limits, not the cubic, would decide
  ASSERT_LT(best, 3 * newest - 1e-5);
  EXPECT_NEAR(search.curve.asked[2], best, 2e-6);
}

TEST(LineSearch, ExtrapolatesAtLeastATenthAndThreefoldWithoutAMinimum) {
  CurveSearch near(script({{-0.75, -0.15}, {-0.8, 0}}));  // the cubic's minimum is at 1.0757
  near.run(0, -1, 1);
  expect_steps(near.curve.asked, {1, 1.1});

  CurveSearch nowhere(script({{-0.6, -0.5}, {-0.8, 0}}));  // the cubic has no minimum
  nowhere.run(0, -1, 1);
  expect_steps(nowhere.curve.asked, {1, 3});
}

TEST(LineSearch, HalvesTheStepOfANonFiniteTrial) {
  for (const Point& bad : {Point{kNan, 1}, Point{kInfinity, 1}, Point{-kInfinity, 1},
                           Point{-5, kNan}, Point{-5, kInfinity}, Point{-5, 1e200}}) {
    CurveSearch search(script({bad, bad, {-0.2, 0}}));
    const LineSearchResult found = search.run(0, -1, 1);
    expect_steps(search.curve.asked, {1, 0.5, 0.25});
    EXPECT_TRUE(found.success);
    EXPECT_TRUE(found.any_finite);
    EXPECT_EQ(found.best_value, -0.2);
  }
}

TEST(LineSearch, HalvesTheBracketAfterANonFiniteInterpolation) {
  for (const Point& bad : {Point{kNan, -1}, Point{-kInfinity, -1}, Point{-5, kNan}}) {
    CurveSearch search(script({{1, 2}, bad, {-0.1, 0}}));  // the parabola gives 0.25 first
    EXPECT_TRUE(search.run(0, -1, 1).success);
    expect_steps(search.curve.asked, {1, 0.25, 0.125});
    EXPECT_EQ(search.work.best_point[0], 0.125);
  }
}

TEST(LineSearch, EndsWhenNothingIsFinite) {
  CurveSearch search(script({{kNan, kNan}}));
  const LineSearchResult found = search.run(3, -1, 1);
  EXPECT_FALSE(found.success);
  EXPECT_FALSE(found.any_finite);
  EXPECT_EQ(found.evaluations, 20u);
  EXPECT_EQ(found.best_value, 3);
  EXPECT_EQ(search.work.best_point[0], 0);
  EXPECT_EQ(search.work.best_gradient[0], -1);
}

TEST(LineSearch, RemembersTheBestPointOfAFailedSearch) {
  CurveSearch search(script({{2, 9}, {-0.5, 7}, {-0.1, 8}}));  // low at the second, never flat
  search.options.max_evaluations = 7;
  const LineSearchResult found = search.run(0, -1, 1);
  EXPECT_FALSE(found.success);
  EXPECT_EQ(found.evaluations, 7u);
  EXPECT_EQ(found.best_value, -0.5);
  EXPECT_EQ(search.work.best_point[0], search.curve.asked[1]);
  EXPECT_EQ(search.work.best_gradient[0], 7);
}

TEST(LineSearch, FailsWhereNothingIsGained) {
  CurveSearch search(script({{1, 0}}));  // as at the limit of rounding: level, but no lower
  const LineSearchResult found = search.run(1, -1e-20, 1);
  EXPECT_FALSE(found.success);
}

TEST(LineSearch, NeverAsksAtANonFinitePoint) {
  CurveSearch search([](double t) {
    EXPECT_TRUE(std::isfinite(t));
    return Point{-t, -1};  // falls forever
  });
  const LineSearchResult found = search.run(0, -1, 1e306);
  EXPECT_FALSE(found.success);
  EXPECT_LE(found.evaluations, 20u);
  EXPECT_TRUE(std::isfinite(found.best_value));
  EXPECT_GT(search.work.best_point[0], 1e306);
}

TEST(LineSearch, AcceptedStepsMeetBothWolfeConditions) {
  testing::Rosenbrock function(4);
  LineSearchWork work;
  const LineSearchOptions options;
  int accepted = 0;
  for (int seed = 0; seed < 40; ++seed) {
    std::vector<double> point(4), gradient(4), direction(4);
    for (std::size_t i = 0; i < 4; ++i) point[i] = 2 * std::sin(seed * 1.7 + double(i));
    const double value = function.evaluate(point, gradient);
    for (std::size_t i = 0; i < 4; ++i) direction[i] = -gradient[i];
    const double slope = -dot(gradient, gradient);
    const LineSearchResult found =
        search_line(function, {point, value, gradient, direction, slope, std::pow(10.0, -seed % 7)},
                    options, work);
    EXPECT_LE(found.evaluations, 20u);
    EXPECT_LE(found.best_value, value);
    if (!found.success) continue;
    ++accepted;
    std::vector<double> fresh(4);
    EXPECT_EQ(function.evaluate(work.point, fresh), found.value);
    EXPECT_EQ(fresh, work.gradient);
    EXPECT_LT(found.value, value + options.decrease * found.step * slope);
    EXPECT_LT(std::abs(dot(fresh, direction)), options.curvature * -slope);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(work.point[i], point[i] + found.step * direction[i]);
    }
  }
  EXPECT_GE(accepted, 35);
}

TEST(LineSearch, AllocatesOnlyOnce) {
  CurveSearch search(parabola);
  search.run(1, -2, 0.2);
  const LineSearchWork& work = search.work;
  const auto where = [&] {
    return std::vector<const double*>{work.point.data(), work.gradient.data(),
                                      work.best_point.data(), work.best_gradient.data()};
  };
  const auto before = where();
  search.run(1, -2, 4);
  EXPECT_EQ(where(), before);
}

}  // namespace
}  // namespace knotwork
