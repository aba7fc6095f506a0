// SPDX-License-Identifier: MIT
#include "tests/reproducibility/differences.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/instruction_set.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/random.hpp>

namespace knotwork {
namespace {

constexpr std::size_t kRows = 1500;  // more than a leaf, and not a whole number of blocks

struct Evaluation {
  double value = 0;
  std::vector<double> gradient;
};

// Two to four inputs, one or two hidden layers and one output; cycles through the activations of
// the table.
Network random_network(std::uint64_t number) {
  const Random random(number, Purpose::weights);
  const std::vector<std::string> names = builtin_activations().names();
  const auto activation = [&](std::uint64_t k) {
    return builtin_activations().at(names[k % names.size()]).make({});
  };
  std::vector<Layer> layers;
  std::size_t inputs = 2 + random.below(3, 0);
  for (std::uint64_t l = 0; l < 1 + random.below(2, 1); ++l) {
    const std::size_t outputs = 3 + random.below(14, 2 + l);
    layers.push_back({inputs, outputs, activation(number + 5 * l)});
    inputs = outputs;
  }
  layers.push_back({inputs, 1, activation(0)});
  Network network(layers);
  network.initialize(number);
  return network;
}

template <class T>
Evaluation evaluate(const Network& network, std::uint64_t number) {
  const Random random(number, Purpose::builtin_inputs);
  std::vector<T> inputs(kRows * network.inputs()), targets(kRows);
  for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k] = static_cast<T>(random.normal(k));
  for (std::size_t k = 0; k < kRows; ++k) {
    targets[k] = static_cast<T>(random.normal(inputs.size() + k));
  }
  Samples<T> samples;
  samples.inputs = column_major(std::span<const T>(inputs), kRows, network.inputs());
  samples.targets = column_major(std::span<const T>(targets), kRows, 1);
  Objective objective(network, samples, {});
  Evaluation evaluation;
  evaluation.gradient.resize(objective.size());
  evaluation.value = objective.evaluate(network.parameters(), evaluation.gradient);
  return evaluation;
}

Evaluation evaluate_on(const std::string& set, std::uint64_t number, Precision precision) {
  pin_instruction_set(set);
  const Network network = random_network(number);
  return precision == Precision::float64 ? evaluate<double>(network, number)
                                         : evaluate<float>(network, number);
}

}  // namespace

Difference difference_between(const std::string& set, const std::string& other,
                              Precision precision) {
  Difference largest;
  for (std::uint64_t number = 0; number < kComparedNetworks; ++number) {
    const Evaluation a = evaluate_on(set, number, precision);
    const Evaluation b = evaluate_on(other, number, precision);
    double apart = 0, norm = 0;
    for (std::size_t k = 0; k < a.gradient.size(); ++k) {
      apart += (a.gradient[k] - b.gradient[k]) * (a.gradient[k] - b.gradient[k]);
      norm += b.gradient[k] * b.gradient[k];
    }
    largest.value = std::max(largest.value, std::fabs(a.value - b.value) / std::fabs(b.value));
    largest.gradient = std::max(largest.gradient, std::sqrt(apart / norm));
  }
  pin_instruction_set(instruction_sets().front());
  return largest;
}

}  // namespace knotwork
