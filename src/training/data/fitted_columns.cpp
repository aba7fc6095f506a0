// SPDX-License-Identifier: MIT
#include "training/data/fitted_columns.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "training/data/scaled_samples.hpp"

namespace knotwork::training {
namespace {

std::vector<std::string> names_or_numbers(const std::vector<std::string>& names,
                                          std::size_t columns, std::string_view prefix) {
  if (!names.empty()) {
    if (names.size() != columns) {
      fail(ErrorKind::bad_data, "There are {} columns but {} names for them.", columns,
           names.size());
    }
    return names;
  }
  if (prefix == "y" && columns == 1) return {"y"};
  std::vector<std::string> numbered;
  for (std::size_t c = 0; c < columns; ++c) numbered.push_back(fmt::format("{}{}", prefix, c + 1));
  return numbered;
}

void check_unique(std::vector<std::string> names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
    fail(ErrorKind::bad_data, "Two columns are called '{}'; every column needs a name of its own.",
         *twice);
  }
}

std::vector<std::string> target_names(const TrainingData& data) {
  // Of rows that stay in a file there is no view, but they have names.
  const std::size_t count = columns_of(data.targets);
  return names_or_numbers(data.target_names, count > 0 ? count : data.target_names.size(), "y");
}

// Inputs before they are scaled. Predictions of tables find columns by name.
std::vector<InputColumn> inputs_of(const TrainingData& data) {
  const std::size_t count = columns_of(data.inputs);
  if (!data.encoding.empty()) {
    if (data.encoding.size() != count && count > 0) {
      fail(ErrorKind::bad_data, "There are {} inputs, but the encoding has {}.", count,
           data.encoding.size());
    }
    return data.encoding;
  }
  const std::vector<std::string> names = names_or_numbers(data.input_names, count, "x");
  check_unique(names, target_names(data));
  std::vector<InputColumn> inputs;
  for (const std::string& name : names) inputs.emplace_back().column = name;
  return inputs;
}

// Rows that are only scored must be finite too: one NaN would spoil every score.
void check_finite(const AnyMatrixView& view, std::size_t column, const std::string& name,
                  const Rows& rows) {
  for (const auto* part : {&rows.train, &rows.validation, &rows.test}) {
    for (std::size_t row : *part) {
      const double value = element(view, row, column);
      if (!std::isfinite(value)) {
        fail(ErrorKind::bad_data, "The value of column '{}' in row {} is {}; it must be finite.",
             name, row, value);
      }
    }
  }
}

void check_classes(const TrainingData& data, const std::string& target, const Rows& rows) {
  if (columns_of(data.targets) != 1 || data.classes.size() < 2) {
    fail(ErrorKind::bad_data,
         "There are {} targets and {} classes; classes need one target, and at least two of them.",
         columns_of(data.targets), data.classes.size());
  }
  check_unique(data.classes, {});
  for (const auto* part : {&rows.train, &rows.validation, &rows.test}) {
    for (std::size_t row : *part) {
      const double number = element(data.targets, row, 0);
      if (number >= 0 && number < static_cast<double>(data.classes.size()) &&
          number == std::floor(number)) {
        continue;
      }
      fail(ErrorKind::bad_data,
           "The target '{}' of row {} is {}; it must be the number of a class, from 0 to {}.",
           target, row, number, data.classes.size() - 1);
    }
  }
}

// Numbers at the ends of double's range: their differences overflow, or they have no scale although
// they vary. Those of an input say nothing then, but a target would be trained on as it is.
void check_spread(const TargetColumn& target, double low, double high) {
  const double half = high / 2 - low / 2;
  constexpr double kUsual = 1e100, kTooFar = std::numeric_limits<double>::max() / 8;
  const bool has_scale = target.scaling.is_identity() || target.scaling.scale != 1;
  if ((has_scale && half < kTooFar) || (half > 1 / kUsual && half < kUsual)) return;
  const bool far = half > 1;
  fail(ErrorKind::bad_data,
       "The target '{}' reaches from {} to {}, which is too {} to be computed with; {} it by a "
       "power of "
       "ten.",
       target.column, low, high, far ? "far" : "little", far ? "divide" : "multiply");
}

std::vector<std::string> described(const std::vector<InputColumn>& inputs) {
  std::vector<std::string> names;
  for (const InputColumn& input : inputs) {
    names.push_back(input.column);
    if (input.kind == InputKind::category) names.back() += " = " + input.category;
    if (input.kind == InputKind::missing) names.back() += " missing";
  }
  return names;
}

// Names the first that differs.
void check_same(std::string_view what, const std::vector<std::string>& model,
                const std::vector<std::string>& data) {
  const auto [mine, other] = std::mismatch(model.begin(), model.end(), data.begin(), data.end());
  if (mine == model.end() && other == data.end()) return;
  fail(ErrorKind::bad_data,
       "The {} {} of the model to start from is '{}', but that of the data is '{}'; both need the "
       "same columns.",
       what, mine - model.begin() + 1, mine == model.end() ? "" : *mine,
       other == data.end() ? "" : *other);
}

}  // namespace

std::vector<InputColumn> fit_inputs(const TrainingData& data, const Rows& rows,
                                    const TrainOptions& options) {
  std::vector<InputColumn> inputs = inputs_of(data);
  for (std::size_t c = 0; c < inputs.size(); ++c) {
    InputColumn& input = inputs[c];
    check_finite(data.inputs, c, input.column, rows);
    const std::vector<double> values = column_values(data.inputs, c, rows.fitted());
    if (input.kind != InputKind::numeric) {
      // One that never varies here would speak through a weight that nothing trained.
      const Scaling range = fit_scaling(ScalingKind::range, values, ColumnRole::input);
      if (range.scale == 0) input.scaling = range;
      continue;
    }
    input.scaling = fit_scaling(options.scale_inputs, values, ColumnRole::input, options.input_low,
                                options.input_high, rows.fitted());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    input.low = *low;
    input.high = *high;
  }
  return inputs;
}

std::vector<TargetColumn> fit_targets(const TrainingData& data, const Rows& rows,
                                      const TrainOptions& options) {
  std::vector<TargetColumn> targets;
  for (const std::string& name : target_names(data)) {
    const std::size_t c = targets.size();
    check_finite(data.targets, c, name, rows);
    if (!data.classes.empty()) check_classes(data, name, rows);
    const std::vector<double> values = column_values(data.targets, c, rows.fitted());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const ScalingKind kind = data.classes.empty() ? options.scale_target : ScalingKind::none;
    targets.push_back(fitted_target(
        data, c, *low, *high,
        fit_scaling(kind, values, ColumnRole::target, options.target_low, options.target_high),
        options));
  }
  return targets;
}

TargetColumn fitted_target(const TrainingData& data, std::size_t target, double low, double high,
                           const Scaling& scaling, const TrainOptions& options) {
  TargetColumn fitted{target_names(data)[target]};
  if (low == high) {
    fail(ErrorKind::bad_data,
         "The target '{}' is {} in every row to train on; there is nothing to learn.",
         fitted.column, low);
  }
  if (!data.classes.empty()) {
    fitted.classes = data.classes;
    return fitted;
  }
  fitted.scaling = scaling;
  check_spread(fitted, low, high);
  if (predicts_quantiles(options)) fitted.quantiles = options.quantiles;
  return fitted;
}

void check_quantiles(const Model& start, const TrainOptions& options) {
  for (const TargetColumn& target : start.targets) {
    const bool wanted = predicts_quantiles(options), there = !target.quantiles.empty();
    if (wanted == there && (!there || target.quantiles == options.quantiles)) continue;
    if (there) {
      fail(ErrorKind::bad_option,
           "The model to go on from predicts the quantiles {} of '{}'; the loss must be quantile, "
           "and quantiles the same.",
           fmt::join(target.quantiles, ", "), target.column);
    }
    fail(ErrorKind::bad_option,
         "The loss is quantile, but the model to go on from predicts no quantiles of '{}'.",
         target.column);
  }
}

void check_same_columns(const Model& start, const TrainingData& data) {
  std::vector<std::string> start_targets;
  for (const TargetColumn& target : start.targets) start_targets.push_back(target.column);
  check_same("input", described(start.inputs), described(inputs_of(data)));
  check_same("target", start_targets, target_names(data));
  check_same("class", start.targets.front().classes, data.classes);
}

void check_columns(const Model& start, const TrainingData& data, const Rows& rows) {
  check_same_columns(start, data);
  const std::vector<InputColumn> inputs = inputs_of(data);
  const std::vector<std::string> targets = target_names(data);
  for (std::size_t c = 0; c < inputs.size(); ++c) {
    check_finite(data.inputs, c, inputs[c].column, rows);
  }
  for (std::size_t c = 0; c < targets.size(); ++c) {
    check_finite(data.targets, c, targets[c], rows);
  }
}

}  // namespace knotwork::training
