// SPDX-License-Identifier: MIT
// Compares the gradients of every activation, tail, basis, depth and regularizer with central
// differences.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/formulas.hpp"
#include "objective/test_samples.hpp"

#include <knotwork/objective.hpp>

namespace knotwork {
namespace {

using testing_networks::naive_forward;
using testing_networks::scatter;
using testing_samples::OwnedSamples;

constexpr double kLimit = 1e-7;

struct Kind {
  std::string name;
  std::shared_ptr<const Activation> activation;
};

std::vector<Kind> splines() {
  std::vector<Kind> kinds;
  for (const SplineBasis& basis : spline_bases().entries()) {
    for (Tails tails : {Tails::linear, Tails::constant}) {
      SplineOptions options;
      options.basis = basis.name;
      options.tension = basis.with_tension ? 0.5 : 0;
      options.tails = tails;
      options.knots = 11;
      kinds.push_back({"spline " + basis.name + " " + std::string(to_string(tails)),
                       make_spline_activation(options)});
    }
  }
  return kinds;
}

// The other activations, with trained numbers or without.
std::vector<Kind> others(bool trained) {
  std::vector<Kind> kinds;
  for (const ActivationEntry& entry : builtin_activations().entries()) {
    const auto activation = entry.make({});
    if (entry.name == "spline" || trained == activation->tensors().empty()) continue;
    kinds.push_back({entry.name, activation});
  }
  return kinds;
}

// Three inputs, hidden layers of four, two outputs.
Network network_of(std::size_t hidden, const std::shared_ptr<const Activation>& activation,
                   std::uint64_t seed, double activation_scale = 0.3) {
  std::vector<std::size_t> sizes = {3};
  sizes.insert(sizes.end(), hidden, 4);
  sizes.push_back(2);
  Network network = make_network(sizes, activation, activation);
  scatter(network, 0.2, seed, activation_scale);
  return network;
}

ObjectiveOptions options_with(const std::vector<std::string>& regularizers) {
  ObjectiveOptions options;
  for (const std::string& name : regularizers) {
    // About the size of the loss, so that an error in either is visible.
    const double lambda = name == "curvature" ? 1e-4 : name == "slope" ? 1e-2 : 1e-1;
    options.regularizers.push_back({builtin_regularizers().at(name).make({}), lambda});
  }
  return options;
}

std::vector<std::string> smooth_regularizers() {
  std::vector<std::string> names;
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    if (entry.make({})->is_smooth()) names.push_back(entry.name);
  }
  return names;
}

// Third derivatives of a curve are large: a step below the default keeps truncation small.
GradientCheck check(const Network& network, OwnedSamples<double>& samples,
                    const std::vector<std::string>& regularizers, double step = 2e-6) {
  GradientCheckOptions how;
  how.step = step;
  return check_gradient(network, std::get<Samples<double>>(samples.view()),
                        options_with(regularizers), how);
}

std::string worst_group(const GradientCheck& result) {
  std::string text;
  for (const GroupError& group : result.groups) {
    text += group.group + " " + std::to_string(group.error * 1e9) + "e-9 of " +
            std::to_string(group.largest_gradient) + "\n";
  }
  return text;
}

// Checks how many pre-activations of each layer are well beyond the drawn range, on either side.
void expect_tails_reached(const Network& network, const OwnedSamples<double>& samples) {
  std::size_t below = 0, above = 0, inside = 0;
  for (const auto& row : samples.inputs) {
    for (const auto& layer : naive_forward(network, row).s) {
      for (double s : layer) {
        below += s < -1.8;
        above += s > 1.8;
        inside += std::fabs(s) < 1.4;
      }
    }
  }
  EXPECT_GT(below, 4u);
  EXPECT_GT(above, 4u);
  EXPECT_GT(inside, 4u);
}

TEST(GradientCheck, EverySplineInEveryDepthWithEveryRegularizer) {
  for (const Kind& kind : splines()) {
    for (std::size_t hidden = 1; hidden <= 4; ++hidden) {
      const Network network = network_of(hidden, kind.activation, 7 + hidden);
      OwnedSamples<double> samples(network, 21, hidden, true, 2.0);
      expect_tails_reached(network, samples);
      for (const std::string& regularizer : smooth_regularizers()) {
        const GradientCheck result = check(network, samples, {regularizer});
        EXPECT_LT(result.worst, kLimit)
            << kind.name << ", " << hidden << " hidden, " << regularizer << "\n"
            << worst_group(result);
        EXPECT_EQ(result.groups.size(), 3 * (hidden + 1));
      }
    }
  }
}

TEST(GradientCheck, EveryFixedActivationInEveryDepth) {
  for (const Kind& kind : others(false)) {
    for (std::size_t hidden = 1; hidden <= 4; ++hidden) {
      const Network network = network_of(hidden, kind.activation, 3 + hidden);
      OwnedSamples<double> samples(network, 21, hidden, true, 2.0);
      const GradientCheck result = check(network, samples, {"weights"});
      EXPECT_LT(result.worst, kLimit) << kind.name << ", " << hidden << " hidden\n"
                                      << worst_group(result);
      for (const GroupError& group : result.groups) EXPECT_GT(group.largest_gradient, 0);
    }
  }
}

// Coefficients of high powers must stay near their start, and samples near 0: several layers of
// steep polynomials have values of 1e12, in which the differences of some groups are lost.
TEST(GradientCheck, EveryTrainedActivationInEveryDepth) {
  const auto kinds = others(true);
  ASSERT_GE(kinds.size(), 7u);
  for (const Kind& kind : kinds) {
    // Powers need a small step; with a small step, several layers of sigmoids have gradients below
    // the rounding error.
    const bool has_powers = kind.name == "polynomial" || kind.name == "rational";
    const double step = has_powers ? 2e-6 : 2e-5;
    for (std::size_t hidden = 1; hidden <= 4; ++hidden) {
      const Network network = network_of(hidden, kind.activation, 3 + hidden, 0.01);
      OwnedSamples<double> samples(network, 21, hidden, true, 1.0);
      const GradientCheck result = check(network, samples, {"weights", "damping"}, step);
      EXPECT_LT(result.worst, kLimit) << kind.name << ", " << hidden << " hidden\n"
                                      << worst_group(result);
      EXPECT_GT(result.groups.size(), 2 * (hidden + 1));
      for (const GroupError& group : result.groups) EXPECT_GT(group.largest_gradient, 0);
    }
  }
}

TEST(GradientCheck, MixedLayersWithAllRegularizersAtOnceAndFreeBiases) {
  const auto spline = splines();
  Network network({{3, 5, spline[0].activation},
                   {5, 4, builtin_activations().at("gelu").make({})},
                   {4, 4, spline[3].activation},
                   {4, 3, builtin_activations().at("identity").make({})}});
  scatter(network, 0.2, 5);
  OwnedSamples<double> samples(network, 40, 1, false, 2.0);
  GradientCheckOptions how;
  how.step = 2e-6;
  ObjectiveOptions options = options_with(smooth_regularizers());
  options.regularizers[0].regularizer = builtin_regularizers().at("weights").make({true});
  const GradientCheck result =
      check_gradient(network, std::get<Samples<double>>(samples.view()), options, how);
  EXPECT_LT(result.worst, kLimit) << worst_group(result);
}

TEST(GradientCheck, ATermWithoutDerivativeIsRefused) {
  const Network network = network_of(1, splines()[0].activation, 3);
  OwnedSamples<double> samples(network, 21, 2, true, 2.0);
  EXPECT_THROW(check(network, samples, {"weights", "kinks"}), Error);
}

// Each neuron has its own knots, as after a refit of the range.
TEST(GradientCheck, NeuronsWithDifferentKnots) {
  Network network = network_of(2, splines()[0].activation, 3);
  for (const TensorInfo& tensor : network.tensors()) {
    const auto values = network.values(tensor);
    for (std::size_t k = 0; k < tensor.size; ++k) {
      if (tensor.name.ends_with(".step")) values[k] = 0.3 + 0.1 * static_cast<double>(k);
      if (tensor.name.ends_with(".first_knot")) values[k] = -1 - 0.2 * static_cast<double>(k);
    }
  }
  OwnedSamples<double> samples(network, 21, 2, true, 2.0);
  const GradientCheck result = check(network, samples, {"slope", "curvature"});
  EXPECT_LT(result.worst, kLimit) << worst_group(result);
}

template <int Percent>
struct WrongTanh {
  template <class T>
  static T value(T s) {
    return std::tanh(s);
  }
  template <class T>
  static T slope(T s, T y) {
    return formulas::Tanh::slope(s, y) * static_cast<T>(1 + Percent / 100.0);
  }
};

TEST(GradientCheck, ASlopeThatIsOffByOnePercentIsCaught) {
  const auto identity = builtin_activations().at("identity").make({});
  for (bool wrong : {false, true}) {
    std::shared_ptr<const Activation> tanh = std::make_shared<FixedActivation<WrongTanh<0>>>("a");
    if (wrong) tanh = std::make_shared<FixedActivation<WrongTanh<1>>>("b");
    Network network = make_network({3, 4, 2}, tanh, identity);
    scatter(network, 0.2, 5);
    OwnedSamples<double> samples(network, 21, 1);
    const GradientCheck result = check(network, samples, {});
    ASSERT_EQ(result.groups[0].group, "layers.0.weight");
    ASSERT_EQ(result.groups[2].group, "layers.1.weight");
    EXPECT_LT(result.groups[2].error, kLimit);
    if (wrong) {
      EXPECT_NEAR(result.groups[0].error, 0.01 / 1.01, 1e-4);
      EXPECT_NEAR(result.worst, 0.01 / 1.01, 1e-4);
    } else {
      EXPECT_LT(result.worst, kLimit);
    }
  }
}

// a * tanh(b s) with trained a and b and a constant tensor between them.
class ScaledTanh final : public ActivationOf<ScaledTanh> {
 public:
  explicit ScaledTanh(double error = 0) : factor_(1 + error) {}
  std::string_view name() const override { return "scaled-tanh"; }
  std::vector<ActivationTensor> tensors() const override {
    return {{"a", 1, true, -1}, {"start", 1, false, 0}, {"b", 1, true, -1}};
  }
  void initialize(const NeuronTensors<double>& t, const InitialNoise&) const override {
    *t[0] = *t[1] = 1.2;
    *t[2] = 0.8;
  }
  std::size_t table_size() const override { return 2; }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& t, T* table) const {
    table[0] = *t[0];
    table[1] = *t[2];
  }
  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) {
      const T h = std::tanh(table[1] * s[k]);
      y[k] = table[0] * h;
      if (slope) slope[k] = table[0] * table[1] * (1 - h * h);
    }
  }
  std::size_t scratch_size() const override { return 2; }
  template <class T>
  void accumulate_as(const T* table, const T* s, const T* g, T* scratch, std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) {
      const T h = std::tanh(table[1] * s[k]);
      scratch[0] += g[k] * h;
      scratch[1] += g[k] * table[0] * (1 - h * h) * s[k] * static_cast<T>(factor_);
    }
  }
  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    *gradient[0] += scratch[0];
    *gradient[2] += scratch[1];
  }

 private:
  double factor_;
};

TEST(GradientCheck, AnActivationOfOnesOwnIsCheckedTensorByTensor) {
  for (double error : {0.0, 0.01}) {
    const auto own = std::make_shared<ScaledTanh>(error);
    Network network = make_network({3, 4, 4, 2}, own, own);
    scatter(network, 0.2, 5);
    OwnedSamples<double> samples(network, 37, 1, true);
    const GradientCheck result = check(network, samples, {"weights", "damping"});
    for (const GroupError& group : result.groups) {
      if (error != 0 && group.group.ends_with(".b")) {
        EXPECT_GT(group.error, 0.009) << group.group;
        EXPECT_LT(group.error, 0.011) << group.group;
      } else {
        EXPECT_LT(group.error, kLimit) << group.group;
      }
    }
  }
}

// It has numbers, but none of them is trained, so there is no gradient to collect.
class FrozenTanh final : public ActivationOf<FrozenTanh> {
 public:
  std::string_view name() const override { return "frozen-tanh"; }
  std::vector<ActivationTensor> tensors() const override { return {{"scale", 1, false, -1}}; }
  void initialize(const NeuronTensors<double>& t, const InitialNoise&) const override {
    *t[0] = 0.7;
  }
  std::size_t table_size() const override { return 1; }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& t, T* table) const {
    *table = *t[0];
  }
  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) {
      y[k] = std::tanh(*table * s[k]);
      if (slope) slope[k] = *table * (1 - y[k] * y[k]);
    }
  }
  template <class T>
  void collect_as(const T*, const NeuronTensors<T>& gradient) const {
    ADD_FAILURE() << "nothing is trained, but a gradient is collected at " << gradient[0];
  }
};

TEST(GradientCheck, AnActivationWithConstantsOnlyIsNotAskedForTheirGradient) {
  const auto frozen = std::make_shared<FrozenTanh>();
  Network network = make_network({3, 4, 2}, frozen, frozen);
  scatter(network, 0.2, 5);
  OwnedSamples<double> samples(network, 21, 1);
  const GradientCheck result = check(network, samples, {"weights", "damping"});
  EXPECT_LT(result.worst, kLimit) << worst_group(result);
  EXPECT_EQ(result.groups.size(), 4u);
}

struct NoSlope {
  template <class T>
  static T value(T s) {
    return s;
  }
  template <class T>
  static T slope(T, T) {
    return std::numeric_limits<T>::quiet_NaN();
  }
};
struct InfiniteSlope : NoSlope {
  template <class T>
  static T slope(T, T) {
    return std::numeric_limits<T>::infinity();
  }
};

TEST(GradientCheck, AGradientThatIsNotFiniteDoesNotPass) {
  const auto identity = builtin_activations().at("identity").make({});
  for (const std::shared_ptr<const Activation>& wrong :
       {std::shared_ptr<const Activation>(std::make_shared<FixedActivation<NoSlope>>("none")),
        std::shared_ptr<const Activation>(
            std::make_shared<FixedActivation<InfiniteSlope>>("infinite"))}) {
    Network network = make_network({2, 2, 1}, wrong, identity);
    scatter(network, 0.2, 5);
    OwnedSamples<double> samples(network, 5, 1);
    EXPECT_EQ(check(network, samples, {}).worst, std::numeric_limits<double>::infinity());
  }
}

TEST(GradientCheck, LeavesAKinkByNudgingAndGivesUpWhereThatCannotHelp) {
  const auto relu = builtin_activations().at("relu").make({});
  Network network = make_network({2, 3, 1}, relu, builtin_activations().at("identity").make({}));
  network.initialize(1);
  OwnedSamples<double> samples(network, 9, 1);
  samples.inputs[4] = {0, 0};  // with zero biases every pre-activation is on the kink
  const auto view = std::get<Samples<double>>(samples.view());
  const GradientCheck result = check_gradient(network, view, {});
  EXPECT_GT(result.nudges, 0);
  EXPECT_LT(result.worst, kLimit);
  GradientCheckOptions stubborn;
  stubborn.nudge = 0;
  try {
    check_gradient(network, view, {}, stubborn);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::failed_run);
  }
}

}  // namespace
}  // namespace knotwork
