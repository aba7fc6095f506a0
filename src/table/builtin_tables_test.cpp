// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include <knotwork/builtin_data.hpp>
#include <knotwork/error.hpp>

namespace knotwork::table {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(BuiltinData, KnowsItsSets) {
  EXPECT_EQ(builtin_sets().names(),
            (std::vector<std::string>{"planted", "friedman1", "sinc", "spirals"}));
  EXPECT_EQ(make_builtin("planted").rows(), 2000u);
  EXPECT_EQ(make_builtin("friedman1").rows(), 1000u);
  EXPECT_EQ(make_builtin("sinc").rows(), 500u);
  EXPECT_EQ(make_builtin("spirals").rows(), 1000u);
  EXPECT_EQ(make_builtin("sinc", 3).rows(), 3u);
}

TEST(BuiltinData, SuggestsTheClosestName) {
  try {
    make_builtin("spiral");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_THAT(error.what(), testing::HasSubstr("'spirals'"));
  }
}

TEST(BuiltinData, NamesSourceAndColumns) {
  const Table table = make_builtin("spirals", 2);
  EXPECT_EQ(table.source, "builtin:spirals");
  EXPECT_EQ(table.names, (std::vector<std::string>{"x1", "x2", "y"}));
  EXPECT_EQ(make_builtin("planted", 1).names.size(), 7u);
  EXPECT_EQ(make_builtin("friedman1", 1).names.size(), 11u);
}

TEST(BuiltinData, ARowDependsOnSeedAndNumberAlone) {
  for (const BuiltinSet& set : builtin_sets().entries()) {
    const Table few = set.make(20, 9), many = set.make(50, 9), other = set.make(20, 10);
    ASSERT_EQ(few.columns.size(), few.names.size());
    for (std::size_t c = 0; c < few.columns.size(); ++c) {
      ASSERT_EQ(few.columns[c].size(), 20u);
      EXPECT_TRUE(std::equal(few.columns[c].begin(), few.columns[c].end(), many.columns[c].begin()))
          << set.name;
    }
    EXPECT_NE(few.columns[0], other.columns[0]) << set.name;
    EXPECT_NE(few.columns[0][0], few.columns[0][1]) << set.name;
    EXPECT_NE(few.columns[0][1], few.columns[1][0]) << set.name;
  }
}

TEST(BuiltinData, PlantedProjectionsAreOrthonormalAndUseAllInputs) {
  const auto& curves = planted_curves();
  ASSERT_EQ(curves.size(), 4u);
  for (const PlantedCurve& a : curves) {
    ASSERT_EQ(a.projection.size(), 6u);
    for (const PlantedCurve& b : curves) {
      EXPECT_EQ(dot(a.projection, b.projection), &a == &b ? 1 : 0) << a.name << b.name;
    }
  }
  for (std::size_t c = 0; c < 6; ++c) {
    double used = 0;
    for (const PlantedCurve& curve : curves) used += std::abs(curve.projection[c]);
    EXPECT_GT(used, 0) << c;
  }
}

TEST(BuiltinData, PlantedTargetIsTheSumOfItsCurves) {
  const Table table = make_builtin("planted", 4000, 1);
  std::vector<double> residuals;
  std::vector<std::vector<double>> parts(planted_curves().size());
  for (std::size_t r = 0; r < table.rows(); ++r) {
    std::vector<double> x;
    for (std::size_t c = 0; c < 6; ++c) x.push_back(table.columns[c][r]);
    double rest = table.columns[6][r];
    for (std::size_t k = 0; k < parts.size(); ++k) {
      parts[k].push_back(planted_curves()[k].curve(dot(planted_curves()[k].projection, x)));
      rest -= parts[k].back();
    }
    residuals.push_back(rest);
  }
  EXPECT_NEAR(mean_of(residuals), 0, 0.004);
  EXPECT_NEAR(deviation_of(residuals), kPlantedNoise, 0.003);
  for (const auto& part : parts) EXPECT_NEAR(deviation_of(part), 0.5, 0.04);
}

TEST(BuiltinData, PlantedCurvesHaveTheirShapes) {
  const auto value = [](std::size_t k, double s) { return planted_curves()[k].curve(s); };
  EXPECT_EQ(value(0, -0.7), 0);
  EXPECT_EQ(value(0, 0.7), 0);
  EXPECT_DOUBLE_EQ(value(0, 1.75), 1);
  EXPECT_DOUBLE_EQ(value(0, -1.75), -1);
  EXPECT_NEAR(value(1, -2), -0.9, 1e-3);
  EXPECT_NEAR(value(1, 0.2), 0.2, 1e-3);
  EXPECT_NEAR(value(1, 2.2), 0.9, 1e-3);
  EXPECT_DOUBLE_EQ(value(2, -0.5), 1.4);
  EXPECT_LT(value(2, -1), value(2, 0));
  EXPECT_LT(value(2, -1.2), 0.01);
  EXPECT_DOUBLE_EQ(value(3, 0.6), 0.625);
  EXPECT_NEAR(value(3, -0.5), 0, 1e-3);
  EXPECT_NEAR(value(3, 1.7), 1.25, 1e-3);
  for (std::size_t k = 0; k < 4; ++k) {
    for (double s = -3; s < 3; s += 1e-4) {
      ASSERT_LT(std::abs(value(k, s + 1e-4) - value(k, s)), 1e-3) << planted_curves()[k].name << s;
    }
  }
}

TEST(BuiltinData, FriedmanNoiseIsOne) {
  const Table table = make_builtin("friedman1", 4000, 2);
  const auto& x = table.columns;
  std::vector<double> residuals;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    residuals.push_back(x[10][r] - 10 * std::sin(std::numbers::pi * x[0][r] * x[1][r]) -
                        20 * (x[2][r] - 0.5) * (x[2][r] - 0.5) - 10 * x[3][r] - 5 * x[4][r]);
    for (std::size_t c = 0; c < 10; ++c) ASSERT_TRUE(x[c][r] >= 0 && x[c][r] < 1);
  }
  EXPECT_NEAR(mean_of(residuals), 0, 0.08);
  EXPECT_NEAR(deviation_of(residuals), 1, 0.05);
}

TEST(BuiltinData, SincFollowsItsFormula) {
  const Table table = make_builtin("sinc", 4000, 3);
  std::vector<double> residuals;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const double angle = std::numbers::pi * table.columns[0][r];
    ASSERT_LE(std::abs(table.columns[0][r]), 4);
    residuals.push_back(table.columns[1][r] - std::sin(angle) / angle);
  }
  EXPECT_NEAR(deviation_of(residuals), 0.05, 0.003);
  EXPECT_NEAR(deviation_of(table.columns[0]), 8 / std::sqrt(12.0), 0.1);
}

// The label of the nearest other point is nearly always right, because the arms are apart; a
// straight line is a bad classifier.
TEST(BuiltinData, SpiralsAreBalancedAndApart) {
  const Table table = make_builtin("spirals", 1000, 4);
  const auto &x = table.columns[0], &y = table.columns[1], &label = table.columns[2];
  EXPECT_EQ(mean_of(label), 0.5);
  int wrong = 0;
  double best_line = 0;
  for (std::size_t a = 0; a < table.rows(); ++a) {
    double nearest = 1e9, guess = 0;
    for (std::size_t b = 0; b < table.rows(); ++b) {
      const double distance = std::hypot(x[a] - x[b], y[a] - y[b]);
      if (a != b && distance < nearest) {
        nearest = distance;
        guess = label[b];
      }
    }
    wrong += guess != label[a];
  }
  for (double angle = 0; angle < 6.3; angle += 0.05) {
    double right = 0;
    for (std::size_t r = 0; r < table.rows(); ++r) {
      right += (std::cos(angle) * x[r] + std::sin(angle) * y[r] > 0) == (label[r] == 1);
    }
    best_line = std::max(best_line, right / 1000);
  }
  EXPECT_LT(wrong, 30);
  EXPECT_LT(best_line, 0.8);
}

TEST(BuiltinData, IdleInputsStandBeforeTheTargetAndChangeNothingElse) {
  for (const BuiltinSet& set : builtin_sets().entries()) {
    const Table plain = set.make(4000, 3);
    Table table = plain;
    add_idle_inputs(table, kMostIdleInputs, 0, 3);
    const std::size_t inputs = plain.columns.size() - 1;
    ASSERT_EQ(table.columns.size(), inputs + kMostIdleInputs + 1);
    EXPECT_EQ(table.names.back(), "y");
    EXPECT_EQ(table.columns.back(), plain.columns.back());
    for (std::size_t c = 0; c < inputs; ++c) EXPECT_EQ(table.columns[c], plain.columns[c]);
    for (std::size_t c = inputs; c < inputs + kMostIdleInputs; ++c) {
      EXPECT_EQ(table.names[c], "x" + std::to_string(c + 1));
      EXPECT_NEAR(mean_of(table.columns[c]), 0, 0.06) << set.name;
      EXPECT_NEAR(deviation_of(table.columns[c]), 1, 0.04) << set.name;
      // Neither the columns beside it nor the next row have the same numbers.
      for (std::size_t other = 0; other < c; ++other) {
        EXPECT_NEAR(dot(table.columns[c], table.columns[other]) / 4000, 0, 0.15) << set.name;
        EXPECT_NE(table.columns[c][0], table.columns[other][1]);
        EXPECT_NE(table.columns[c][1], table.columns[other][0]);
      }
    }
    Table part = set.part(100, 50, 3);
    add_idle_inputs(part, 2, 100, 3);
    for (std::size_t c = inputs; c < inputs + 2; ++c) {
      const auto begin = table.columns[c].begin() + 100;
      EXPECT_EQ(part.columns[c], std::vector<double>(begin, begin + 50)) << set.name;
    }
  }
}

TEST(BuiltinData, TooManyIdleInputsAreRefused) {
  Table table = make_builtin("sinc", 3);
  try {
    add_idle_inputs(table, kMostIdleInputs + 1, 0, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_THAT(error.what(), testing::HasSubstr("15 idle inputs are too many for builtin:sinc"));
  }
  EXPECT_EQ(table.columns.size(), 2u);
}

TEST(BuiltinData, PartsMakeTheWhole) {
  for (const BuiltinSet& set : builtin_sets().entries()) {
    const Table whole = set.make(50, 3);
    const Table part = set.part(20, 30, 3);
    EXPECT_EQ(part.names, whole.names);
    for (std::size_t c = 0; c < whole.columns.size(); ++c) {
      EXPECT_EQ(part.columns[c],
                std::vector<double>(whole.columns[c].begin() + 20, whole.columns[c].end()))
          << set.name;
    }
  }
}

}  // namespace
}  // namespace knotwork::table
