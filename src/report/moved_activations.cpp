// SPDX-License-Identifier: MIT
#include <knotwork/moved_activations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

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

// The splines of one layer of one network.
class SplineLayer {
 public:
  SplineLayer(const Network& network, std::size_t layer)
      : network_(network),
        layer_(layer),
        settings_(network.layers()[layer].activation->settings()) {}

  MovedActivation neuron(std::size_t neuron) const {
    const auto points = numbers("control_points", neuron);
    const Knots knots{numbers("first_knot", neuron).front(), numbers("step", neuron).front(),
                      points.size()};
    MovedActivation moved;
    moved.layer = layer_;
    moved.neuron = neuron;
    moved.learned = sample(spline(knots, points));
    moved.initial = sample(spline(knots, numbers("anchor", neuron)));
    moved.distance = distance(moved.learned, moved.initial);
    for (std::size_t k = 0; k < points.size(); ++k) {
      moved.control_points.push_back({knots.at(k), points[k]});
    }
    return moved;
  }

 private:
  std::vector<double> numbers(const char* name, std::size_t neuron) const {
    const TensorInfo& tensor =
        network_.tensor(fmt::format("layers.{}.activation.{}", layer_, name));
    const std::size_t each = tensor.size / tensor.shape[0];
    const auto all = network_.values(tensor).subspan(neuron * each, each);
    return {all.begin(), all.end()};
  }

  Spline spline(const Knots& knots, std::vector<double> points) const {
    const auto tension = settings_.find("tension");
    return {spline_basis(std::get<std::string>(settings_.at("basis")),
                         tension == settings_.end() ? 0 : std::get<double>(tension->second)),
            tails_from_name(std::get<std::string>(settings_.at("tails"))), knots,
            std::move(points)};
  }

  const Network& network_;
  std::size_t layer_;
  Settings settings_;
};

}  // namespace

std::vector<MovedActivation> moved_activations(const Model& model, std::size_t most) {
  std::vector<MovedActivation> all;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      if (network.layers()[l].activation->name() != "spline") continue;
      const SplineLayer splines(network, l);
      for (std::size_t neuron = 0; neuron < network.own_activations(l); ++neuron) {
        all.push_back(splines.neuron(neuron));
        all.back().member = m;
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
