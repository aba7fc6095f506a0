// SPDX-License-Identifier: MIT
#include <knotwork/neurons.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <knotwork/random.hpp>

namespace knotwork::analysis {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;

// A sequence of random numbers.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed, Purpose::search_draws) {}
  double between(double low, double high) { return std::lerp(low, high, random_.uniform(next_++)); }
  double sign() { return between(-1, 1) < 0 ? -1 : 1; }
  double normal() { return random_.normal(next_++); }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

struct Range {
  double low = -1.8, high = 1.8;
  std::size_t points = 145;
};

template <class Function>
FigurePoints sampled(const Function& function, const Range& range = {}) {
  FigurePoints points;
  for (std::size_t k = 0; k < range.points; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(range.points - 1);
    const double x = std::lerp(range.low, range.high, share);
    points.push_back({x, function(x)});
  }
  return points;
}

double value_of(const ClosestFunction& found, double x) {
  return found.a * known_functions().at(found.name).value(found.b * x + found.c) + found.d;
}

double r2_of(const ClosestFunction& found, const FigurePoints& curve) {
  double mean = 0, spread = 0, error = 0;
  for (const FigurePoint& point : curve) mean += point.y / static_cast<double>(curve.size());
  for (const FigurePoint& point : curve) {
    spread += std::pow(point.y - mean, 2);
    error += std::pow(point.y - value_of(found, point.x), 2);
  }
  return 1 - error / spread;
}

// f(b s + c) over a range of s that contains the features that distinguish f from the functions
// before it in the list.
struct Placed {
  double b = 1, c = 0;
};
Placed placed(const std::string& name, const Range& range, Draws& draws) {
  const double length = range.high - range.low;
  const auto centered = [&](double b, double margin) {
    const double place = draws.between(range.low + margin * length, range.high - margin * length);
    return Placed{b, -b * place};
  };
  if (name == "tanh") return centered(draws.sign() * draws.between(5, 15) / length, 0.35);
  if (name == "softplus") return centered(draws.sign() * draws.between(9, 20) / length, 0.35);
  if (name == "gaussian") return centered(draws.between(4, 12) / length, 0.25);
  if (name == "sine") return centered(draws.between(1.1, 1.9) * 6.283185307 / length, 0);
  if (name == "exponential") return centered(draws.sign() * draws.between(2, 8) / length, 0.3);
  if (name == "cube" || name == "square") return centered(draws.between(0.5, 3), 0.3);
  return centered(draws.sign() * draws.between(0.5, 3), 0.2);
}

TEST(ClosestFunction, FindsEveryKnownFunctionAgain) {
  Draws draws(3);
  for (const KnownFunction& known : known_functions().entries()) {
    for (int trial = 0; trial < 60; ++trial) {
      const double middle = draws.between(-3, 3), half = std::exp(draws.between(-3, 3));
      const Range range{middle - half, middle + half,
                        static_cast<std::size_t>(draws.between(60, 200))};
      const auto [b, c] = placed(known.name, range, draws);
      const double a = draws.sign() * std::exp(draws.between(-6, 6)), d = 5 * draws.normal();
      const FigurePoints curve =
          sampled([&](double x) { return a * known.value(b * x + c) + d; }, range);
      const auto found = closest_function(curve);
      ASSERT_TRUE(found) << known.name;
      EXPECT_GT(found->r2, 0.9999) << known.name << " b " << b * 2 * half << " trial " << trial;
      EXPECT_EQ(found->name, known.name)
          << "b " << b * 2 * half << " c " << b * middle + c << " r2 " << found->r2;
      EXPECT_NEAR(r2_of(*found, curve), found->r2, 1e-6) << known.name;
    }
  }
}

// Whatever part of a known function a curve shows, some function in the list resembles it.
TEST(ClosestFunction, ExplainsKnownFunctionsOfWhateverPlaceAndWidth) {
  Draws draws(8);
  for (const KnownFunction& known : known_functions().entries()) {
    const bool wave = known.name == "sine";
    for (int trial = 0; trial < 60; ++trial) {
      // Of a wave, between half a period and two periods.
      const double b = wave ? draws.between(1.6, 6.28) : std::exp(draws.between(-1, 3));
      const double c = draws.between(-2, 2) * b;
      const auto found =
          closest_function(sampled([&](double x) { return known.value(b * x + c); }, {-1, 1, 145}));
      if (!found) continue;  // a flat part of f
      const double wanted = found->name == "identity" ? 0.98 : 0.999;
      EXPECT_GE(found->r2, wanted) << known.name << " " << b << " " << c << " " << found->name;
    }
  }
}

TEST(ClosestFunction, ParametersAreThoseOfTheCurve) {
  const auto tanh =
      closest_function(sampled([](double x) { return 3 * std::tanh(2 * x - 1) + 4; }));
  ASSERT_TRUE(tanh);
  EXPECT_NEAR(std::fabs(tanh->a), 3, 1e-3);
  EXPECT_NEAR(std::fabs(tanh->b), 2, 1e-3);
  EXPECT_NEAR(tanh->c / tanh->b, -0.5, 1e-3);
  EXPECT_NEAR(tanh->d, 4, 1e-3);

  const auto line = closest_function(sampled([](double x) { return 7 - 2 * x; }));
  ASSERT_TRUE(line);
  EXPECT_EQ(line->name, "identity");
  EXPECT_NEAR(line->a, -2, 1e-12);
  EXPECT_EQ(line->b, 1);
  EXPECT_EQ(line->c, 0);
  EXPECT_NEAR(line->d, 7, 1e-12);
  EXPECT_NEAR(line->r2, 1, 1e-12);
}

TEST(ClosestFunction, ALineWithALittleBendIsALine) {
  const auto found = closest_function(sampled([](double x) { return x + 0.02 * std::sin(4 * x); }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "identity");
  EXPECT_LT(found->r2, 1);
}

TEST(ClosestFunction, ANearlyStraightCurveIsALineWhateverBendsLikeIt) {
  // x^2 explains both arcs fully; a line explains only the first one well enough.
  const auto arc = [](double from) {
    return closest_function(sampled([](double x) { return x * x; }, {from, 3, 145}));
  };
  EXPECT_EQ(arc(1)->name, "identity");
  EXPECT_GE(arc(1)->r2, 0.98);
  EXPECT_LT(arc(1)->r2, 0.999);
  EXPECT_EQ(arc(0)->name, "square");
}

TEST(ClosestFunction, OfFunctionsThatAreAboutAsGoodTheFirstIsTaken) {
  // A soft bend with ripples that neither function has; softplus is closer by less than 0.005.
  const auto found = closest_function(sampled(
      [](double x) { return std::log1p(std::exp(12 * x)) / 12 + 0.08 * std::sin(15 * x); }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "relu");
  EXPECT_EQ(closest_function(sampled([](double x) { return std::log1p(std::exp(5 * x)); }))->name,
            "softplus");
}

TEST(ClosestFunction, SeesThroughNoise) {
  Draws draws(5);
  for (const char* name : {"relu", "absolute", "tanh", "gaussian", "sine"}) {
    const Range range;
    const auto [b, c] = placed(name, range, draws);
    const auto& known = known_functions().at(name).value;
    FigurePoints curve = sampled([&](double x) { return known(b * x + c); }, range);
    double square = 0, mean = 0;
    for (const FigurePoint& point : curve) {
      mean += point.y / 145;
      square += point.y * point.y / 145;
    }
    const double noise = 0.1 * std::sqrt(square - mean * mean);
    for (FigurePoint& point : curve) point.y += noise * draws.normal();
    const auto found = closest_function(curve);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, name);
    EXPECT_NEAR(found->r2, 0.99, 0.005) << name;
  }
}

TEST(ClosestFunction, WeightsSayWhichPartCounts) {
  // A line below 0 and a parabola above.
  const FigurePoints curve = sampled([](double x) { return x < 0 ? x : 3 * x * x; });
  std::vector<double> left, right;
  for (const FigurePoint& point : curve) {
    left.push_back(point.x < 0 ? 2 : 0);
    right.push_back(point.x < 0 ? 0 : 0.1);
  }
  EXPECT_EQ(closest_function(curve, left)->name, "identity");
  EXPECT_EQ(closest_function(curve, right)->name, "square");
  EXPECT_NEAR(closest_function(curve, right)->r2, 1, 1e-6);
  const auto whole = closest_function(curve);
  EXPECT_LT(whole->r2, 0.9999);

  // Twice as many points in one place have twice the weight.
  FigurePoints doubled = curve;
  std::vector<double> twice(curve.size(), 1);
  for (std::size_t k = 100; k < curve.size(); ++k) {
    doubled.push_back(curve[k]);
    twice[k] = 2;
  }
  EXPECT_NEAR(closest_function(doubled)->r2, closest_function(curve, twice)->r2, 1e-4);
}

TEST(ClosestFunction, WavesDoNotJoinPointsThatHaveNothingToDoWithThem) {
  Draws draws(11);
  for (int trial = 0; trial < 20; ++trial) {
    for (const std::size_t points : {5u, 7u, 9u, 30u}) {
      const auto found =
          closest_function(sampled([&](double) { return draws.normal(); }, {-1, 1, points}));
      ASSERT_TRUE(found);
      if (found->name != "sine") continue;
      const double periods = std::fabs(found->b) * 2 / 6.283185307;
      EXPECT_LE(periods, std::min(2.0, static_cast<double>(points) / 6) + 1e-6);
      EXPECT_GE(periods, 0.5 - 1e-6);
    }
  }
}

TEST(ClosestFunction, HasNothingToSayOfWhatIsNoCurve) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(closest_function({}));
  EXPECT_FALSE(closest_function(sampled([](double) { return 3.0; })));
  EXPECT_FALSE(closest_function(sampled([](double) { return 0.0; })));
  EXPECT_FALSE(closest_function(sampled([](double x) { return 1 + 1e-13 * std::sin(x); })));
  EXPECT_FALSE(closest_function(sampled([](double x) { return x; }, {0, 1, 4})));
  EXPECT_TRUE(closest_function(sampled([](double x) { return x; }, {0, 1, 5})));
  EXPECT_FALSE(closest_function(sampled([](double x) { return x; }, {1, 1, 9})));  // one place
  FigurePoints curve = sampled([](double x) { return x; });
  std::vector<double> weights(curve.size(), 1);
  for (const double bad : {nan, infinite}) {
    curve[7].y = bad;
    EXPECT_FALSE(closest_function(curve));
    curve[7].y = 0;
    curve[8].x = bad;
    EXPECT_FALSE(closest_function(curve));
    curve[8].x = 0;
    weights[9] = bad;
    EXPECT_FALSE(closest_function(curve, weights));
    weights[9] = 1;
  }
  weights.assign(curve.size(), 0);
  EXPECT_FALSE(closest_function(curve, weights));
  weights[0] = weights[1] = weights[2] = weights[3] = 1;
  EXPECT_FALSE(closest_function(curve, weights));
  weights.pop_back();
  try {
    closest_function(curve, weights);
    ADD_FAILURE() << "a weight is missing";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("145 points was given 144 weights"));
  }
}

TEST(ClosestFunction, ExtremeNumbersAreNumbers) {
  for (const double size : {1e-300, 1e-12, 1e12, 1e300}) {
    const auto high = closest_function(sampled([&](double x) { return size * std::fabs(x); }));
    ASSERT_TRUE(high) << size;
    EXPECT_EQ(high->name, "absolute");
    EXPECT_GT(high->r2, 0.999);
    const auto wide = closest_function(
        sampled([&](double x) { return std::tanh(x / size); }, {-3 * size, 3 * size}));
    ASSERT_TRUE(wide) << size;
    EXPECT_EQ(wide->name, "tanh");
  }
}

TEST(ClosestFunction, OrderOfPointsDoesNotMatter) {
  FigurePoints curve = sampled([](double x) { return std::exp(-x * x) + 0.1 * x; });
  const auto forward = closest_function(curve);
  std::reverse(curve.begin(), curve.end());
  const auto backward = closest_function(curve);
  EXPECT_EQ(forward->name, backward->name);
  EXPECT_EQ(forward->r2, backward->r2);
}

TEST(KnownFunctions, HaveFormulasAndKnownValues) {
  EXPECT_THAT(known_functions().names(), Contains("softplus"));
  EXPECT_EQ(known_functions().names().front(), "identity");
  for (const KnownFunction& known : known_functions().entries())
    EXPECT_FALSE(known.formula.empty());
  EXPECT_EQ(known_functions().at("relu").value(-1), 0);
  EXPECT_EQ(known_functions().at("step").value(0.5), 1);
  EXPECT_NEAR(known_functions().at("softplus").value(0), std::log(2.0), 1e-15);
  EXPECT_EQ(known_functions().at("softplus").value(800), 800);
  EXPECT_NEAR(known_functions().at("gaussian").value(1), std::exp(-1.0), 1e-15);
}

}  // namespace
}  // namespace knotwork::analysis
