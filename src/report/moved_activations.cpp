// SPDX-License-Identifier: MIT
#include <knotwork/moved_activations.hpp>

#include <algorithm>
#include <cmath>

#include "network/spline_layer.hpp"

#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

constexpr std::size_t kSamplesPerSpan = 8;

FigurePoints sample(const Spline& curve) {
  const Knots& knots = curve.knots();
  const std::size_t steps = kSamplesPerSpan * (knots.count - 3);
  FigurePoints points;
  for (std::size_t k = 0; k <= steps; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(steps);
    const double x = std::lerp(knots.drawn_begin(), knots.drawn_end(), share);
    points.push_back({x, curve.value(x)});
  }
  return points;
}

// Places are evenly spaced, so the trapezoidal mean needs no widths.
double distance(const FigurePoints& learned, const FigurePoints& initial) {
  const auto [low, high] =
      std::minmax_element(initial.begin(), initial.end(),
                          [](const FigurePoint& a, const FigurePoint& b) { return a.y < b.y; });
  double sum = 0;
  for (std::size_t k = 0; k < learned.size(); ++k) {
    const double share = k == 0 || k + 1 == learned.size() ? 0.5 : 1;
    sum += share * std::abs(learned[k].y - initial[k].y);
  }
  const double spread = high->y - low->y;
  return sum / static_cast<double>(learned.size() - 1) / (spread > 0 ? spread : 1);
}

MovedActivation describe(const SplineLayer& layer, std::size_t neuron) {
  const std::size_t curve = layer.curve_of(neuron);
  const Knots knots = layer.knots(curve);
  const auto points = layer.control_points(curve), anchor = layer.anchor(curve);
  MovedActivation moved;
  moved.neuron = neuron;
  moved.learned = sample(layer.spline(curve));
  moved.initial =
      sample(Spline(layer.basis(), layer.tails(), knots, {anchor.begin(), anchor.end()}));
  moved.distance = distance(moved.learned, moved.initial);
  for (std::size_t k = 0; k < points.size(); ++k) {
    moved.control_points.push_back({knots.at(k), points[k]});
  }
  return moved;
}

}  // namespace

std::vector<MovedActivation> moved_activations(const Model& model, std::size_t most) {
  std::vector<MovedActivation> all;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      if (!SplineLayer::is_one(network, l)) continue;
      const SplineLayer splines(network, l);
      for (std::size_t neuron = 0; neuron < network.own_activations(l); ++neuron) {
        all.push_back(describe(splines, neuron));
        all.back().member = m;
        all.back().layer = l;
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const MovedActivation& a, const MovedActivation& b) {
    return a.distance > b.distance;
  });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace knotwork
