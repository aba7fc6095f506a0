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

#include "network/test_networks.hpp"

#include <knotwork/export_model.hpp>
#include <knotwork/matrix_view.hpp>
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

inline InputColumn date(std::string column, DatePart part, double fill = kNaN, Scaling scaling = {}) {
  InputColumn input{.column = std::move(column), .kind = InputKind::date, .part = part};
  input.fill = fill;
  input.low = date_part(part, -5e8);
  input.high = date_part(part, 2e9);
  input.scaling = std::move(scaling);
  return input;
}

using Levels = std::shared_ptr<const std::vector<std::string>>;

inline Levels levels_of(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return std::make_shared<const std::vector<std::string>>(std::move(texts));
}
// The mean of a target, or the frequency if there is no target.
inline InputColumn text_value(std::string column, const Levels& levels, std::string target,
                              ScalingKind scaling = ScalingKind::standard) {
  InputColumn input{.column = std::move(column),
                    .kind = target.empty() ? InputKind::frequency : InputKind::target_mean,
                    .category = std::move(target),
                    .fill = 11.5,
                    .low = -3,
                    .high = 15,
                    .scaling = scaling_of(scaling),
                    .levels = levels,
                    .unseen = scaling == ScalingKind::standard ? 12.25 : 0.5};
  for (std::size_t k = 0; k < levels->size(); ++k) {
    input.values.push_back(std::sin(static_cast<double>(k)) * 3 + input.unseen);
  }
  return input;
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

inline Levels tricky_levels() {
  return levels_of({"Z", "a", "a b", "ab", "\"quoted\"", "back\\slash", "question ?\?/", "*/", "\t",
                    "\xC3\xA9", "\xC3\xA9t\xC3\xA9", "7", "\x7F"});
}

// Moments at which a calendar may go wrong: around 1970, leap days, centuries, ends of years.
inline Rows difficult_moments(std::size_t columns, std::size_t place) {
  Rows rows;
  for (const double seconds :
       {0.0, -1.0, 1.0, -86400.0, -86401.0, 86399.0, 951782400.0, 951868800.0, 1709208000.0,
        -2203891200.0, -2203977600.0, 4107542400.0, 978307199.0, 978307200.0, -62135596800.0,
        253402300799.0, -62167219200.0, -62167219201.0, -9.5e11, 9.5e11, -2e12, 2e12}) {
    rows.emplace_back(columns, 0.5)[place] = seconds;
  }
  return rows;
}

inline std::vector<Case> date_and_level_cases() {
  const auto tanh = activation("tanh");
  const Scaling days{.kind = ScalingKind::standard, .offset = 11000, .scale = 1e-4, .quantiles = {}};
  Scaling years{.kind = ScalingKind::quantile, .offset = 0, .scale = 1, .quantiles = {}};
  for (int year = 1900; year <= 2080; year += 9) years.quantiles.push_back(year);
  const std::vector<InputColumn> parts = {date("sold", DatePart::elapsed, 9000.5, days),
                                          date("sold", DatePart::year, 1994, years),
                                          date("sold", DatePart::month_sin, 0),
                                          date("sold", DatePart::month_cos, 0),
                                          date("sold", DatePart::weekday_sin, 0),
                                          date("sold", DatePart::weekday_cos, 0),
                                          date("sold", DatePart::hour_sin, 0),
                                          date("sold", DatePart::hour_cos, 0),
                                          {.column = "sold", .kind = InputKind::missing}};
  const auto network = [&](std::size_t inputs) {
    return std::vector<Layer>{dense(inputs, 5, tanh), dense(5, 1, activation("spline"))};
  };
  std::vector<Case> cases;
  cases.push_back({"dates", model_of(network(9), parts, {plain_target("y")}),
                   difficult_moments(1, 0)});
  // Another order of the inputs, and columns in between.
  const Levels texts = tricky_levels(), with_empty = levels_of({"", "b", "c"});
  const std::vector<InputColumn> mixed = {text_value("model", texts, "y"),
                                          date("seen", DatePart::hour_cos),
                                          text_value("model", texts, "z", ScalingKind::uniform),
                                          category("colour", "z"),
                                          category("colour", "a"),
                                          number("size", ScalingKind::quantile, 0.25),
                                          parts[3],
                                          text_value("model", texts, "", ScalingKind::none),
                                          date("seen", DatePart::elapsed, kNaN, days),
                                          text_value("place", with_empty, "", ScalingKind::quantile),
                                          parts[8],
                                          parts[1]};
  cases.push_back({"dates_and_many_texts",
                   model_of(network(mixed.size()), mixed, {plain_target("y")}, 2)});
  Scaling times{.kind = ScalingKind::uniform, .offset = 0, .scale = 1, .quantiles = {}};
  for (int k = 0; k < 50; ++k) times.quantiles.push_back(19000 + k * (0.001 + 1e-5 * k));
  cases.push_back({"times_that_float_does_not_tell_apart",
                   model_of({dense(1, 3, tanh), dense(3, 1, tanh)},
                            {date("at", DatePart::elapsed, kNaN, times)}, {plain_target("y")})});
  for (int k = 0; k < 60; ++k) {
    cases.back().rows.push_back({std::floor(19000 * 86400.0 + k * (100.0 + k))});
  }
  return cases;
}

inline bool reads_dates(const Model& model) {
  const ExportColumns columns = export_columns(model);
  return std::any_of(columns.columns.begin(), columns.columns.end(),
                     [](const ExportColumn& column) { return column.date; });
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
