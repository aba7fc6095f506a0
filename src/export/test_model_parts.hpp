// SPDX-License-Identifier: MIT
// This header makes the parts of models for tests of exports.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/test_networks.hpp"

#include <knotwork/export_model.hpp>
#include <knotwork/model.hpp>

namespace knotwork::testing_export {

// Rows as exported C takes them: texts as indices, -1 for others, and dates as seconds; NaN is a
// missing cell.
using Rows = std::vector<std::vector<double>>;

struct Case {
  std::string name;  // an identifier
  Model model;
  Rows rows = {};  // extra rows besides those of rows_for()
};

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Scaling scaling_of(ScalingKind kind) {
  switch (kind) {
    case ScalingKind::none:
      return {};
    case ScalingKind::range:
      return {.kind = kind, .offset = -0.75, .scale = 0.4, .quantiles = {}};
    case ScalingKind::standard:
      return {.kind = kind, .offset = 12.3456789, .scale = 0.37, .quantiles = {}};
    default:
      return {.kind = kind,
              .offset = 0,
              .scale = 1,
              .quantiles = {-3, -2.5, -1, -1, -1, 0.25, 0.75, 2, 4.5, 4.5}};
  }
}

inline InputColumn number(std::string column, ScalingKind kind = ScalingKind::standard,
                          double fill = kNaN) {
  return {
      .column = std::move(column), .fill = fill, .low = -3, .high = 5, .scaling = scaling_of(kind)};
}
inline InputColumn category(std::string column, std::string label) {
  return {.column = std::move(column), .kind = InputKind::category, .category = std::move(label)};
}

inline TargetColumn plain_target(std::string column) {
  return {
      .column = std::move(column),
      .scaling = {.kind = ScalingKind::standard, .offset = -7.25, .scale = 0.3, .quantiles = {}}};
}

inline Layer dense(std::size_t inputs, std::size_t outputs,
                   std::shared_ptr<const Activation> activation) {
  return {inputs, outputs, std::move(activation)};
}

// All numbers random.
inline Model model_of(std::vector<Layer> layers, std::vector<InputColumn> inputs,
                      std::vector<TargetColumn> targets, std::size_t members = 1) {
  // Powers grow fast: a polynomial with large coefficients would be far outside the targets.
  const double spread = layers.front().activation->name() == "polynomial" ? 0.02 : 0.3;
  Model model;
  for (std::size_t m = 0; m < members; ++m) {
    testing_networks::scatter(model.members.emplace_back(layers), 0.3, 5 + m, spread);
  }
  model.inputs = std::move(inputs);
  model.targets = std::move(targets);
  return model;
}

inline std::shared_ptr<const Activation> activation(const std::string& name,
                                                    const Settings& settings = {}) {
  return builtin_activations().at(name).make(settings);
}

inline std::vector<InputColumn> three_numbers() {
  return {number("a"), number("b", ScalingKind::range, 0.5), number("c", ScalingKind::none)};
}

// Three numeric inputs, a hidden layer of that activation, and an output.
inline Model small_model(std::shared_ptr<const Activation> hidden,
                         std::vector<TargetColumn> targets = {plain_target("y")},
                         std::size_t members = 1) {
  Model wanted;
  wanted.targets = targets;
  const std::size_t outputs = wanted.outputs();
  return model_of({dense(3, 4, std::move(hidden)), dense(4, outputs, activation("identity"))},
                  three_numbers(), std::move(targets), members);
}

inline TargetColumn classes(std::size_t count) {
  TargetColumn target{.column = "species"};
  for (std::size_t k = 0; k < count; ++k) target.classes.push_back("class " + std::to_string(k));
  return target;
}

}  // namespace knotwork::testing_export
