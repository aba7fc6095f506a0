// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/random.hpp>
#include <knotwork/scaling.hpp>

#include "features/normal_quantile.hpp"

namespace knotwork::features {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr ScalingKind kEveryKind[] = {ScalingKind::none, ScalingKind::range, ScalingKind::standard,
                                      ScalingKind::quantile, ScalingKind::uniform};

Scaling fit_input(ScalingKind kind, const std::vector<double>& values, double low = -1,
                  double high = 1) {
  return fit_scaling(kind, values, ColumnRole::input, low, high);
}

ErrorKind kind_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::failed_run;  // no scaling throws this kind
}

std::vector<double> normal_values(std::size_t count) {
  const Random random(3, Purpose::gradient_check);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random.normal(i);
  return values;
}

TEST(Scaling, NamesGoBothWays) {
  EXPECT_EQ(names<ScalingKind>(),
            (std::vector<std::string>{"none", "range", "standard", "quantile", "uniform"}));
  for (const ScalingKind kind : kEveryKind)
    EXPECT_EQ(from_string<ScalingKind>(to_string(kind)), kind);
  try {
    from_string<ScalingKind>("standart");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_THAT(error.what(), testing::HasSubstr("'standard'"));
  }
}

TEST(Scaling, NoneIsTheIdentity) {
  const Scaling scaling = fit_input(ScalingKind::none, {1, 5});
  EXPECT_TRUE(scaling.is_identity());
  EXPECT_EQ(scaling.apply(3.7), 3.7);
  EXPECT_EQ(scaling.invert(3.7), 3.7);
}

TEST(Scaling, RangeReachesBothEnds) {
  const Scaling scaling = fit_input(ScalingKind::range, {4, 2, 10});
  EXPECT_FALSE(scaling.is_identity());
  EXPECT_DOUBLE_EQ(scaling.offset, 6);
  EXPECT_DOUBLE_EQ(scaling.scale, 0.25);
  EXPECT_DOUBLE_EQ(scaling.apply(2), -1);
  EXPECT_DOUBLE_EQ(scaling.apply(10), 1);
  EXPECT_DOUBLE_EQ(scaling.apply(14), 2);
  const Scaling half = fit_input(ScalingKind::range, {4, 2, 10}, -0.5, 0.75);
  EXPECT_DOUBLE_EQ(half.apply(2), -0.5);
  EXPECT_DOUBLE_EQ(half.apply(10), 0.75);
}

TEST(Scaling, StandardDividesByN) {
  const Scaling scaling = fit_input(ScalingKind::standard, {1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(scaling.offset, 2.5);
  EXPECT_DOUBLE_EQ(scaling.scale, 1 / std::sqrt(1.25));
}

TEST(Scaling, StandardHoldsWhenTheMeanDwarfsTheSpread) {
  const Scaling scaling =
      fit_input(ScalingKind::standard, {1e15 + 1, 1e15 + 2, 1e15 + 3, 1e15 + 4});
  EXPECT_DOUBLE_EQ(scaling.offset, 1e15 + 2.5);
  EXPECT_DOUBLE_EQ(scaling.scale, 1 / std::sqrt(1.25));
}

TEST(Scaling, AffineKindsAreExactlyOffsetAndScale) {
  for (const ScalingKind kind : {ScalingKind::range, ScalingKind::standard}) {
    const Scaling scaling = fit_input(kind, {0.1, 0.7, 12.3});
    for (const double x : {0.1, 3.3, -8.0}) {
      EXPECT_EQ(scaling.apply(x), (x - scaling.offset) * scaling.scale);
    }
  }
}

TEST(Scaling, ConstantInputsBecomeZero) {
  // The mean of these is not 1e15 + 0.1 in floating point: a comparison of deviations would miss
  // it.
  for (const std::vector<double>& values :
       {std::vector<double>(7, 1e15 + 0.1), std::vector<double>(3, 0.1), std::vector<double>{5}}) {
    for (const ScalingKind kind : kEveryKind) {
      if (kind == ScalingKind::none) continue;
      const Scaling scaling = fit_input(kind, values);
      EXPECT_EQ(scaling.scale, 0) << to_string(kind);
      EXPECT_EQ(scaling.apply(values[0]), 0) << to_string(kind);
      EXPECT_EQ(scaling.apply(values[0] + 1), 0) << to_string(kind);
      EXPECT_TRUE(std::isnan(scaling.apply(kNan))) << to_string(kind);
    }
  }
}

TEST(Scaling, ConstantTargetsAreShifted) {
  for (const ScalingKind kind : {ScalingKind::range, ScalingKind::standard}) {
    const Scaling scaling = fit_scaling(kind, std::vector<double>(3, 0.1), ColumnRole::target);
    EXPECT_EQ(scaling.offset, 0.1);
    EXPECT_EQ(scaling.scale, 1);
    EXPECT_EQ(scaling.apply(0.1), 0);
    EXPECT_EQ(scaling.invert(0), 0.1);
  }
}

TEST(Scaling, InvertsAConstantInputToItsValue) {
  EXPECT_EQ(fit_input(ScalingKind::standard, {4, 4}).invert(0), 4);
}

TEST(Scaling, ExtremeSpreadsStayFinite) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  for (const std::vector<double>& values :
       {std::vector<double>{-1e308, 1e308, 0}, std::vector<double>{-huge, huge, huge},
        std::vector<double>{0, tiny}, std::vector<double>{tiny, 3 * tiny}}) {
    for (const ScalingKind kind : kEveryKind) {
      for (const auto& [low, high] : {std::pair{-1.0, 1.0}, std::pair{0.0, 1.0}}) {
        const Scaling scaling = fit_input(kind, values, low, high);
        EXPECT_TRUE(std::isfinite(scaling.offset) && std::isfinite(scaling.scale));
        for (const double x : values) EXPECT_TRUE(std::isfinite(scaling.apply(x))) << x;
      }
    }
  }
  const Scaling wide = fit_input(ScalingKind::range, {-1e308, 1e308});
  EXPECT_NEAR(wide.apply(-1e308), -1, 1e-12);
  EXPECT_NEAR(wide.apply(5e307), 0.5, 1e-12);
  EXPECT_NEAR(fit_input(ScalingKind::standard, {-1e308, 1e308}).apply(1e308), 1, 1e-12);
  EXPECT_EQ(fit_input(ScalingKind::range, {0, tiny}).scale, 0);
  EXPECT_NEAR(fit_input(ScalingKind::uniform, {-1e308, 1e308}).apply(5e307), 0.5, 1e-12);
}

TEST(Scaling, UniformInterpolatesBetweenQuantiles) {
  const Scaling scaling = fit_input(ScalingKind::uniform, {30, 0, 10});
  EXPECT_EQ(scaling.quantiles, (std::vector<double>{0, 10, 30}));
  EXPECT_DOUBLE_EQ(scaling.apply(0), -1);
  EXPECT_DOUBLE_EQ(scaling.apply(5), -0.5);
  EXPECT_DOUBLE_EQ(scaling.apply(10), 0);
  EXPECT_DOUBLE_EQ(scaling.apply(15), 0.25);
  EXPECT_DOUBLE_EQ(scaling.apply(30), 1);
}

TEST(Scaling, QuantilesClampOutside) {
  const Scaling uniform = fit_input(ScalingKind::uniform, {0, 10, 30});
  const Scaling normal = fit_input(ScalingKind::quantile, {0, 10, 30});
  EXPECT_EQ(uniform.apply(-1), -1);
  EXPECT_EQ(uniform.apply(31), 1);
  EXPECT_EQ(uniform.apply(-kInfinity), -1);
  EXPECT_EQ(uniform.apply(kInfinity), 1);
  EXPECT_NEAR(normal.apply(kInfinity), 5.199337582, 1e-8);
  EXPECT_NEAR(normal.apply(-kInfinity), -5.199337582, 1e-8);
  EXPECT_EQ(normal.apply(0), normal.apply(-5));
  EXPECT_EQ(normal.apply(10), 0);
  EXPECT_TRUE(std::isnan(uniform.apply(kNan)));
  EXPECT_TRUE(std::isnan(normal.apply(kNan)));
}

TEST(Scaling, TiesCountWithTheMiddleOfTheirProbabilities) {
  // Probabilities 0, .25, .5, .75, 1: the ties of 0 have .25, those of 2 have .75 and 1.
  const Scaling scaling = fit_input(ScalingKind::uniform, {0, 0, 0, 2, 2});
  EXPECT_DOUBLE_EQ(scaling.apply(0), 2 * 0.25 - 1);
  EXPECT_DOUBLE_EQ(scaling.apply(2), 2 * 0.875 - 1);
  EXPECT_DOUBLE_EQ(scaling.apply(1), 2 * 0.5625 - 1);
  EXPECT_NEAR(scaling.apply(1e-12), scaling.apply(0), 1e-11);
}

TEST(Scaling, KeepsAllValuesUpToTheMostAndEquallySpacedQuantilesBeyond) {
  std::vector<double> values(kMaxQuantiles);
  std::iota(values.begin(), values.end(), 0.0);
  EXPECT_EQ(fit_input(ScalingKind::quantile, values).quantiles, values);
  // 0, 2, 4, ... at twice the resolution, plus one value between two order statistics.
  std::vector<double> more(2 * (kMaxQuantiles - 1) + 1);
  std::iota(more.rbegin(), more.rend(), 0.0);
  const Scaling thinned = fit_input(ScalingKind::quantile, more);
  ASSERT_EQ(thinned.quantiles.size(), kMaxQuantiles);
  for (std::size_t i = 0; i < kMaxQuantiles; ++i) {
    EXPECT_DOUBLE_EQ(thinned.quantiles[i], 2.0 * static_cast<double>(i));
  }
  std::vector<double> one_more(kMaxQuantiles + 1);
  std::iota(one_more.begin(), one_more.end(), 0.0);
  EXPECT_NEAR(fit_input(ScalingKind::quantile, one_more).quantiles[1], 1000.0 / 999.0, 1e-12);
}

TEST(Scaling, QuantileKindMakesColumnsNormal) {
  std::vector<double> values = normal_values(5000);
  for (double& x : values) x = std::exp(x);
  const Scaling scaling = fit_input(ScalingKind::quantile, values);
  for (const double z : {-2.0, -0.5, 0.0, 1.0, 2.0}) {
    EXPECT_NEAR(scaling.apply(std::exp(z)), z, 0.1) << z;
  }
}

TEST(Scaling, RefusesWhatCannotBeScaled) {
  for (const ScalingKind kind : kEveryKind) {
    EXPECT_EQ(kind_of([&] { fit_input(kind, {}); }), ErrorKind::bad_data);
    EXPECT_EQ(kind_of([&] { fit_input(kind, {1, kNan}); }), ErrorKind::bad_data);
    EXPECT_EQ(kind_of([&] { fit_input(kind, {1, kInfinity}); }), ErrorKind::bad_data);
  }
  for (const ScalingKind kind : {ScalingKind::quantile, ScalingKind::uniform}) {
    EXPECT_EQ(kind_of([&] {
                fit_scaling(kind, std::vector{1.0, 2.0}, ColumnRole::target);
              }),
              ErrorKind::bad_option);
    EXPECT_EQ(kind_of([&] { fit_input(kind, {1, 2}).invert(0); }), ErrorKind::bad_option);
  }
  EXPECT_EQ(kind_of([] { fit_input(ScalingKind::range, {1, 2}, 1, 1); }), ErrorKind::bad_option);
  EXPECT_EQ(kind_of([] { fit_input(ScalingKind::range, {1, 2}, 0, kNan); }), ErrorKind::bad_option);
}

TEST(NormalQuantile, KnownValues) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_EQ(normal_quantile(0), -kInfinity);
  EXPECT_EQ(normal_quantile(1), kInfinity);
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)) && std::isnan(normal_quantile(kNan)));
  EXPECT_NEAR(normal_quantile(1e-7), -5.19933758219281694, 2e-15);
  EXPECT_NEAR(normal_quantile(1e-5), -4.2648907939228246102, 2e-15);
  EXPECT_NEAR(normal_quantile(0.001), -3.0902323061678135354, 2e-15);
  EXPECT_NEAR(normal_quantile(0.02), -2.0537489106318230443, 2e-15);
  EXPECT_NEAR(normal_quantile(0.2), -0.84162123357291416552, 2e-15);
  EXPECT_NEAR(normal_quantile(0.45), -0.12566134685507400616, 2e-15);
  EXPECT_NEAR(normal_quantile(0.499), -0.0025066308995717662317, 2e-15);
  EXPECT_NEAR(normal_quantile(0.6), 0.25334710313579974132, 2e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.9599639845400538556, 2e-15);
}

TEST(NormalQuantile, InvertsTheDistribution) {
  for (double x = -5.2; x <= 5.2; x += 0.013) {
    if (x > 0) continue;
    const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
    EXPECT_NEAR(normal_quantile(p), x, 4e-15) << x;
  }
  EXPECT_EQ(normal_quantile(0.25), -normal_quantile(0.75));
}

RC_GTEST_PROP(ScalingProperty, InvertUndoesApply,
              (const std::vector<int>& raw, int exponent_source, int position)) {
  RC_PRE(!raw.empty());
  const double unit = std::pow(2.0, exponent_source % 200);
  std::vector<double> values;
  for (const int value : raw) values.push_back(value * unit);
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  const double reach = std::max(std::abs(*smallest), std::abs(*largest));
  const double x = *smallest + (*largest - *smallest) * 0.01 * (position % 150);
  for (const ScalingKind kind : {ScalingKind::none, ScalingKind::range, ScalingKind::standard}) {
    const Scaling scaling = fit_scaling(kind, values, ColumnRole::target);
    RC_ASSERT(std::abs(scaling.invert(scaling.apply(x)) - x) <= 1e-14 * (reach + std::abs(x)));
  }
}

RC_GTEST_PROP(ScalingProperty, QuantileKindsRiseAndStayInBounds, (const std::vector<int>& raw)) {
  RC_PRE(!raw.empty());
  std::vector<double> values(raw.begin(), raw.end());
  for (const ScalingKind kind : {ScalingKind::quantile, ScalingKind::uniform}) {
    const double bound = kind == ScalingKind::uniform ? 1 : 5.2;
    const Scaling scaling = fit_scaling(kind, values, ColumnRole::input);
    const double low = scaling.quantiles.front() - 1, high = scaling.quantiles.back() + 1;
    double before = -kInfinity;
    for (int i = 0; i <= 200; ++i) {
      const double scaled = scaling.apply(low + (high - low) * i / 200.0);
      RC_ASSERT(std::abs(scaled) <= bound);
      RC_ASSERT(scaled >= before);
      before = scaled;
    }
  }
}

}  // namespace
}  // namespace knotwork::features
