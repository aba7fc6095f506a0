// SPDX-License-Identifier: MIT
// This header contains samples that own their memory, and comparable evaluations, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <list>
#include <vector>

#include "network/test_networks.hpp"

#include <knotwork/objective.hpp>

namespace knotwork::testing_samples {

template <class T>
struct OwnedSamples {
  testing_networks::Table inputs, targets;
  std::vector<T> weights;

  OwnedSamples(const Network& network, std::size_t rows, std::uint64_t seed, bool weighted = false,
               double scale = 1.5)
      : inputs(testing_networks::random_table(rows, network.inputs(), scale, 2 * seed)),
        targets(testing_networks::random_table(rows, network.outputs(), 1, 2 * seed + 1)) {
    const Random random(seed, Purpose::builtin_noise);
    for (std::size_t r = 0; weighted && r < rows; ++r) {
      weights.push_back(static_cast<T>(0.1 + random.uniform(r)));
    }
  }

  std::size_t rows() const { return inputs.size(); }
  // A view of the current numbers; earlier views keep theirs.
  AnySamples view() { return Samples<T>{view_of(inputs), view_of(targets), weights}; }

 private:
  MatrixView<const T> view_of(const testing_networks::Table& table) {
    memory_.push_back(testing_networks::in_columns<T>(table));
    return column_major(std::span<const T>(memory_.back()), rows(), table.front().size());
  }
  std::list<std::vector<T>> memory_;
};

struct Evaluation {
  double value = 0;
  std::vector<double> gradient;
  bool operator==(const Evaluation&) const = default;

  double largest() const {
    double most = 0;
    for (double g : gradient) most = std::max(most, std::fabs(g));
    return most;
  }
  double distance(const Evaluation& other) const {
    double most = 0;
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      most = std::max(most, std::fabs(gradient[k] - other.gradient[k]));
    }
    return most;
  }
};

inline Evaluation evaluate_all(Objective& objective, const Network& at) {
  Evaluation result{0, std::vector<double>(at.parameters().size(), 1e9)};
  result.value = objective.evaluate(at.parameters(), result.gradient);
  return result;
}

inline Evaluation evaluate_one(Objective& objective, std::size_t batch, const Network& at) {
  Evaluation result{0, std::vector<double>(at.parameters().size(), 1e9)};
  result.value = objective.evaluate_batch(batch, at.parameters(), result.gradient);
  return result;
}

}  // namespace knotwork::testing_samples
