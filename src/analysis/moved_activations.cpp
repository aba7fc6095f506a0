// SPDX-License-Identifier: MIT
#include <knotwork/neurons.hpp>

#include <algorithm>

#include "analysis/curve_distance.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/knots.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {

using namespace analysis;

namespace {

MovedActivation describe(const SplineLayer& layer, std::size_t neuron) {
  const std::size_t curve = layer.curve_of(neuron);
  const Knots knots = layer.knots(curve);
  const auto points = layer.control_points(curve), anchor = layer.anchor(curve);
  MovedActivation moved;
  moved.neuron = neuron;
  moved.learned = drawn_curve(layer.spline(curve));
  moved.initial =
      drawn_curve(Spline(layer.basis(), layer.tails(), knots, {anchor.begin(), anchor.end()}));
  moved.distance = curve_distance(moved.learned, moved.initial);
  for (std::size_t k = 0; k < points.size(); ++k) {
    moved.control_points.push_back({knots.at(k), points[k]});
  }
  return moved;
}

}  // namespace

std::vector<MovedActivation> moved_activations(const Model& model, std::size_t most,
                                               Monitor* monitor) {
  double neurons = 0;
  for (const Network& network : model.members) {
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      if (!SplineLayer::has_splines(network, l)) continue;
      neurons += static_cast<double>(network.own_activations(l));
    }
  }
  parallel::WatchedWork work(monitor, Phase::explaining, neurons);
  std::vector<MovedActivation> all;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      if (!SplineLayer::has_splines(network, l)) continue;
      const SplineLayer splines(network, l);
      for (std::size_t neuron = 0; neuron < network.own_activations(l); ++neuron) {
        all.push_back(describe(splines, neuron));
        all.back().member = m;
        all.back().layer = l;
        work.advance();
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
