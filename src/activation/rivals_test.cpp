// SPDX-License-Identifier: MIT
// Tests each activation with trained numbers except the spline: values from the formulas, initial
// values, settings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "activation/test_neuron.hpp"

namespace knotwork {
namespace {

using testing_neuron::Neuron;

Neuron make(const std::string& name, const Settings& settings = {}) {
  return Neuron(builtin_activations().at(name).make(settings));
}

double value(const Neuron& neuron, double s) {
  return neuron.at(s).first;
}

TEST(Prelu, IsTheIdentityAboveAndALeakBelow) {
  Neuron neuron = make("prelu");
  EXPECT_EQ(value(neuron, 3), 3);
  EXPECT_EQ(value(neuron, -2), -0.5);
  neuron.numbers(0) = {-3};
  EXPECT_EQ(value(neuron, -2), 6);
  EXPECT_EQ(neuron.at(-2.0).second, -3);
}

TEST(Adaptive, StartsAsItsFormulaAndHasAnAmplitudeASlopeAndAShift) {
  for (double s : {-3.0, -0.4, 0.0, 1.7}) {
    EXPECT_NEAR(value(make("adaptive-tanh"), s), std::tanh(s), 1e-15);
    EXPECT_NEAR(value(make("adaptive-sigmoid"), s), 1 / (1 + std::exp(-s)), 1e-15);
    Neuron neuron = make("adaptive-tanh");
    neuron.numbers(0) = {2.5};
    neuron.numbers(1) = {-0.5};
    neuron.numbers(2) = {0.25};
    EXPECT_NEAR(value(neuron, s), 2.5 * std::tanh(-0.5 * s + 0.25), 2e-15);
  }
}

TEST(Apl, IsReluWithHinges) {
  Neuron neuron = make("apl", {{"hinges", 2.0}});
  neuron.numbers(0) = {0.5, -2};
  neuron.numbers(1) = {1, -1};
  EXPECT_DOUBLE_EQ(value(neuron, 3), 3);
  EXPECT_DOUBLE_EQ(value(neuron, 0.5), 0.5 + 0.5 * 0.5);
  EXPECT_DOUBLE_EQ(value(neuron, -0.5), 0.5 * 1.5);
  EXPECT_DOUBLE_EQ(value(neuron, -3), 0.5 * 4 - 2 * 2);
  EXPECT_DOUBLE_EQ(neuron.at(-3.0).second, 1.5);
  EXPECT_THAT(neuron.kinks(), testing::UnorderedElementsAre(1, -1, 0));
}

TEST(Apl, StartsNearReluWithItsHingesSpreadOverTheRange) {
  Neuron neuron = make("apl", {{"hinges", 4.0}, {"range", 3.0}, {"init-noise", 0.0}});
  EXPECT_THAT(neuron.numbers(1), testing::ElementsAre(-2.25, -0.75, 0.75, 2.25));
  EXPECT_EQ(value(neuron, -2), 0);
  EXPECT_EQ(value(neuron, 2), 2);
  const Neuron noisy = make("apl");
  EXPECT_NE(value(noisy, -2), 0);
}

TEST(Polynomial, IsASumOfPowersAndStraightFarOutside) {
  Neuron neuron = make("polynomial", {{"degree", 2.0}, {"range", 1.0}});
  neuron.numbers(0) = {1, -2, 0.5};
  EXPECT_DOUBLE_EQ(value(neuron, 2), 1 - 4 + 2);
  EXPECT_DOUBLE_EQ(neuron.at(2.0).second, 0);
  EXPECT_DOUBLE_EQ(value(neuron, -2), 1 + 4 + 2);
  EXPECT_DOUBLE_EQ(value(neuron, -5), 7 + 3 * 4);  // along the slope -4 at -2
  EXPECT_THAT(neuron.kinks(), testing::ElementsAre(-2, 2));
}

TEST(Rational, IsARatioWithTheDenominatorOfThePaper) {
  Neuron neuron = make("rational", {{"numerator", 1.0}, {"denominator", 3.0}, {"range", 1.0}});
  neuron.numbers(0) = {1, 2};
  neuron.numbers(1) = {-2, 0, 2};  // Q = 2 s^3 - 2 s has the roots -1, 0 and 1
  EXPECT_DOUBLE_EQ(value(neuron, 2), 5.0 / (1 + 12));
  EXPECT_DOUBLE_EQ(value(neuron, 0.5), 2.0 / (1 + 0.75));
  EXPECT_DOUBLE_EQ(value(neuron, -2), -3.0 / (1 + 12));
  auto kinks = neuron.kinks();
  std::sort(kinks.begin(), kinks.end());
  using testing::DoubleNear;
  EXPECT_THAT(kinks, testing::ElementsAre(-2, DoubleNear(-1, 1e-12), DoubleNear(0, 1e-12),
                                          DoubleNear(1, 1e-12), 2));
}

TEST(Kaf, IsASumOfBellsOnItsDictionary) {
  Neuron neuron = make("kaf", {{"dictionary", 5.0}, {"range", 2.0}});
  neuron.numbers(0) = {0, 0, 0, 1, -2};
  for (double s : {-1.0, 0.3, 1.0, 2.5}) {
    const double wanted = std::exp(-(s - 1) * (s - 1) / 6) - 2 * std::exp(-(s - 2) * (s - 2) / 6);
    EXPECT_NEAR(value(neuron, s), wanted, 1e-15);
  }
  EXPECT_EQ(value(neuron, 1e3), 0);
}

// How close each activation initially is to its function, on its range.
TEST(Rivals, StartAsTheFunctionThatTheyAreFittedTo) {
  const auto worst = [](const std::string& name, const std::string& init, double range) {
    const Neuron neuron = make(name, {{"init", init}});
    double most = 0;
    for (double s = -range; s <= range; s += 0.01) {
      most = std::max(most, std::fabs(value(neuron, s) - initial_functions().at(init).value(s)));
    }
    return most;
  };
  EXPECT_LT(worst("polynomial", "tanh", 2), 0.08);
  EXPECT_LT(worst("rational", "tanh", 3), 1e-3);
  EXPECT_LT(worst("kaf", "tanh", 3), 0.01);
  EXPECT_LT(worst("polynomial", "sigmoid", 2), 0.01);
  EXPECT_LT(worst("rational", "relu", 3), 0.25);
  EXPECT_LT(worst("kaf", "sin", 3), 0.05);
}

TEST(Rivals, SettingsMakeTheTripThroughTheTable) {
  const std::vector<std::pair<std::string, Settings>> cases = {
      {"apl", {{"hinges", 7.0}, {"range", 1.5}, {"init-noise", 0.25}}},
      {"polynomial", {{"degree", 5.0}, {"range", 2.5}, {"init", "sin"}}},
      {"rational", {{"numerator", 3.0}, {"denominator", 2.0}, {"range", 1.5}, {"init", "silu"}}},
      {"kaf", {{"dictionary", 11.0}, {"range", 4.0}, {"init", "gelu"}}}};
  for (const auto& [name, settings] : cases) {
    EXPECT_EQ(builtin_activations().at(name).make(settings)->settings(), settings) << name;
  }
}

TEST(Rivals, BadSettingsAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, std::string>> numbers = {
      {"apl", "hinges"},           {"apl", "range"},
      {"apl", "init-noise"},       {"polynomial", "degree"},
      {"polynomial", "range"},     {"rational", "numerator"},
      {"rational", "denominator"}, {"rational", "range"},
      {"kaf", "dictionary"},       {"kaf", "range"}};
  std::vector<std::tuple<std::string, std::string, Settings::mapped_type>> cases;
  for (const auto& [name, setting] : numbers) {
    for (double bad : {-1.0, nan, inf}) cases.emplace_back(name, setting, bad);
    cases.emplace_back(name, setting, std::string("many"));
  }
  for (const char* name : {"apl", "polynomial", "rational", "kaf"}) {
    cases.emplace_back(name, "range", 0.0);
    if (std::string(name) == "apl") continue;
    cases.emplace_back(name, "init", std::string("nonsense"));
    cases.emplace_back(name, "init", 3.0);
  }
  cases.insert(cases.end(), {{"apl", "hinges", 2.5},
                             {"kaf", "dictionary", 1.0},
                             {"polynomial", "degree", 0.0},
                             {"polynomial", "range", 1e9},
                             {"rational", "numerator", 21.0}});
  for (const auto& [name, setting, bad] : cases) {
    try {
      builtin_activations().at(name).make({{setting, bad}});
      ADD_FAILURE() << name << " " << setting;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      EXPECT_THAT(error.what(),
                  testing::AnyOf(testing::HasSubstr(setting), testing::HasSubstr("'nonsense'")));
    }
  }
}

}  // namespace
}  // namespace knotwork
