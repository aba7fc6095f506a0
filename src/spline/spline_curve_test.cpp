// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spline/test_bases.hpp"

#include <knotwork/random.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

using testing_bases::bases;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInf = std::numeric_limits<double>::infinity();

const SplineBasis& catmull_rom() {
  return spline_bases().at("catmull-rom");
}
const SplineBasis& b_spline() {
  return spline_bases().at("b-spline");
}

// A random curve: any basis, tails, number of points from 4 to 60, and range.
struct RandomCurve {
  const SplineBasis& basis;
  Tails tails;
  Knots knots;
  std::vector<double> q;
  Spline spline;
  Random random;

  explicit RandomCurve(std::uint64_t seed) : RandomCurve(seed, Random(seed, Purpose::weights)) {}

  double largest() const {  // control point
    double most = 0;
    for (double p : q) most = std::max(most, std::fabs(p));
    return most;
  }
  // The resolution of positions, in steps: positions are rounded before subtracting.
  double blur() const {
    return 4 * kEpsilon * std::max(std::fabs(knots.first), std::fabs(knots.at(knots.count))) /
           knots.step;
  }
  // Bounds of all bases: |phi'| and |phi''| for control points up to 1 and step 1.
  static constexpr double kSteepest = 3 * 4 + 2 * 6 + 1, kBent = 6 * 4 + 2 * 6;

 private:
  RandomCurve(std::uint64_t seed, const Random& r)
      : basis(bases()[r.below(bases().size(), 0)]),
        tails(r.below(2, 1) ? Tails::linear : Tails::constant),
        knots{20 * r.uniform(2) - 10, std::pow(10, 3 * r.uniform(3) - 2),
              seed == 0 ? 4 : 4 + static_cast<std::size_t>(r.below(57, 4))},
        q(points(r, knots.count)),
        spline(basis, tails, knots, q),
        random(r) {}
  static std::vector<double> points(const Random& r, std::size_t count) {
    std::vector<double> q;
    for (std::size_t k = 0; k < count; ++k) q.push_back(r.normal(100 + k));
    return q;
  }
};
constexpr std::uint64_t kCurves = 200;

TEST(SplineCurve, HasItsKnownValues) {
  // One span from (0, 1, 0, 0) at u = 1/2: 9/16 for Catmull-Rom, 23/48 for the B-spline.
  const Knots knots{-1, 1, 4};
  const std::vector<double> q = {0, 1, 0, 0};
  EXPECT_DOUBLE_EQ(Spline(catmull_rom(), Tails::linear, knots, q).value(0.5), 9.0 / 16);
  EXPECT_DOUBLE_EQ(Spline(b_spline(), Tails::linear, knots, q).value(0.5), 23.0 / 48);
  EXPECT_DOUBLE_EQ(Spline(b_spline(), Tails::linear, knots, q).value(0), 4.0 / 6);
  EXPECT_DOUBLE_EQ(Spline(b_spline(), Tails::linear, knots, q).value(1), 1.0 / 6);
  // Slopes at both ends, and the tails that continue along them.
  const Spline line(catmull_rom(), Tails::linear, knots, q);
  EXPECT_DOUBLE_EQ(line.slope(0), 0);
  EXPECT_DOUBLE_EQ(line.slope(1), -0.5);
  EXPECT_DOUBLE_EQ(line.value(3), -1);
  EXPECT_DOUBLE_EQ(line.slope(3), -0.5);
  EXPECT_DOUBLE_EQ(line.value(-3), 1);
  const Spline constant(catmull_rom(), Tails::constant, knots, q);
  EXPECT_DOUBLE_EQ(constant.value(3), 0);
  EXPECT_DOUBLE_EQ(constant.slope(3), 0);
  EXPECT_DOUBLE_EQ(constant.value(-3), 1);
}

TEST(SplineCurve, ThePaperDrawsFromMinusToPlusOnePointEight) {
  const Knots knots;
  EXPECT_EQ(knots.count, 21u);
  EXPECT_EQ(knots.at(0), -2);
  EXPECT_DOUBLE_EQ(knots.at(20), 2);
  EXPECT_DOUBLE_EQ(knots.drawn_begin(), -1.8);
  EXPECT_DOUBLE_EQ(knots.drawn_end(), 1.8);
  const Knots symmetric = Knots::symmetric(2, 21);
  EXPECT_EQ(symmetric.first, knots.first);
  EXPECT_EQ(symmetric.step, knots.step);
  EXPECT_EQ(symmetric.count, knots.count);
  EXPECT_EQ(Knots::symmetric(2, 1).step, 0);
}

TEST(SplineCurve, CardinalHasTheTangentsOfItsTension) {
  const Knots knots{-1, 1, 4};
  const std::vector<double> q = {0, 1, 3, 9};
  for (double tension : {0.0, 0.25, 0.75}) {
    const Spline curve(spline_basis("cardinal", tension), Tails::linear, knots, q);
    EXPECT_DOUBLE_EQ(curve.slope(0), (1 - tension) / 2 * 3);
    EXPECT_DOUBLE_EQ(curve.slope(1), (1 - tension) / 2 * 8);
  }
  EXPECT_EQ(spline_basis("cardinal").matrix, catmull_rom().matrix);
}

TEST(SplineCurve, LinearJoinsItsPointsByStraightLines) {
  const Spline curve(spline_basis("linear"), Tails::linear, {-1, 1, 5}, {7, 1, 3, -2, 7});
  EXPECT_DOUBLE_EQ(curve.value(0.25), 1.5);
  EXPECT_DOUBLE_EQ(curve.value(1.5), 0.5);
  EXPECT_DOUBLE_EQ(curve.slope(0.75), 2);
  EXPECT_DOUBLE_EQ(curve.slope(1.25), -5);
  EXPECT_DOUBLE_EQ(curve.value(-2), -3);
  EXPECT_DOUBLE_EQ(curve.value(4), -12);
}

TEST(SplineCurve, ATensionThatABasisHasNoUseForIsRefused) {
  const auto refusal = [](const char* name, double tension) -> std::string {
    try {
      spline_basis(name, tension);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      return error.what();
    }
    return "none";
  };
  for (double tension : {-0.5, 1.0, kInf, std::nan("")}) {
    EXPECT_THAT(refusal("cardinal", tension), testing::HasSubstr("below 1")) << tension;
  }
  EXPECT_THAT(refusal("catmull-rom", 0.5), testing::HasSubstr("'catmull-rom' has no tension"));
  EXPECT_THAT(refusal("cardnal", 0.5), testing::HasSubstr("'cardinal'"));
  EXPECT_EQ(refusal("b-spline", 0), "none");
}

TEST(SplineCurve, ABasisThatInterpolatesPassesThroughItsPoints) {
  for (std::uint64_t seed = 0; seed < kCurves; ++seed) {
    const RandomCurve c(seed);
    if (!c.basis.interpolates) continue;
    const Spline spline(c.basis, c.tails, c.knots, c.q);
    for (std::size_t k = 1; k + 1 < c.knots.count; ++k) {
      ASSERT_NEAR(spline.value(c.knots.at(k)), c.q[k],
                  (c.kSteepest * c.blur() + 16 * kEpsilon) * c.largest())
          << seed << " " << k;
    }
  }
}

// Points far outside are on one straight line: their second differences are zero.
template <class Curve>
bool is_straight_outside(const Curve& curve, const Knots& knots) {
  for (double sign : {-1.0, 1.0}) {
    const double end = sign < 0 ? knots.drawn_begin() : knots.drawn_end();
    for (int k = 0; k < 60; ++k) {
      const double h = 0.37 * knots.step, s = end + sign * (k + 1) * h;
      const double bend = curve(s - h) - 2 * curve(s) + curve(s + h);
      if (std::fabs(bend) > 1e-11 * (1 + std::fabs(curve(s)))) return false;
    }
  }
  return true;
}

// The wrong result of clamping the span but not the u: the end span is repeated.
double value_with_unclamped_u(const SplineBasis& basis, const Knots& knots,
                              const std::vector<double>& q, double s) {
  const double t = (s - knots.first) / knots.step - 1;
  const double spans = static_cast<double>(knots.count - 3);
  const auto span = static_cast<std::size_t>(std::clamp(std::floor(t), 0.0, spans - 1));
  const double u = t - std::floor(t);
  double y = 0;
  for (std::size_t p = 0; p < 4; ++p) {
    for (std::size_t k = 0; k < 4; ++k) {
      y += std::pow(u, 3 - static_cast<double>(p)) * basis.matrix[p][k] * q[span + k];
    }
  }
  return y;
}

TEST(SplineCurve, ThereIsNoSawToothOutsideTheTable) {
  const Knots knots;
  for (const SplineBasis& basis : bases()) {
    const auto q = fit_control_points(basis, knots, initial_functions().at("tanh"));
    for (Tails tails : {Tails::linear, Tails::constant}) {
      const Spline spline(basis, tails, knots, q);
      EXPECT_TRUE(is_straight_outside([&](double s) { return spline.value(s); }, knots));
      double before = spline.value(-30);
      for (double s = -30; s <= 30; s += 0.07) {
        ASSERT_GE(spline.value(s), before - 1e-13) << "tanh must stay monotone at " << s;
        before = spline.value(s);
      }
    }
    const auto defective = [&](double s) { return value_with_unclamped_u(basis, knots, q, s); };
    const Spline right(basis, Tails::linear, knots, q);
    ASSERT_NEAR(defective(0.33), right.value(0.33), 1e-14) << "the same curve inside";
    EXPECT_FALSE(is_straight_outside(defective, knots)) << "this test would not see the defect";
  }
}

TEST(SplineCurve, ValueAndSlopeAreContinuousAcrossEveryKnotAndIntoTheTails) {
  for (std::uint64_t seed = 0; seed < kCurves; ++seed) {
    const RandomCurve c(seed);
    const double nearby = 1e-9;  // in steps
    for (std::size_t k = 1; k + 1 < c.knots.count; ++k) {
      const double at = c.knots.at(k), left = at - nearby * c.knots.step,
                   right = at + nearby * c.knots.step;
      const double moved = 2 * nearby + c.blur(), size = c.largest();
      ASSERT_NEAR(c.spline.value(left), c.spline.value(right),
                  (moved * c.kSteepest + 16 * kEpsilon) * size)
          << "seed " << seed << " knot " << k;
      const bool end = k == 1 || k + 2 == c.knots.count;
      if (end && c.tails == Tails::constant) continue;
      if (!end && c.basis.name == "linear") continue;  // bends there
      ASSERT_NEAR(c.spline.slope(left), c.spline.slope(right),
                  (moved * c.kBent + 64 * kEpsilon) * size / c.knots.step)
          << "seed " << seed << " knot " << k;
    }
  }
}

TEST(SplineCurve, TheBSplineHasContinuousCurvatureInside) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomCurve c(seed);
    const Knots knots{0, 1, c.knots.count};
    const Spline spline(b_spline(), c.tails, knots, c.q);
    for (std::size_t k = 2; k + 2 < knots.count; ++k) {
      const double h = 1e-3, at = knots.at(k);
      const double left = (spline.slope(at) - spline.slope(at - h)) / h;
      const double right = (spline.slope(at + h) - spline.slope(at)) / h;
      // The third derivative is bounded by 8 for points up to 1.
      ASSERT_NEAR(left, right, 8 * h * c.largest() + 1e-11) << seed;
    }
  }
}

TEST(SplineCurve, SlopeIsTheCentralDifferenceInsideAndOutside) {
  for (std::uint64_t seed = 0; seed < kCurves; ++seed) {
    const RandomCurve c(seed);
    const double h = 1e-5;  // in steps
    std::size_t outside = 0;
    for (std::uint64_t k = 0; k < 40; ++k) {
      // Anywhere within a span or a tail, away from the knots.
      const double span =
          std::floor(c.random.uniform(1000 + k) * static_cast<double>(c.knots.count + 5) - 4);
      const double t = span + 0.01 + 0.98 * c.random.uniform(2000 + k);
      outside += t < 0 || t > static_cast<double>(c.knots.count - 3);
      const double s = c.knots.at(1) + t * c.knots.step, wide = h * c.knots.step;
      const double difference =
          (c.spline.value(s + wide) - c.spline.value(s - wide)) / ((s + wide) - (s - wide));
      // Truncation c3 h^2 with |c3| <= 4, then rounding of the values and of the position.
      const double tolerance =
          4 * h * h + (64 * kEpsilon + c.kSteepest * c.blur()) * (1 + std::fabs(t)) / h;
      ASSERT_NEAR(c.spline.slope(s), difference, tolerance * c.largest() / c.knots.step)
          << "seed " << seed << " t " << t;
    }
    ASSERT_GT(outside, 0u);
  }
}

TEST(SplineCurve, ValueIsLinearInTheControlPointsAndTheGradientIsThatLinearForm) {
  for (std::uint64_t seed = 0; seed < kCurves; ++seed) {
    const RandomCurve c(seed);
    for (std::uint64_t k = 0; k < 30; ++k) {
      const double t = (static_cast<double>(c.knots.count) + 6) * c.random.uniform(3000 + k) - 4;
      const double s = c.knots.at(1) + t * c.knots.step;
      std::vector<double> gradient(c.knots.count, 0.0), added(c.knots.count, 1.0);
      c.spline.add_control_point_gradient(s, 1, gradient);
      c.spline.add_control_point_gradient(s, -3, added);
      double value = 0, sizes = 0, sum = 0;
      for (std::size_t j = 0; j < gradient.size(); ++j) {
        value += gradient[j] * c.q[j];
        sizes += std::fabs(gradient[j] * c.q[j]);
        sum += gradient[j];
        ASSERT_NEAR(added[j], 1 - 3 * gradient[j], 64 * kEpsilon * (1 + std::fabs(t)));
      }
      ASSERT_NEAR(c.spline.value(s), value,
                  64 * kEpsilon * (sizes + c.largest()) * (1 + std::fabs(t)));
      // A constant function is drawn as itself by every basis.
      ASSERT_NEAR(sum, 1, 64 * kEpsilon * (1 + std::fabs(t)));
      // The slope is unaffected: with other control points the gradient has the same bits.
      std::vector<double> other(c.knots.count, 0.0);
      Spline(c.basis, c.tails, c.knots, std::vector<double>(c.knots.count, 7))
          .add_control_point_gradient(s, 1, other);
      ASSERT_EQ(gradient, other);
    }
  }
}

TEST(SplineCurve, NotANumberAndInfinityAreAnswered) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::uint64_t seed = 0; seed < kCurves; ++seed) {
    const RandomCurve c(seed);
    ASSERT_TRUE(std::isnan(c.spline.value(nan)));
    ASSERT_TRUE(std::isnan(c.spline.slope(nan)));
    for (double sign : {-1.0, 1.0}) {
      const double end = sign < 0 ? c.knots.drawn_begin() : c.knots.drawn_end();
      // Just inside, where the slope is that of the curve and not of the tail.
      const double slope = c.spline.slope(end - sign * 1e-6 * c.knots.step);
      const double limit = c.spline.value(sign * kInf);
      if (c.tails == Tails::linear) {
        ASSERT_EQ(limit, sign * std::copysign(kInf, slope)) << seed;
        ASSERT_NEAR(c.spline.slope(sign * kInf), slope, 1e-4 * c.largest() / c.knots.step);
      } else {
        ASSERT_NEAR(limit, c.spline.value(end),
                    (c.kSteepest * c.blur() + 16 * kEpsilon) * c.largest());
        ASSERT_EQ(c.spline.slope(sign * kInf), 0);
        std::vector<double> gradient(c.knots.count);
        c.spline.add_control_point_gradient(sign * kInf, 1, gradient);
        ASSERT_NEAR(std::accumulate(gradient.begin(), gradient.end(), 0.0), 1, 1e-14);
      }
    }
  }
}

TEST(SplineCurve, UnusableKnotsAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Knots> bad = {{0, 1, 3},   {0, 1, 0},     {0, 0, 4},
                                  {0, -1, 4},  {0, nan, 4},   {0, kInf, 4},
                                  {nan, 1, 4}, {-kInf, 1, 4}, {0, 1e-320, 4}};
  for (const Knots& knots : bad) {
    try {
      check(knots);
      ADD_FAILURE() << knots.first << " " << knots.step << " " << knots.count;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      EXPECT_THAT(error.what(), testing::HasSubstr(knots.count < 4 ? "at least 4" : "step"));
    }
  }
  EXPECT_NO_THROW(check(Knots{0, 1, 4}));
  EXPECT_NO_THROW(check(Knots{1e6, 1e-6, 100}));
  EXPECT_THROW(Spline(catmull_rom(), Tails::linear, {0, 1, 5}, {1, 2, 3, 4}), Error);
  std::vector<double> short_gradient(3);
  EXPECT_THROW(Spline(catmull_rom(), Tails::linear, {0, 1, 4}, {1, 2, 3, 4})
                   .add_control_point_gradient(0, 1, short_gradient),
               Error);
}

TEST(SplineCurve, TailsHaveNamesThatReadBack) {
  for (Tails tails : {Tails::linear, Tails::constant}) {
    EXPECT_EQ(from_string<Tails>(to_string(tails)), tails);
  }
  try {
    from_string<Tails>("liner");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'linear'"));
  }
}

}  // namespace
}  // namespace knotwork
