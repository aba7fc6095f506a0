// SPDX-License-Identifier: MIT
#include "analysis/planted_truth.hpp"
#include "training/run/test_trainings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <knotwork/builtin_data.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/neurons.hpp>
#include <knotwork/training.hpp>

namespace knotwork::analysis {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

TrainOptions planted_options() {
  TrainOptions options;
  options.hidden = {4};
  options.output_activation = "identity";
  options.lambda_w = 1e-5;
  options.lambda_curvature = 1e-5;
  options.iterations = 600;
  options.threads = 1;
  return options;
}

// Root mean square distance of the curves, relative to the truth's deviation, in the range of most
// inputs: a neuron receives about N(0, spread^2) around its middle.
double distance(const FigurePoints& learned, const FigurePoints& truth, double low, double high) {
  double error = 0, mean = 0, square = 0, count = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    if (truth[k].x < low || truth[k].x > high) continue;
    error += std::pow(truth[k].y - learned[k].y, 2);
    mean += truth[k].y;
    square += truth[k].y * truth[k].y;
    ++count;
  }
  return std::sqrt(error / (square - mean * mean / count));
}

// The learned curve of one neuron, and the range of 95 % of its inputs for model inputs N(0, 1).
struct Neuron {
  FigurePoints learned;
  double low = 0, high = 0;
};
Neuron neuron_of(const Model& model, const FoundCurve& found) {
  for (const MovedActivation& moved : moved_activations(model)) {
    if (moved.member != found.member || moved.layer != found.layer ||
        moved.neuron != found.neuron) {
      continue;
    }
    const Network& network = model.members[found.member];
    const auto weights = network.values(network.tensor("layers.0.weight"));
    double middle = network.values(network.tensor("layers.0.bias"))[found.neuron], variance = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const Scaling& scaling = model.inputs[i].scaling;
      const double factor = weights[found.neuron * 6 + i] * scaling.scale;
      middle -= factor * scaling.offset;
      variance += factor * factor;
    }
    const double two = 1.96 * std::sqrt(variance);
    return {moved.learned, middle - two, middle + two};
  }
  return {};
}

void expect_overlaid(const Model& model, const FoundCurve& found) {
  const Neuron neuron = neuron_of(model, found);
  ASSERT_EQ(neuron.learned.size(), found.truth.size());
  for (std::size_t k = 0; k < found.truth.size(); ++k) {
    ASSERT_EQ(found.truth[k].x, neuron.learned[k].x);
  }
  EXPECT_LT(distance(neuron.learned, found.truth, neuron.low, neuron.high), 0.1) << found.name;
}

std::vector<std::string> names(const std::vector<FoundCurve>& found) {
  std::vector<std::string> all;
  for (const FoundCurve& curve : found) all.push_back(curve.name);
  return all;
}

TEST(PlantedTruth, LearnedCurvesLieOnThePlantedOnes) {
  const Table table = make_builtin("planted");
  for (const ScalingKind scaling : {ScalingKind::standard, ScalingKind::range, ScalingKind::none}) {
    TrainOptions options = planted_options();
    options.scale_inputs = scaling;
    const Model model = train(table, {}, options);
    const std::vector<FoundCurve> found = find_planted(model);
    EXPECT_THAT(names(found), UnorderedElementsAre("dead zone", "pre-saturation", "asymmetric peak",
                                                   "smooth step"));
    for (const FoundCurve& curve : found) {
      EXPECT_GT(std::fabs(curve.cosine), 0.99);
      EXPECT_EQ(curve.layer, 0u);
      expect_overlaid(model, curve);
    }
  }
}

TEST(PlantedTruth, MembersOfAnEnsembleAreLookedAtOneByOne) {
  TrainOptions options = planted_options();
  options.ensemble = 2;
  const Model model = train(make_builtin("planted"), {}, options);
  const std::vector<FoundCurve> all = find_planted(model);
  std::size_t next = 0;
  for (std::size_t m = 0; m < 2; ++m) {
    Model alone = model;
    alone.members = {model.members[m]};
    const std::vector<FoundCurve> own = find_planted(alone);
    EXPECT_THAT(own, Not(IsEmpty()));
    for (const FoundCurve& curve : own) {
      ASSERT_LT(next, all.size());
      EXPECT_EQ(all[next].member, m);
      EXPECT_EQ(all[next].neuron, curve.neuron);
      EXPECT_EQ(all[next].name, curve.name);
      EXPECT_EQ(all[next].truth.back().y, curve.truth.back().y);
      ++next;
    }
  }
  EXPECT_EQ(next, all.size());
}

// Gives each neuron of the first layer the curve with its own index.
void set_curves(Network& network, const std::function<double(std::size_t, double)>& curve) {
  for (std::size_t n = 0; n < 4; ++n) {
    const SplineLayer splines(network, 0);
    const Knots knots = splines.knots(n);
    std::vector<double> points;
    for (std::size_t k = 0; k < knots.count; ++k) points.push_back(curve(n, knots.at(k)));
    const auto anchor = splines.anchor(n);
    SplineLayer::set(network, 0, n, {knots, points, {anchor.begin(), anchor.end()}});
  }
}

// A model whose neurons have the planted curves and receive the planted projections, each turned
// towards the next by an angle, so that the cosine is known.
Model turned_model(double cosine, double length, double bias) {
  SplineOptions spline;
  spline.init_noise = 0;
  Model model;
  model.members.push_back(make_network({6, 4, 1}, make_spline_activation(spline),
                                       builtin_activations().at("identity").make({})));
  Network& network = model.members[0];
  network.initialize(1);
  const auto weights = network.values(network.tensor("layers.0.weight"));
  for (std::size_t n = 0; n < 4; ++n) {
    const auto& own = planted_curves()[n].projection;
    const auto& next = planted_curves()[(n + 1) % 4].projection;
    for (std::size_t i = 0; i < 6; ++i) {
      weights[n * 6 + i] = length * (cosine * own[i] + std::sqrt(1 - cosine * cosine) * next[i]);
    }
    network.values(network.tensor("layers.0.bias"))[n] = bias;
  }
  const double slope = std::copysign(length, cosine);
  set_curves(network, [&](std::size_t n, double s) {
    return length > 0 ? planted_curves()[n].curve((s - bias) / slope) : 0;
  });
  for (int i = 1; i <= 6; ++i) model.inputs.push_back({.column = "x" + std::to_string(i)});
  model.targets = {{"y", {}}};
  return model;
}

TEST(PlantedTruth, ProjectionsMustBeClose) {
  EXPECT_THAT(find_planted(turned_model(0.89, 1, 0)), IsEmpty());
  for (const double cosine : {0.91, -0.95, 1.0, -1.0}) {
    const auto found = find_planted(turned_model(cosine, 0.7, 0.2));
    ASSERT_THAT(found, SizeIs(4));
    for (std::size_t n = 0; n < 4; ++n) {
      EXPECT_EQ(found[n].neuron, n);
      EXPECT_EQ(found[n].name, planted_curves()[n].name);
      EXPECT_NEAR(found[n].cosine, cosine, 1e-12);
    }
  }
  EXPECT_THAT(find_planted(turned_model(1, 0, 0)), IsEmpty());  // receives nothing
}

// s = 0.7 z + 0.2 or, mirrored, s = 0.2 - 0.7 z.
TEST(PlantedTruth, IsThePlantedCurveInTheUnitsOfTheNeuron) {
  for (const double side : {1.0, -1.0}) {
    const auto found = find_planted(turned_model(side, 0.7, 0.2));
    ASSERT_THAT(found, SizeIs(4));
    for (const FoundCurve& curve : found) {
      const auto planted =
          std::find_if(planted_curves().begin(), planted_curves().end(),
                       [&](const PlantedCurve& p) { return p.name == curve.name; });
      const auto f = [&](const FigurePoint& point) {
        return planted->curve(side * (point.x - 0.2) / 0.7);
      };
      EXPECT_NEAR(curve.truth.front().x, -1.8, 1e-12);
      EXPECT_NEAR(curve.truth.back().x, 1.8, 1e-12);
      // The factor and the constant are taken from the lowest and the highest point of f.
      const auto lower = [&](const FigurePoint& a, const FigurePoint& b) { return f(a) < f(b); };
      const auto [low, high] = std::minmax_element(curve.truth.begin(), curve.truth.end(), lower);
      const double a = (high->y - low->y) / (f(*high) - f(*low));
      EXPECT_NEAR(a, 1, 0.1);
      for (const FigurePoint& point : curve.truth) {
        ASSERT_NEAR(point.y, low->y + a * (f(point) - f(*low)), 1e-12);
      }
    }
  }
}

// A neuron may receive the projection and yet have learned another curve.
TEST(PlantedTruth, CurvesMustAgree) {
  Model model = turned_model(1, 1, 0);
  Network& network = model.members[0];
  const auto mixed = [&](double ripple) {
    set_curves(network, [&](std::size_t n, double s) {
      return planted_curves()[n].curve(s) + ripple * std::cos(7 * s);
    });
    return find_planted(model);
  };
  EXPECT_THAT(mixed(0.02), SizeIs(4));
  EXPECT_THAT(mixed(5), IsEmpty());
  set_curves(network, [](std::size_t, double) { return 0.3; });
  EXPECT_THAT(find_planted(model), IsEmpty());
  // Factor and sign may differ, because the next layer can apply them.
  set_curves(network,
             [](std::size_t n, double s) { return 2 - 0.1 * planted_curves()[n].curve(s); });
  EXPECT_THAT(find_planted(model), SizeIs(4));
}

TEST(PlantedTruth, InputsAreMatchedByName) {
  Model model = turned_model(1, 1, 0);
  std::swap(model.inputs[1], model.inputs[4]);
  EXPECT_THAT(find_planted(model), IsEmpty());  // other projections
  Network& network = model.members[0];
  const auto weights = network.values(network.tensor("layers.0.weight"));
  for (std::size_t n = 0; n < 4; ++n) std::swap(weights[n * 6 + 1], weights[n * 6 + 4]);
  EXPECT_THAT(find_planted(model), SizeIs(4));
}

TEST(PlantedTruth, OtherModelsHaveNone) {
  const Model model = turned_model(1, 1, 0);
  ASSERT_THAT(find_planted(model), SizeIs(4));
  Model other = model;
  other.inputs[3].column = "age";
  EXPECT_THAT(find_planted(other), IsEmpty());
  other = model;
  other.targets[0].column = "price";
  EXPECT_THAT(find_planted(other), IsEmpty());
  other = model;
  other.inputs[2].scaling =
      fit_scaling(ScalingKind::uniform, std::vector<double>{-1, 0, 1}, ColumnRole::input);
  EXPECT_THAT(find_planted(other), IsEmpty());
  other = model;
  other.training.data = "survey.csv";
  EXPECT_THAT(find_planted(other), IsEmpty());
  other.training.data = "builtin:planted";
  EXPECT_THAT(find_planted(other), SizeIs(4));

  TrainOptions options = planted_options();
  options.iterations = 5;
  EXPECT_THAT(find_planted(train(make_builtin("friedman1", 100), {}, options)), IsEmpty());
  options.activation = "tanh";
  EXPECT_THAT(find_planted(train(make_builtin("planted", 100), {}, options)), IsEmpty());
  options.activation = "spline";
  options.input_splines = 2;
  EXPECT_THAT(find_planted(train(make_builtin("planted", 100), {}, options)), IsEmpty());
}

}  // namespace
}  // namespace knotwork::analysis
