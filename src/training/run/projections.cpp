// SPDX-License-Identifier: MIT
#include "training/run/projections.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "features/column_roles.hpp"
#include "network/curves.hpp"
#include "options/optimizer_traits.hpp"
#include "spline/bounded_differences.hpp"

namespace knotwork::training {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool wants_rising_curves(const TrainOptions& options) {
  return options.monotone || !options.monotone_in.empty();
}

// Activations that never fall, or whose curves can be projected to rising ones.
std::vector<std::string> rising_activations(const TrainOptions& options) {
  std::vector<std::string> names;
  const ActivationTable& table = options.activations ? *options.activations : builtin_activations();
  for (const ActivationEntry& entry : table.entries()) {
    const Network network({{1, 1, entry.make({})}});
    const Activation& activation = *network.layers()[0].activation;
    if (activation.never_falls() ||
        activation.curve_shape(network.activation_tensors(0, 0, network.parameters()))) {
      names.push_back(entry.name);
    }
  }
  return names;
}

void check_never_falls(const Network& network, const TrainOptions& options) {
  const std::string& option = options.monotone ? option_field(&TrainOptions::monotone).name
                                               : option_field(&TrainOptions::monotone_in).name;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Activation& activation = *network.layers()[l].activation;
    if (activation.never_falls()) continue;
    const auto shape =
        activation.curve_shape(network.activation_tensors(l, 0, network.parameters()));
    if (!shape) {
      fail(ErrorKind::bad_option, of_option(option),
           "{} needs activations that never fall, but '{}' can fall; use {}.", option,
           activation.name(), name_list(rising_activations(options), "or"));
    }
    if (shape->rises_with_its_points) continue;
    const Settings settings = activation.settings();
    const auto basis = settings.find("basis");
    const auto* name = basis == settings.end() ? nullptr : std::get_if<std::string>(&basis->second);
    fail(ErrorKind::bad_option, of_option(option, option_field(&SplineOptions::basis).name),
         "{} needs a basis whose curves rise with their control points: b-spline or linear, not "
         "'{}'.",
         option, name ? *name : std::string(activation.name()));
  }
}

class Projection final : public ProximalStep {
 public:
  Projection(const Network& network, const TrainOptions& options, const InputSigns& signs)
      : network_(network),
        rising_(wants_rising_curves(options)),
        max_slope_(options.max_slope > 0 ? options.max_slope : kInfinity),
        signs_(signs) {}

  void apply(std::span<double> point, std::span<const double>) const override {
    if (rising_ || max_slope_ < kInfinity) bound_curves(point);
    if (!signs_.empty()) set_signs(point);
  }

 private:
  void bound_curves(std::span<double> point) const {
    for_each_curve(network_, point, [&](const CurveShape& shape, std::size_t first) {
      const double most = max_slope_ * shape.step / shape.slope_factor;
      bound_differences(point.subspan(first, shape.points), rising_ ? 0 : -most, most);
    });
  }

  // Each input of the first dense layer has its own sign, or the units of its bank have; all later
  // weights must not be negative.
  void set_signs(std::span<double> point) const {
    const Layer& front = network_.layers().front();
    const bool bank = front.kind == LayerKind::bank;
    const std::size_t units = bank ? front.outputs / front.inputs : 1;
    for (const TensorInfo& tensor : network_.tensors()) {
      if (tensor.group != ParameterGroup::weight) continue;
      const bool first = tensor.layer == (bank ? 1u : 0u);
      for (std::size_t k = 0; k < tensor.size; ++k) {
        const int sign = first ? signs_[k % tensor.shape[1] / units] : 1;
        double& weight = point[tensor.offset + k];
        if (sign * weight < 0) weight = 0;
      }
    }
  }

  const Network& network_;
  bool rising_;
  double max_slope_;
  InputSigns signs_;
};

}  // namespace

InputSigns input_signs(const Model& model, const TrainOptions& options) {
  if (options.monotone_in.empty()) return {};
  const std::size_t classes = model.targets.front().classes.size();
  if (classes > 2) {
    fail(ErrorKind::bad_option, of_option(option_field(&TrainOptions::monotone_in).name),
         "monotone-in needs predictions that can rise: numbers, or the probability of the second "
         "of two classes, not {} classes.",
         classes);
  }
  InputSigns signs(model.inputs.size(), 0);
  for (const std::string& text : options.monotone_in) {
    // The name of a column can begin with "-".
    const bool as_it_is =
        std::any_of(model.inputs.begin(), model.inputs.end(),
                    [&](const InputColumn& input) { return input.column == text; });
    const bool falls = !as_it_is && text.starts_with('-');
    const std::string column = falls ? text.substr(1) : text;
    signed char& sign = signs[with_option(option_field(&TrainOptions::monotone_in).name, [&] {
      return features::numeric_input(model.inputs, column);
    })];
    if (sign != 0) {
      fail(ErrorKind::bad_option, of_option(option_field(&TrainOptions::monotone_in).name),
           "monotone-in has the column '{}' twice.", column);
    }
    sign = falls ? -1 : 1;
  }
  return signs;
}

std::shared_ptr<const ProximalStep> projection_for(const Network& network,
                                                   const TrainOptions& options,
                                                   const InputSigns& signs) {
  if (wants_rising_curves(options)) check_never_falls(network, options);
  if (!wants_rising_curves(options) && options.max_slope == 0) return nullptr;
  return std::make_shared<Projection>(network, options, signs);
}

}  // namespace knotwork::training
