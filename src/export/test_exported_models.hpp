// SPDX-License-Identifier: MIT
// This header makes a model of every kind that can be exported, and rows to test them with.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "export/test_date_models.hpp"
#include "export/test_model_parts.hpp"

#include <knotwork/export_model.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/model.hpp>

namespace knotwork::testing_export {

inline std::vector<Case> curve_cases() {
  std::vector<Case> cases;
  for (const std::string& basis : spline_bases().names()) {
    for (const Tails tails : {Tails::linear, Tails::constant}) {
      SplineOptions options;
      options.basis = basis;
      options.tails = tails;
      options.knots = 9;
      options.tension = basis == "cardinal" ? 0.3 : 0;
      std::string name = "spline_" + basis + "_" + std::string(to_string(tails));
      for (char& c : name) c = c == '-' ? '_' : c;
      cases.push_back({name, small_model(make_spline_activation(options))});
    }
  }
  SplineOptions fewest;
  fewest.knots = 4;
  cases.push_back({"one_span", small_model(make_spline_activation(fewest))});
  return cases;
}

inline std::vector<Case> activation_cases() {
  std::vector<Case> cases;
  for (const ActivationEntry& entry : builtin_activations().entries()) {
    std::string name = "activation_" + entry.name;
    for (char& c : name) c = c == '-' ? '_' : c;
    cases.push_back({name, small_model(entry.make({}))});
  }
  return cases;
}

inline std::vector<Case> input_cases() {
  std::vector<Case> cases;
  const auto tanh = activation("tanh");
  for (const std::string& kind : names<ScalingKind>()) {
    std::vector<InputColumn> inputs = {number("a", from_string<ScalingKind>(kind)),
                                       number("b", from_string<ScalingKind>(kind), 1.5)};
    cases.push_back({"scaling_" + kind, model_of({dense(2, 4, tanh), dense(4, 1, tanh)}, inputs,
                                                 {plain_target("y")})});
  }
  InputColumn constant = number("constant", ScalingKind::quantile);
  constant.scaling.quantiles = {3};
  cases.push_back({"scaling_of_a_constant",
                   model_of({dense(2, 1, tanh)}, {constant, number("a")}, {plain_target("y")})});
  InputColumn never = category("colour", "white");
  never.scaling = {.kind = ScalingKind::range, .offset = 0, .scale = 0, .quantiles = {}};
  cases.push_back(
      {"texts_and_missing_cells", model_of({dense(9, 5, activation("spline")), dense(5, 1, tanh)},
                                           {category("colour", "blue"),
                                            category("colour", "green /* */"),
                                            category("colour", "red"),
                                            never,
                                            number("size", ScalingKind::quantile, -0.5),
                                            {.column = "size", .kind = InputKind::missing},
                                            {.column = "only missing", .kind = InputKind::missing},
                                            category("shape ?\?/", "\xC3\xA9 round"),
                                            number("weight", ScalingKind::uniform)},
                                           {plain_target("y")})});
  return cases;
}

inline std::vector<Case> structure_cases() {
  const auto spline = activation("spline", {{"knots", 7.0}}), tanh = activation("tanh");
  std::vector<Case> cases;
  cases.push_back(
      {"one_layer", model_of({dense(3, 1, spline)}, three_numbers(), {plain_target("y")})});
  Layer bank{3, 6, spline, LayerKind::bank};
  cases.push_back({"input_splines", model_of({bank, dense(6, 4, spline), dense(4, 1, tanh)},
                                             three_numbers(), {plain_target("y")}, 2)});
  Layer idle{3, 3, activation("identity"), LayerKind::bank};
  cases.push_back({"identity_bank",
                   model_of({idle, dense(3, 1, tanh)}, three_numbers(), {plain_target("y")}, 2)});
  Layer narrow{3, 3, activation("rational"), LayerKind::bank, false, Sharing::layer};
  cases.push_back(
      {"shared_bank", model_of({narrow, dense(3, 1, tanh)}, three_numbers(), {plain_target("y")})});
  Layer residual = dense(4, 4, spline);
  residual.residual = true;
  cases.push_back({"residual", model_of({dense(3, 4, tanh), residual, residual, dense(4, 1, tanh)},
                                        three_numbers(), {plain_target("y")})});
  Layer shared = dense(4, 4, spline), first = dense(3, 4, spline), last = dense(4, 1, spline);
  shared.sharing = Sharing::layer;
  cases.push_back({"shared_by_layers",
                   model_of({first, shared, last}, three_numbers(), {plain_target("y")}, 2)});
  first.sharing = shared.sharing = last.sharing = Sharing::network;
  cases.push_back({"shared_by_the_network",
                   model_of({first, shared, last}, three_numbers(), {plain_target("y")})});
  Layer kafs = dense(4, 4, activation("kaf")), hinges = dense(4, 4, activation("apl"));
  kafs.sharing = hinges.sharing = Sharing::layer;
  cases.push_back({"shared_rivals", model_of({dense(3, 4, tanh), kafs, hinges, dense(4, 1, tanh)},
                                             three_numbers(), {plain_target("y")})});
  return cases;
}

inline std::vector<Case> output_cases() {
  const auto spline = activation("spline");
  TargetColumn quantiles = plain_target("y");
  quantiles.quantiles = {0.05, 0.5, 0.95};
  TargetColumn single = plain_target("z");
  single.quantiles = {0.9};
  std::vector<Case> cases;
  cases.push_back({"ensemble", small_model(spline, {plain_target("y")}, 3)});
  cases.push_back({"quantiles", small_model(spline, {quantiles}, 2)});
  cases.push_back({"several_targets",
                   small_model(spline, {TargetColumn{.column = "unscaled"}, quantiles, single})});
  cases.push_back({"two_classes", small_model(spline, {classes(2)})});
  cases.push_back({"two_classes_ensemble", small_model(spline, {classes(2)}, 2)});
  cases.push_back({"three_classes", small_model(spline, {classes(3)})});
  cases.push_back({"three_classes_ensemble", small_model(spline, {classes(3)}, 2)});
  return cases;
}

inline std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (auto* cases : {curve_cases, activation_cases, input_cases, date_and_level_cases,
                      structure_cases, output_cases}) {
    for (Case& one : cases()) all.push_back(std::move(one));
  }
  // The same models trained in float.
  for (const char* name : {"input_splines", "texts_and_missing_cells", "dates_and_many_texts",
                           "three_classes_ensemble"}) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].name != name) continue;
      Case single = all[k];
      single.name += "_in_float";
      single.model.precision = Precision::float32;
      all.push_back(std::move(single));
      break;
    }
  }
  return all;
}

// Rows inside and outside the range of the scalings, with some cells missing where allowed; all
// numbers are exact in float. Some dates have fractions of seconds.
inline Rows rows_for(const Model& model, std::size_t count) {
  const ExportColumns columns = export_columns(model);
  const Random random(11, Purpose::builtin_inputs);
  Rows rows(count);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < columns.columns.size(); ++c) {
      const ExportColumn& column = columns.columns[c];
      const std::uint64_t index = r * columns.columns.size() + c;
      const bool missing = random.below(5, 1000 + index) == 0 && column.may_be_missing();
      if (column.text) {
        const auto kind = random.below(column.texts().size(), index);
        rows[r].push_back(missing ? (r % 2 == 0 ? -1 : kNaN) : static_cast<double>(kind));
      } else if (column.date) {
        const double seconds = std::round(4e9 * random.normal(index)) / 4;
        rows[r].push_back(missing ? kNaN : seconds);
      } else {
        const auto cell = static_cast<float>(1 + 4 * random.normal(index));
        // Includes ties of the quantiles.
        rows[r].push_back(missing ? kNaN : r % 7 == 3 ? -1 : static_cast<double>(cell));
      }
    }
  }
  return rows;
}

// The inputs of the network for a row, before scaling.
inline std::vector<double> encoded(const Model& model, const std::vector<double>& row) {
  const ExportColumns columns = export_columns(model);
  std::vector<double> inputs;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const InputColumn& input = model.inputs[i];
    const double cell = row[columns.inputs[i].column];
    if (input.kind == InputKind::category) {
      inputs.push_back(cell == static_cast<double>(columns.inputs[i].category));
    } else if (input.has_levels()) {
      const bool known = cell >= 0 && cell < static_cast<double>(input.values.size());
      inputs.push_back(std::isnan(cell) ? input.fill
                       : known          ? input.values[static_cast<std::size_t>(cell)]
                                        : input.unseen);
    } else if (input.kind == InputKind::date) {
      inputs.push_back(std::isnan(cell) ? input.fill : date_part(input.part, cell));
    } else if (input.kind == InputKind::missing) {
      inputs.push_back(std::isnan(cell));
    } else {
      inputs.push_back(std::isnan(cell) ? input.fill : cell);
    }
  }
  return inputs;
}

// What the model predicts, row after row.
inline Rows predicted(const Model& model, const Rows& rows) {
  Rows result;
  for (const std::vector<double>& row : rows) {
    const std::vector<double> inputs = encoded(model, row);
    std::vector<double>& prediction = result.emplace_back(model.predictions());
    model.predict(row_major(std::span<const double>(inputs), 1, inputs.size()),
                  row_major(std::span<double>(prediction), 1, prediction.size()));
  }
  return result;
}

// For each prediction, the size of one standard deviation of its target.
inline std::vector<double> deviations(const Model& model) {
  std::vector<double> all;
  for (const TargetColumn& target : model.targets) {
    all.insert(all.end(), target.predictions(), 1 / target.scaling.scale);
  }
  return all;
}

}  // namespace knotwork::testing_export
