// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <knotwork/activation.hpp>

namespace knotwork {
namespace {

// The numbers of one neuron: control points, first knot, step, anchor.
struct Numbers {
  std::vector<double> control_points, first_knot, step, anchor;
  explicit Numbers(std::size_t knots)
      : control_points(knots), first_knot(1), step(1), anchor(knots) {}
  NeuronTensors<double> places() {
    return {control_points.data(), first_knot.data(), step.data(), anchor.data()};
  }
  NeuronTensors<const double> places() const {
    return {control_points.data(), first_knot.data(), step.data(), anchor.data()};
  }
};

Numbers start(const SplineOptions& options, std::uint64_t seed, std::uint64_t first = 0) {
  Numbers numbers(options.knots);
  make_spline_activation(options)->initialize(numbers.places(), {seed, first});
  return numbers;
}

TEST(SplineActivation, StartsFromItsFunctionOnItsKnotsAndTheAnchorHasNoNoise) {
  for (const SplineBasis& basis : spline_bases().entries()) {
    for (const std::string& init : initial_functions().names()) {
      SplineOptions options;
      options.basis = basis.name;
      options.init = init;
      options.noise_share = 1;
      options.range = 3;
      options.knots = 31;
      const Numbers numbers = start(options, 5);
      const Knots knots = Knots::symmetric(3, 31);
      EXPECT_EQ(numbers.first_knot[0], knots.first);
      EXPECT_EQ(numbers.step[0], knots.step);
      EXPECT_EQ(numbers.anchor, fit_control_points(basis, knots, initial_functions().at(init)));
      EXPECT_NE(numbers.control_points, numbers.anchor);
    }
  }
}

TEST(SplineActivation, OneControlPointInTwentyGetsNoiseOfTheAskedSize) {
  SplineOptions options;
  options.init_noise = 0.3;
  constexpr std::uint64_t kNeurons = 4000;
  double noisy = 0, sum = 0, squares = 0, fourths = 0;
  for (std::uint64_t neuron = 0; neuron < kNeurons; ++neuron) {
    const Numbers numbers = start(options, 11, neuron * options.knots);
    for (std::size_t k = 0; k < options.knots; ++k) {
      const double noise = numbers.control_points[k] - numbers.anchor[k];
      if (noise == 0) continue;
      noisy += 1;
      sum += noise;
      squares += noise * noise;
      fourths += std::pow(noise, 4);
    }
  }
  // 84 000 draws: the share is within four standard deviations, sqrt(0.05 * 0.95 / 84000) =
  // 0.00075.
  EXPECT_NEAR(noisy / static_cast<double>(kNeurons * options.knots), 0.05, 0.003);
  // 4200 noise values: the error of the estimated deviation is 1.1 %, that of the mean 0.0046.
  EXPECT_NEAR(std::sqrt(squares / noisy), 0.3, 4 * 0.011 * 0.3);
  EXPECT_NEAR(sum / noisy, 0, 4 * 0.0046);
  EXPECT_NEAR(fourths / noisy / std::pow(squares / noisy, 2), 3, 0.5) << "not a normal one";
}

TEST(SplineActivation, NoiseDependsOnSeedAndNumberAlone) {
  SplineOptions options;
  options.noise_share = 0.5;
  EXPECT_EQ(start(options, 3, 40).control_points, start(options, 3, 40).control_points);
  EXPECT_NE(start(options, 3, 40).control_points, start(options, 4, 40).control_points);
  const auto here = start(options, 3, 40), shifted = start(options, 3, 41);
  for (std::size_t k = 0; k + 1 < options.knots; ++k) {
    EXPECT_NEAR(here.control_points[k + 1] - here.anchor[k + 1],
                shifted.control_points[k] - shifted.anchor[k], 1e-15);
  }
  options.noise_share = 0;
  EXPECT_EQ(start(options, 3).control_points, start(options, 3).anchor);
  options.noise_share = 1;
  options.init_noise = 0;
  EXPECT_EQ(start(options, 3).control_points, start(options, 3).anchor);
}

TEST(SplineActivation, EverySettingMakesTheTripThroughTheTable) {
  SplineOptions options;
  options.basis = "b-spline";
  options.tails = Tails::constant;
  options.knots = 9;
  options.range = 1.5;
  options.init = "sin";
  options.init_noise = 0.25;
  options.noise_share = 0.125;
  const Settings settings = make_spline_activation(options)->settings();
  const Settings wanted = {{"basis", "b-spline"},
                           {"tails", "constant"},
                           {"knots", 9.0},
                           {"range", 1.5},
                           {"init", "sin"},
                           {"init-noise", 0.25},
                           {"init-noise-share", 0.125}};
  EXPECT_EQ(settings, wanted);
  EXPECT_EQ(builtin_activations().at("spline").make(settings)->settings(), wanted);
}

TEST(SplineActivation, TheTensionIsASettingOfTheBasisThatHasOne) {
  SplineOptions options;
  options.basis = "cardinal";
  options.tension = 0.5;
  const auto activation = make_spline_activation(options);
  EXPECT_EQ(std::get<double>(activation->settings().at("tension")), 0.5);
  const auto again = builtin_activations().at("spline").make(activation->settings());
  EXPECT_EQ(again->settings(), activation->settings());
  // The curve is drawn with this tension.
  const Numbers numbers = start(options, 2);
  const Spline curve(spline_basis("cardinal", 0.5), options.tails, Knots{}, numbers.control_points);
  std::vector<double> table(activation->table_size());
  activation->prepare(numbers.places(), table.data());
  const double s = 0.33;
  double y;
  activation->forward(table.data(), &s, &y, nullptr, 1);
  EXPECT_EQ(y, curve.value(s));
  EXPECT_NE(
      y, Spline(spline_basis("cardinal"), options.tails, Knots{}, numbers.control_points).value(s));
}

TEST(SplineActivation, HasItsTensorsAndTheAnchorIsThatOfTheControlPoints) {
  const auto tensors = make_spline_activation()->tensors();
  ASSERT_EQ(tensors.size(), 4u);
  EXPECT_EQ(tensors[0].name, "control_points");
  EXPECT_EQ(tensors[0].size, 21u);
  EXPECT_TRUE(tensors[0].trained);
  EXPECT_EQ(tensors[1].name, "first_knot");
  EXPECT_FALSE(tensors[1].trained);
  EXPECT_EQ(tensors[2].name, "step");
  EXPECT_FALSE(tensors[2].trained);
  EXPECT_EQ(tensors[3].name, "anchor");
  EXPECT_EQ(tensors[3].anchors, 0);
  EXPECT_FALSE(tensors[3].trained);
}

void expect_refusal(const Settings& settings, const std::string& mentions) {
  try {
    builtin_activations().at("spline").make(settings);
    ADD_FAILURE() << mentions;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_THAT(error.what(), testing::HasSubstr(mentions));
  }
}

TEST(SplineActivation, BadSettingsAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const char* name : {"knots", "range", "init-noise", "init-noise-share", "tension"}) {
    expect_refusal({{name, "many"}}, std::string("'") + name + "'");
    expect_refusal({{name, nan}}, name);
    expect_refusal({{name, inf}}, name);
    expect_refusal({{name, -1.0}}, name);
  }
  for (const char* name : {"basis", "tails", "init"}) {
    expect_refusal({{name, 3.0}}, std::string("'") + name + "'");
    expect_refusal({{name, "nonsense"}}, "'nonsense'");
  }
  for (double knots : {3.0, 4.5, 1e9}) expect_refusal({{"knots", knots}}, "knots");
  expect_refusal({{"range", 0.0}}, "range");
  expect_refusal({{"tension", 0.5}}, "'catmull-rom' has no tension");
  expect_refusal({{"basis", "cardinal"}, {"tension", 1.0}}, "tension");
  expect_refusal({{"range", 1e-320}}, "step");
  expect_refusal({{"range", 1e308}}, "step");
  expect_refusal({{"init-noise-share", 1.5}}, "init-noise-share");
  expect_refusal({{"knot", 12.0}}, "'knots'");  // the closest name
  SplineOptions few;
  few.knots = 3;
  EXPECT_THROW(make_spline_activation(few), Error);
}

TEST(SplineActivation, TensorsOfAFileThatCannotBeUsedAreRefused) {
  const auto activation = make_spline_activation();
  Numbers numbers = start({}, 1);
  EXPECT_NO_THROW(activation->check_tensors(std::as_const(numbers).places()));
  for (double step : {0.0, -0.2, std::numeric_limits<double>::quiet_NaN(),
                      std::numeric_limits<double>::infinity(), 1e-320}) {
    numbers.step[0] = step;
    try {
      activation->check_tensors(std::as_const(numbers).places());
      ADD_FAILURE() << step;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_model);
      EXPECT_THAT(error.what(), testing::HasSubstr("step"));
    }
  }
}

// The activation and Spline are the same function with the same derivatives.
TEST(SplineActivation, IsTheCurveOfItsControlPoints) {
  for (const SplineBasis& basis : spline_bases().entries()) {
    for (Tails tails : {Tails::linear, Tails::constant}) {
      SplineOptions options;
      options.basis = basis.name;
      options.tails = tails;
      options.noise_share = 1;
      const auto activation = make_spline_activation(options);
      const Numbers numbers = start(options, 9);
      const Spline curve(basis, tails, {numbers.first_knot[0], numbers.step[0], options.knots},
                         numbers.control_points);
      std::vector<double> table(activation->table_size());
      activation->prepare(numbers.places(), table.data());
      for (double s = -4; s <= 4; s += 0.03) {
        double y, slope;
        activation->forward(table.data(), &s, &y, &slope, 1);
        ASSERT_EQ(y, curve.value(s));
        ASSERT_EQ(slope, curve.slope(s));
        const double factor = 1.5;
        std::vector<double> scratch(activation->scratch_size()), gradient(options.knots, 2.0),
            wanted(options.knots, 2.0);
        double own = factor;
        double place = s, note, noted_y, noted_slope;
        activation->forward_noted(table.data(), &place, &noted_y, &noted_slope, &note, 1);
        ASSERT_EQ(noted_y, y);
        ASSERT_EQ(noted_slope, slope);
        activation->backward(table.data(), &place, &note, &slope, &own, scratch.data(), 1);
        ASSERT_EQ(own, factor * slope);
        activation->collect(scratch.data(), NeuronTensors<double>{gradient.data()});
        curve.add_control_point_gradient(s, factor, wanted);
        ASSERT_EQ(gradient, wanted);
      }
    }
  }
}

TEST(SplineActivation, KinksAreTheDrawnKnots) {
  const Numbers numbers = start({}, 1);
  const auto kinks = make_spline_activation()->kinks(numbers.places());
  ASSERT_EQ(kinks.size(), 19u);
  EXPECT_DOUBLE_EQ(kinks.front(), -1.8);
  EXPECT_DOUBLE_EQ(kinks.back(), 1.8);
}

}  // namespace
}  // namespace knotwork
