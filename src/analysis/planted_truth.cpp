// SPDX-License-Identifier: MIT
#include "analysis/planted_truth.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "analysis/curve_distance.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/knots.hpp>

namespace knotwork::analysis {
namespace {

constexpr double kLeastCosine = 0.9;
constexpr double kLeastExplained = 0.5;

bool is_linear(const InputColumn& input) {
  return input.kind == InputKind::numeric && input.scaling.quantiles.empty();
}

// For each input of the model its index in `planted`; nothing if the inputs are different.
std::optional<std::vector<std::size_t>> planted_inputs(const Model& model) {
  const Table planted = make_builtin("planted", 1);
  const std::span<const std::string> names(planted.names);
  const auto inputs = names.first(names.size() - 1);
  if (model.inputs.size() != inputs.size() || model.targets.size() != 1 || model.classifies() ||
      model.targets.front().column != names.back()) {
    return std::nullopt;
  }
  // Other tables have these column names too.
  const std::string& data = model.training.data;
  if (!data.empty() && data.find("planted") == std::string::npos) return std::nullopt;
  std::vector<std::size_t> places;
  for (const InputColumn& input : model.inputs) {
    const auto found = std::find(inputs.begin(), inputs.end(), input.column);
    if (found == inputs.end() || !is_linear(input)) return std::nullopt;
    const auto place = static_cast<std::size_t>(found - inputs.begin());
    if (std::find(places.begin(), places.end(), place) != places.end()) return std::nullopt;
    places.push_back(place);
  }
  return places;
}

// The projection that a neuron receives: s = length (direction . x) + bias, with x as in `planted`.
struct Projection {
  std::vector<double> direction;
  double length = 0, bias = 0;

  double cosine(const PlantedCurve& planted) const {
    double sum = 0;
    for (std::size_t i = 0; i < direction.size(); ++i) sum += direction[i] * planted.projection[i];
    return sum;
  }
};

Projection projection_of(const Model& model, const Network& network, std::size_t neuron,
                         std::span<const std::size_t> places) {
  const std::size_t inputs = network.inputs();
  const auto weights = network.values(network.tensor("layers.0.weight")).subspan(neuron * inputs);
  Projection result;
  result.direction.resize(inputs);
  result.bias = network.values(network.tensor("layers.0.bias"))[neuron];
  double squares = 0;
  for (std::size_t i = 0; i < inputs; ++i) {
    const Scaling& scaling = model.inputs[i].scaling;
    const double factor = scaling.is_identity() ? weights[i] : weights[i] * scaling.scale;
    if (!scaling.is_identity()) result.bias -= factor * scaling.offset;
    result.direction[places[i]] = factor;
    squares += factor * factor;
  }
  result.length = std::sqrt(squares);
  for (double& factor : result.direction) factor /= result.length;
  return result;
}

// a f + d at the points of `learned`; empty if it explains too little of that curve. The places z
// of `planted` are N(0, 1), and points are weighted by this density, because training determines
// the learned curve only where rows are.
FigurePoints laid_over(const FigurePoints& learned, const PlantedCurve& planted,
                       const Projection& projection, double cosine) {
  FigurePoints truth;
  std::vector<double> density;
  double sum = 0, f_mean = 0, y_mean = 0;
  for (const FigurePoint& point : learned) {
    const double z = std::copysign(1.0, cosine) * (point.x - projection.bias) / projection.length;
    truth.push_back({point.x, planted.curve(z)});
    density.push_back(std::exp(-0.5 * z * z));
    sum += density.back();
    f_mean += density.back() * truth.back().y;
    y_mean += density.back() * point.y;
  }
  if (!(sum > 0)) return {};
  f_mean /= sum;
  y_mean /= sum;
  double variance = 0, covariance = 0, y_variance = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const double off = truth[k].y - f_mean, y_off = learned[k].y - y_mean;
    variance += density[k] * off * off;
    covariance += density[k] * off * y_off;
    y_variance += density[k] * y_off * y_off;
  }
  if (!(variance > 0 && y_variance > 0)) return {};
  const double a = covariance / variance;
  if (!(a * covariance >= kLeastExplained * y_variance)) return {};
  for (FigurePoint& point : truth) point.y = a * (point.y - f_mean) + y_mean;
  return truth;
}

std::optional<FoundCurve> find_curve(const FigurePoints& learned, const Projection& projection) {
  if (!(projection.length > 0)) return std::nullopt;
  const auto& curves = planted_curves();
  const auto farther = [&](const PlantedCurve& a, const PlantedCurve& b) {
    return std::fabs(projection.cosine(a)) < std::fabs(projection.cosine(b));
  };
  const PlantedCurve& closest = *std::max_element(curves.begin(), curves.end(), farther);
  FoundCurve found;
  found.name = closest.name;
  found.cosine = projection.cosine(closest);
  if (!(std::fabs(found.cosine) >= kLeastCosine)) return std::nullopt;
  found.truth = laid_over(learned, closest, projection, found.cosine);
  if (found.truth.empty()) return std::nullopt;  // another curve, or no rows in its range
  return found;
}

}  // namespace

std::vector<FoundCurve> find_planted(const Model& model) {
  std::vector<FoundCurve> all;
  const auto places = planted_inputs(model);
  if (!places) return all;
  model.check();
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    // After a bank of input splines, neurons do not receive projections of the inputs.
    if (network.layers().front().kind != LayerKind::dense) continue;
    if (!SplineLayer::has_splines(network, 0)) continue;
    const SplineLayer splines(network, 0);
    for (std::size_t neuron = 0; neuron < network.layers().front().outputs; ++neuron) {
      const FigurePoints learned = drawn_curve(splines.spline(splines.curve_of(neuron)));
      auto found = find_curve(learned, projection_of(model, network, neuron, *places));
      if (!found) continue;
      found->member = m;
      found->neuron = neuron;
      all.push_back(*std::move(found));
    }
  }
  return all;
}

}  // namespace knotwork::analysis
