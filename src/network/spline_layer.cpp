// SPDX-License-Identifier: MIT
#include <knotwork/knots.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "base/fail.hpp"

namespace knotwork {
namespace {

std::string name_of(std::size_t layer, std::string_view tensor) {
  return fmt::format("layers.{}.activation.{}", layer, tensor);
}

SplineBasis basis_of(const Settings& settings) {
  const auto tension = settings.find("tension");
  return spline_basis(std::get<std::string>(settings.at("basis")),
                      tension == settings.end() ? 0 : std::get<double>(tension->second));
}

// The layer whose tensors contain the splines of this layer.
std::size_t owner_with_splines(const Network& network, std::size_t layer) {
  if (!SplineLayer::has_splines(network, layer)) {
    fail(ErrorKind::bad_option, "Layer {} has no splines: its activation is '{}'.", layer,
         network.layers()[layer].activation->name());
  }
  return network.owner_of(layer);
}

void check_curve(std::size_t curve, std::size_t curves) {
  if (curve < curves) return;
  fail(ErrorKind::bad_option, "There is no curve {}: the layer has {} curves, counted from 0.",
       curve, curves);
}

}  // namespace

bool SplineLayer::has_splines(const Network& network, std::size_t layer) {
  const std::size_t layers = network.layers().size();
  if (layer >= layers) {
    fail(ErrorKind::bad_option, "There is no layer {}: the network has {} layers, counted from 0.",
         layer, layers);
  }
  return network.layers()[layer].activation->name() == "spline";
}

SplineLayer::SplineLayer(const Network& network, std::size_t layer)
    : network_(network),
      layer_(owner_with_splines(network, layer)),
      settings_(network.layers()[layer].activation->settings()),
      basis_(basis_of(settings_)),
      tails_(from_string<Tails>(std::get<std::string>(settings_.at("tails")))) {}

std::size_t SplineLayer::curves() const {
  return network_.tensor(name_of(layer_, "step")).size;
}

std::span<const double> SplineLayer::numbers(std::string_view name, std::size_t curve) const {
  check_curve(curve, curves());
  const TensorInfo& tensor = network_.tensor(name_of(layer_, name));
  const std::size_t each = tensor.size / curves();
  return network_.values(tensor).subspan(curve * each, each);
}

Knots SplineLayer::knots(std::size_t curve) const {
  return {numbers("first_knot", curve).front(), numbers("step", curve).front(),
          control_points(curve).size()};
}

std::span<const double> SplineLayer::control_points(std::size_t curve) const {
  return numbers("control_points", curve);
}

std::span<const double> SplineLayer::anchor(std::size_t curve) const {
  return numbers("anchor", curve);
}

Spline SplineLayer::spline(std::size_t curve) const {
  const auto points = control_points(curve);
  return {basis_, tails_, knots(curve), {points.begin(), points.end()}};
}

void SplineLayer::set(Network& network, std::size_t layer, std::size_t curve,
                      const Curve& numbers) {
  const std::size_t owner = owner_with_splines(network, layer);
  const std::size_t curves = network.tensor(name_of(owner, "step")).size;
  check_curve(curve, curves);
  const std::size_t points = network.tensor(name_of(owner, "control_points")).size / curves;
  for (const std::size_t given :
       {numbers.knots.count, numbers.control_points.size(), numbers.anchor.size()}) {
    if (given == points) continue;
    fail(ErrorKind::bad_option,
         "The curve has {} knots, {} control points and {} anchor points; curves of this layer "
         "have {} of each.",
         numbers.knots.count, numbers.control_points.size(), numbers.anchor.size(), points);
  }
  const auto put = [&](std::string_view name, std::span<const double> values) {
    const TensorInfo& tensor = network.tensor(name_of(owner, name));
    std::copy(values.begin(), values.end(),
              network.values(tensor).subspan(curve * values.size(), values.size()).begin());
  };
  put("first_knot", {&numbers.knots.first, 1});
  put("step", {&numbers.knots.step, 1});
  put("control_points", numbers.control_points);
  put("anchor", numbers.anchor);
}

}  // namespace knotwork
