// SPDX-License-Identifier: MIT
#include "export/export_formulas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/exportable.hpp"
#include "export/test_exported_models.hpp"
#include "export/test_number_math.hpp"

#include <knotwork/error.hpp>

namespace knotwork::exporting {
namespace {

using namespace testing_export;

// Every formula equals its activation, for settings of all kinds.
std::vector<std::shared_ptr<const Activation>> exported_activations() {
  std::vector<std::shared_ptr<const Activation>> all;
  for (const ActivationEntry& entry : builtin_activations().entries()) {
    all.push_back(entry.make({}));
  }
  for (const Case& one : curve_cases()) {
    all.push_back(one.model.members[0].layers()[0].activation);
  }
  all.push_back(activation("polynomial", {{"degree", 1.0}, {"range", 1.5}}));
  all.push_back(activation("polynomial", {{"degree", 7.0}}));
  all.push_back(activation("rational", {{"numerator", 1.0}, {"denominator", 1.0}}));
  all.push_back(activation("rational", {{"numerator", 2.0}, {"denominator", 7.0}}));
  all.push_back(activation("apl", {{"hinges", 1.0}}));
  all.push_back(activation("kaf", {{"dictionary", 2.0}, {"range", 1.0}}));
  return all;
}

std::vector<double> places() {
  std::vector<double> all = {kNaN,  kInfinity, -kInfinity, 1e300, -1e300, 1e30, -1e30,
                             -1e-9, 1e-300,    0,          -0.0,  1000,   -1000};
  for (int k = -80; k <= 80; ++k) all.push_back(0.125 * k);
  for (int k = -50; k <= 50; ++k) all.push_back(0.173 * k);
  return all;
}

TEST(Formulas, EveryBuiltInActivationHasOne) {
  for (const std::string& name : builtin_activations().names()) {
    EXPECT_TRUE(has_formula(name))
        << "The activation '" << name << "' cannot be exported: give it a formula in "
        << "src/export/export_formulas.hpp and a place in Formulas there.";
  }
  export_formulas::for_each_formula([](auto formula) {
    EXPECT_THAT(builtin_activations().names(), ::testing::Contains(std::string(formula.kName)));
  });
}

TEST(Formulas, AreWhatTheActivationsCompute) {
  for (const auto& activation : exported_activations()) {
    if (!has_formula(activation->name())) continue;
    for (const double spread : {0.0, 0.4}) {
      Network network({dense(1, 3, activation)});
      testing_networks::scatter(network, 0.1, 3, spread);
      for (std::size_t neuron = 0; neuron < 3; ++neuron) {
        const NeuronTensors<const double> tensors[] = {
            network.activation_tensors(0, neuron, network.parameters())};
        const std::vector<Parameter> parameters = activation_parameters(*activation, tensors);
        NumberMath math(parameters);
        for (const double s : places()) {
          const double there = network.activate(0, neuron, s);
          const double here = apply_formula(math, *activation, s);
          if (std::isfinite(there)) {
            EXPECT_NEAR(here, there, 1e-12 * std::max(1.0, std::fabs(there)))
                << activation->name() << " at " << s;
          } else {
            EXPECT_TRUE(here == there || (std::isnan(here) && std::isnan(there)))
                << activation->name() << " at " << s << ": " << here << ", not " << there;
          }
        }
      }
    }
  }
}

// The parameters of an adaptive activation, a leak and a tail may be 0.
TEST(Formulas, HoldWithParametersOfZero) {
  for (const auto& activation : exported_activations()) {
    Network network({dense(1, 1, activation)});
    network.initialize(1);
    for (const TensorInfo& tensor : network.tensors()) {
      if (!tensor.trained) continue;
      for (double& value : network.values(tensor)) value = 0;
    }
    const std::vector<Parameter> parameters = layer_parameters(network, 0);
    NumberMath math(parameters);
    for (const double s : places()) {
      const double there = network.activate(0, 0, s);
      const double here = apply_formula(math, *activation, s);
      EXPECT_TRUE(here == there || (std::isnan(here) && std::isnan(there)) ||
                  std::fabs(here - there) < 1e-15)
          << activation->name() << " at " << s << ": " << here << ", not " << there;
    }
  }
}

struct Cube {
  template <class T>
  static T value(T s) {
    return s * s * s;
  }
  template <class T>
  static T slope(T s, T) {
    return 3 * s * s;
  }
};

TEST(Formulas, AnActivationOfAProgramsOwnIsRefusedByName) {
  const Model model = small_model(std::make_shared<FixedActivation<Cube>>("cube"));
  try {
    check_exportable(model);
    FAIL() << "It was taken.";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_model);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("layer 1 has the activation 'cube'"));
  }
}

}  // namespace
}  // namespace knotwork::exporting
