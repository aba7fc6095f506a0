// SPDX-License-Identifier: MIT
#include "options/option_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "options/optimizer_traits.hpp"

#include <knotwork/activation.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

using Options = TrainOptions;

// True if a hidden layer, or else the output layer, has an activation with this property.
template <class IsSo>
bool any_layer(const Options& o, const IsSo& is_so) {
  if (!o.hidden.empty() && is_so(o.activation)) return true;
  if (o.output_activation == "same") return is_so(o.activation);
  if (o.output_activation != "auto") return is_so(o.output_activation);
  return is_so(o.activation == "spline" ? "spline" : "identity");
}

bool is_trained(const Options& o, const std::string& activation) {
  const ActivationTable& table = o.activations ? *o.activations : builtin_activations();
  const ActivationEntry* entry = table.find(activation);
  if (!entry) return false;
  const auto tensors = entry->make({})->tensors();
  return std::any_of(tensors.begin(), tensors.end(), [](const auto& t) { return t.anchors >= 0; });
}

}  // namespace

std::string without_splines(const Options& o) {
  const auto is_spline = [](const std::string& name) { return name == "spline"; };
  return any_layer(o, is_spline) ? "" : "no layer has splines";
}
std::string without_any_splines(const Options& o) {
  return o.input_splines > 0 ? "" : without_splines(o);
}
std::string without_shared_activations(const Options& o) {
  const auto is_shared = [&](const std::string& name) {
    return name == o.activation && is_trained(o, name);
  };
  return any_layer(o, is_shared) ? "" : "no hidden layer has splines or other trained activations";
}
std::string without_trained_activations(const Options& o) {
  if (o.input_splines > 0) return "";
  const auto is_damped = [&](const std::string& name) { return is_trained(o, name); };
  return any_layer(o, is_damped) ? "" : "no layer has splines or other trained activations";
}
std::string without_tension(const Options& o) {
  const SplineBasis* basis = spline_bases().find(o.spline.basis);
  if (basis && !basis->with_tension) return "only the basis 'cardinal' has a tension";
  return without_any_splines(o);
}
std::string without_rate(const Options& o) {
  if (optimizer_has(o, &OptimizerEntry::has_rate)) return "";
  return fmt::format("only {} have a rate", optimizers_with(&OptimizerEntry::has_rate));
}
std::string without_memory(const Options& o) {
  if (optimizer_has(o, &OptimizerEntry::has_memory)) return "";
  return fmt::format("only {} has a memory", optimizers_with(&OptimizerEntry::has_memory));
}
std::string without_validation(const Options& o) {
  return o.validation_fraction > 0 ? "" : "there is no validation part (validation-fraction)";
}
std::string with_path(const Options& o) {
  return o.warm_path.empty() ? "" : "warm-path gives its values";
}
std::string with_path_q(const Options& o) {
  return o.warm_path_q.empty() ? without_trained_activations(o) : "warm-path-q gives its values";
}
std::string without_input_splines(const Options& o) {
  return o.input_splines > 0 ? "" : "there are no input splines (input-splines)";
}
// The penalty's reason without its schedule.
std::string without_what_is_scheduled(const Options& o) {
  TrainOptions unscheduled = o;
  unscheduled.penalty_schedule.clear();
  unscheduled.warm_path.clear();
  unscheduled.warm_path_q.clear();
  for (const PenaltyCourse& course : o.penalty_schedule) {
    for (const TrainOptionField& field : train_option_fields()) {
      if (field.name != course.option) continue;
      const std::string reason = field.unused_because(unscheduled);
      if (!reason.empty()) return fmt::format("it changes {}, but {}", course.option, reason);
    }
  }
  return "";
}

std::string without_curves_to_order(const Options& o) {
  return o.monotone_in.empty() ? without_any_splines(o) : "monotone-in implies it";
}

std::string without_hidden(const Options& o) {
  return o.hidden.empty() ? "there is no hidden layer" : "";
}

std::string without_quantiles(const Options& o) {
  return predicts_quantiles(o) ? "" : "the loss is not quantile";
}
std::function<std::string(const Options&)> without_loss(const std::string& loss) {
  return [loss](const Options& o) {
    return o.loss == loss ? std::string() : fmt::format("the loss is not {}", loss);
  };
}

}  // namespace knotwork
