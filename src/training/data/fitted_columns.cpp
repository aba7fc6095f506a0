// SPDX-License-Identifier: MIT
#include "training/data/fitted_columns.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"

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

// Refuses targets near the limits of double: their differences overflow, or they have no scale
// although they vary. (An input of this kind is ignored; a target would be trained on unscaled.)
void check_spread(const TargetColumn& target, double low, double high) {
  const double half = high / 2 - low / 2;
  constexpr double kUsual = 1e100, kTooFar = std::numeric_limits<double>::max() / 8;
  const bool has_scale = target.scaling.is_identity() || target.scaling.scale != 1;
  if ((has_scale && half < kTooFar) || (half > 1 / kUsual && half < kUsual)) return;
  const bool far = half > 1;
  fail(ErrorKind::bad_data,
       "The range of target '{}', from {} to {}, is too {} to compute with; {} the target by a "
       "power of ten.",
       target.column, low, high, far ? "wide" : "narrow", far ? "divide" : "multiply");
}

std::vector<std::string> described(const std::vector<InputColumn>& inputs) {
  std::vector<std::string> names;
  for (const InputColumn& input : inputs) {
    names.push_back(input.name());
  }
  return names;
}

// Throws with the name of the first column that differs.
void check_same(std::string_view what, const std::vector<std::string>& model,
                const std::vector<std::string>& data) {
  const auto [mine, other] = std::mismatch(model.begin(), model.end(), data.begin(), data.end());
  if (mine == model.end() && other == data.end()) return;
  fail(ErrorKind::bad_data,
       "The {} {} of the model to start from is '{}', but the data has '{}'; both need the same "
       "columns.",
       what, mine - model.begin() + 1, mine == model.end() ? "" : *mine,
       other == data.end() ? "" : *other);
}

}  // namespace

std::vector<std::string> target_names(const RowDescription& rows) {
  return names_or_numbers(rows.target_names, rows.target_count, "y");
}

// Predictions for tables find columns by name.
std::vector<InputColumn> unscaled_inputs(const RowDescription& rows) {
  if (!rows.encoding.empty()) return rows.encoding;
  const std::vector<std::string> names = names_or_numbers(rows.input_names, rows.input_count, "x");
  check_unique(names, target_names(rows));
  std::vector<InputColumn> inputs;
  for (const std::string& name : names) inputs.emplace_back().column = name;
  return inputs;
}

TargetColumn fitted_target(const RowDescription& rows, std::size_t target, double low, double high,
                           const Scaling& scaling, const TrainOptions& options) {
  TargetColumn fitted{target_names(rows)[target]};
  if (low == high) {
    fail(ErrorKind::bad_data,
         "The target '{}' is {} in every training row; there is nothing to learn.", fitted.column,
         low);
  }
  if (!rows.classes.empty()) {
    fitted.classes = rows.classes;
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
           "The model to start from predicts the quantiles {} of '{}'; use the loss quantile with "
           "the same quantiles.",
           fmt::join(target.quantiles, ", "), target.column);
    }
    fail(ErrorKind::bad_option,
         "The loss is quantile, but the model to start from predicts no quantiles of '{}'.",
         target.column);
  }
}

void check_same_columns(const Model& start, const RowDescription& rows) {
  std::vector<std::string> start_targets;
  for (const TargetColumn& target : start.targets) start_targets.push_back(target.column);
  check_same("input", described(start.inputs), described(unscaled_inputs(rows)));
  check_same("target", start_targets, target_names(rows));
  check_same("class", start.targets.front().classes, rows.classes);
}

}  // namespace knotwork::training
