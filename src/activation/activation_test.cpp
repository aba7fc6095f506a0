// SPDX-License-Identifier: MIT
// Tests the contract of every entry of the table. learned_activation_test.cpp tests what
// activations with trained numbers guarantee in addition, spline_activation_test.cpp tests the
// spline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "activation/fixed_formulas.hpp"
#include "activation/test_neuron.hpp"

namespace knotwork {
namespace {

using testing_neuron::identifier;
using testing_neuron::Neuron;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class EveryActivation : public testing::TestWithParam<std::string> {
 protected:
  Neuron neuron_{builtin_activations().at(GetParam()).make({})};
};

INSTANTIATE_TEST_SUITE_P(Table, EveryActivation, testing::ValuesIn(builtin_activations().names()),
                         identifier);

TEST_P(EveryActivation, IsMadeUnderItsOwnName) {
  EXPECT_EQ(neuron_.activation().name(), GetParam());
  EXPECT_FALSE(builtin_activations().at(GetParam()).summary.empty());
}

TEST_P(EveryActivation, SlopeIsTheCentralDifferenceAwayFromKinks) {
  const double h = 1e-5;
  const auto kinks = neuron_.kinks();
  std::size_t tried = 0;
  for (double s = -8; s <= 8; s += 0.0137) {
    bool near_kink = false;
    for (double kink : kinks) near_kink = near_kink || std::fabs(s - kink) < 2 * h;
    if (near_kink) continue;
    ++tried;
    const double difference = (neuron_.at(s + h).first - neuron_.at(s - h).first) / (2 * h);
    // Truncation h^2 phi''' / 6, with |phi'''| < 100 for an initial spline (noise / step^3);
    // rounding of values up to 8, divided by 2 h.
    ASSERT_NEAR(neuron_.at(s).second, difference, 2e-9) << s;
  }
  EXPECT_GT(tried, 1000u);
}

// Where no kink is listed, one-sided slopes agree: kinks() lists all of them.
TEST_P(EveryActivation, SlopeIsContinuousEverywhereButAtListedKinks) {
  const auto kinks = neuron_.kinks();
  for (double s = -3; s <= 3; s += 1.0 / 64) {
    bool listed = false;
    for (double kink : kinks) listed = listed || std::fabs(s - kink) < 1e-6;
    if (listed) continue;
    ASSERT_NEAR(neuron_.at(s - 1e-9).second, neuron_.at(s + 1e-9).second, 1e-7) << s;
  }
}

TEST_P(EveryActivation, NotANumberGivesNotANumber) {
  const auto [y, slope] = neuron_.at(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(y));
  EXPECT_TRUE(std::isnan(slope));
  const auto [y_float, slope_float] = neuron_.at(std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(std::isnan(y_float));
  EXPECT_TRUE(std::isnan(slope_float));
}

TEST_P(EveryActivation, HugeInputsGoWhereTheLimitsAre) {
  for (double sign : {-1.0, 1.0}) {
    const auto [limit, limit_slope] = neuron_.at(sign * kInfinity);
    EXPECT_FALSE(std::isnan(limit)) << sign;
    EXPECT_TRUE(std::isfinite(limit_slope)) << sign;
    for (double size : {1e4, 1e30, 1e300}) {
      // A formula may approach its limit as slowly as 1 / s.
      const auto [y, slope] = neuron_.at(sign * size);
      EXPECT_NEAR(slope, limit_slope, 2 / size / size + 1e-12) << sign * size;
      if (std::isinf(limit)) {
        // Approaches infinity along a straight line, which may pass 0 at some distance.
        EXPECT_NEAR(y / (sign * size), slope, 50 / size + 1e-12) << sign * size;
        EXPECT_EQ(std::signbit(y), std::signbit(limit));
      } else {
        EXPECT_NEAR(y, limit, 2 / size + 1e-12) << sign * size;
      }
    }
    const auto [y, slope] = neuron_.at(static_cast<float>(sign * 1e30));
    EXPECT_NEAR(slope, limit_slope, 1e-5);
    EXPECT_EQ(std::isinf(limit), std::fabs(y) > 1e20) << y;
    const auto [float_limit, float_limit_slope] = neuron_.at(static_cast<float>(sign * kInfinity));
    EXPECT_EQ(static_cast<double>(float_limit), std::isinf(limit) ? limit : double{y});
    EXPECT_EQ(float_limit_slope, slope);
  }
}

TEST_P(EveryActivation, TheTiniestInputsAreLikeZero) {
  const double at_zero = neuron_.at(0.0).first;
  for (double s : {5e-324, -5e-324, 1e-310, -1e-310, -0.0}) {
    EXPECT_NEAR(neuron_.at(s).first, at_zero, 1e-300) << s;
    EXPECT_TRUE(std::isfinite(neuron_.at(s).second)) << s;
  }
  const float float_zero = neuron_.at(0.0f).first;
  for (float s : {1e-45f, -1e-45f, 1e-40f}) {
    EXPECT_NEAR(neuron_.at(s).first, float_zero, 1e-37f);
    EXPECT_TRUE(std::isfinite(neuron_.at(s).second));
  }
}

TEST_P(EveryActivation, FloatAgreesWithDoubleWithinRounding) {
  const double epsilon = std::numeric_limits<float>::epsilon();
  const auto kinks = neuron_.kinks();
  // A spline rounds its coefficients and the position on the curve; initially |phi'| <= 2 and
  // |phi''| <= 12, and positions have the rounding of numbers up to 2 divided by a step. In the
  // other sums, terms cancel and are larger than the result.
  const std::map<std::string, double> sums = {
      {"spline", 8}, {"polynomial", 8}, {"rational", 8}, {"kaf", 16}};
  const double sum = sums.contains(GetParam()) ? sums.at(GetParam()) : 1;
  // The float tanh is a rational function with an error of a few units in the last place; its
  // complement to 1 gives the slope.
  const double tanh = GetParam().ends_with("tanh") ? 4 : 1;
  for (double wide = -30; wide <= 30; wide += 0.0171) {
    const float s = static_cast<float>(wide);
    const auto [y, slope] = neuron_.at(s);
    const auto [wanted, wanted_slope] = neuron_.at(double{s});
    ASSERT_NEAR(double{y}, wanted, sum * 4 * epsilon * (0.25 + std::fabs(wanted))) << s;
    bool near_kink = false;
    for (double kink : kinks) near_kink = near_kink || std::fabs(wide - kink) < 1e-5;
    if (near_kink) continue;
    ASSERT_NEAR(double{slope}, wanted_slope,
                tanh * sum * 4 * epsilon * (0.25 + std::fabs(wanted_slope)))
        << s;
  }
}

// After training, an activation that initially never falls may fall.
TEST_P(EveryActivation, NeverFallsIfItSaysSo) {
  bool falls = false;
  for (double s = -30; s <= 30; s += 0.0171) falls = falls || neuron_.at(s).second < 0;
  const bool says_never = neuron_.activation().never_falls();
  EXPECT_FALSE(says_never && falls);
  if (neuron_.tensors().empty()) {
    EXPECT_EQ(says_never, !falls);
  }
}

TEST_P(EveryActivation, SettingsMakeTheSameActivationAgain) {
  const Settings settings = neuron_.activation().settings();
  const auto again = builtin_activations().at(GetParam()).make(settings);
  EXPECT_EQ(again->settings(), settings);
  EXPECT_EQ(again->name(), GetParam());
  const auto before = neuron_.activation().tensors(), after = again->tensors();
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t k = 0; k < before.size(); ++k) {
    EXPECT_EQ(before[k].name, after[k].name);
    EXPECT_EQ(before[k].size, after[k].size);
  }
}

TEST_P(EveryActivation, RefusesASettingThatItDoesNotKnow) {
  try {
    builtin_activations().at(GetParam()).make({{"colour", 1.0}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_THAT(error.what(), testing::HasSubstr("'colour'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("'" + GetParam() + "'"));
  }
}

// Tests what the table says about a formula, including formulas that are not activations.
TEST(FixedFormulas, AreAsTheirRowsSay) {
  ASSERT_GE(fixed_formulas().size(), 10u);
  for (const FixedFormula& row : fixed_formulas()) {
    EXPECT_EQ(&fixed_formula(row.formula), &row) << row.name;
    EXPECT_EQ(builtin_activations().find(row.name) != nullptr, !row.summary.empty()) << row.name;
    double steepest = 0, steepest_fall = 0;
    for (double s = -30; s <= 30; s += 0.001) {
      double y, slope;
      scalar_fixed_kernels<double>().forward(row.formula, &s, &y, &slope, 1);
      steepest = std::max(steepest, std::fabs(slope));
      steepest_fall = std::min(steepest_fall, slope);
    }
    EXPECT_LE(steepest, row.steepest) << row.name;
    EXPECT_GT(steepest, row.steepest - 1e-6) << row.name;
    EXPECT_EQ(row.never_falls, steepest_fall == 0) << row.name;
  }
}

// Values from the formulas, to 15 digits.
TEST(Activation, FormulasHaveTheirKnownValues) {
  struct Known {
    double s, value;
  };
  const std::map<std::string, std::vector<Known>> known = {
      {"identity", {{-3.25, -3.25}}},
      {"tanh", {{0.5, 0.462117157260010}}},
      {"sigmoid", {{1, 0.731058578630005}, {-1, 0.268941421369995}}},
      {"relu", {{-2, 0}, {2, 2}}},
      {"leaky-relu", {{-2, -0.02}}},
      {"elu", {{-1, -0.632120558828558}}},
      {"softplus", {{0, 0.693147180559945}, {1, 1.313261687518223}}},
      {"silu", {{1, 0.731058578630005}}},
      {"gelu", {{1, 0.841344746068543}, {-1, -0.158655253931457}}}};
  for (const ActivationEntry& entry : fixed_activations()) {
    ASSERT_TRUE(known.contains(entry.name)) << entry.name << " has no known value here";
    for (const Known& one : known.at(entry.name)) {
      const double value = Neuron(entry.make({})).at(one.s).first;
      EXPECT_NEAR(value, one.value, 1e-15 * (1 + std::abs(one.value))) << entry.name;
    }
  }
}

TEST(Activation, LimitsAreThoseOfTheFormulas) {
  const auto ends = [](const char* name) {
    const Neuron neuron(builtin_activations().at(name).make({}));
    return std::pair(neuron.at(-kInfinity).first, neuron.at(kInfinity).first);
  };
  EXPECT_EQ(ends("identity"), std::pair(-kInfinity, kInfinity));
  EXPECT_EQ(ends("tanh"), std::pair(-1.0, 1.0));
  EXPECT_EQ(ends("sigmoid"), std::pair(0.0, 1.0));
  EXPECT_EQ(ends("relu"), std::pair(0.0, kInfinity));
  EXPECT_EQ(ends("leaky-relu"), std::pair(-kInfinity, kInfinity));
  EXPECT_EQ(ends("elu"), std::pair(-1.0, kInfinity));
  EXPECT_EQ(ends("softplus"), std::pair(0.0, kInfinity));
  EXPECT_EQ(ends("silu"), std::pair(0.0, kInfinity));
  EXPECT_EQ(ends("gelu"), std::pair(0.0, kInfinity));
}

TEST(Activation, AMisspeltNameIsCorrected) {
  try {
    builtin_activations().at("tahn");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'tanh'"));
  }
}

}  // namespace
}  // namespace knotwork
