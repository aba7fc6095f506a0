// SPDX-License-Identifier: MIT
#include <knotwork/knots.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/fail.hpp"
#include "network/single_layer.hpp"
#include "parallel/watched_work.hpp"

namespace knotwork {
namespace {

constexpr double kLowQuantile = 0.005, kHighQuantile = 0.995;
constexpr double kMargin = 0.05;         // share of the distance of the quantiles, at either end
constexpr double kOneValue = 1e-4;       // a spread below this share of the value counts as 0
constexpr double kNarrowest = 1.0 / 10;  // share of the initial range of the splines

// Interpolates between the neighbors in sorted order.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

// Knots that cover these inputs; empty if all inputs are equal.
std::optional<Knots> knots_for(std::vector<double> received, std::size_t count, double narrowest) {
  std::erase_if(received, [](double s) { return !std::isfinite(s); });
  if (received.empty()) return std::nullopt;
  std::sort(received.begin(), received.end());
  const double largest = std::max(std::fabs(received.front()), std::fabs(received.back()));
  if (!(received.back() - received.front() > kOneValue * largest)) return std::nullopt;
  double low = quantile(received, kLowQuantile), high = quantile(received, kHighQuantile);
  const double middle = std::midpoint(low, high);
  const double half = std::max((0.5 + kMargin) * (high - low), narrowest / 2);
  low = middle - half;
  high = middle + half;
  const double step = (high - low) / static_cast<double>(count - 3);
  const Knots knots{low - step, step, count};
  // Near the largest doubles there are no numbers between the knots.
  if (!std::isfinite(step) || !std::isfinite(knots.first) || !(knots.at(1) > knots.first)) {
    return std::nullopt;
  }
  return knots;
}

// The knots of a bank fit its inputs from the start, and layers that share a curve move it once.
bool has_knots_to_move(const Network& network, std::size_t layer) {
  return SplineLayer::has_splines(network, layer) &&
         network.layers()[layer].kind == LayerKind::dense && network.owner_of(layer) == layer;
}

SplineLayer::Curve moved(const SplineLayer& layer, std::size_t curve, const Knots& knots,
                         CurveState state) {
  const auto points = layer.control_points(curve), anchor = layer.anchor(curve);
  if (state == CurveState::learned) {
    const Knots old = layer.knots(curve);
    return {knots, refitted(layer.basis(), layer.tails(), old, points, knots),
            refitted(layer.basis(), layer.tails(), old, anchor, knots)};
  }
  const std::string& init = std::get<std::string>(layer.settings().at("init"));
  SplineLayer::Curve result{
      knots, {}, fit_control_points(layer.basis(), knots, initial_functions().at(init))};
  result.control_points = result.anchor;
  for (std::size_t k = 0; k < points.size(); ++k) {  // the noise
    result.control_points[k] += points[k] - anchor[k];
  }
  return result;
}

void fit_layer(Network& network, std::size_t l, std::span<const double> sums, std::size_t rows,
               FitRange which, CurveState state, const Monitor* monitor) {
  const SplineLayer layer(network, l);
  const double narrowest = 2 * std::get<double>(layer.settings().at("range")) * kNarrowest;
  const bool together = which == FitRange::layer || layer.curves() == 1;
  std::optional<Knots> common;
  if (together) {
    common = knots_for({sums.begin(), sums.end()}, layer.knots(0).count, narrowest);
  }
  for (std::size_t curve = 0; curve < layer.curves(); ++curve) {
    parallel::check_stop(monitor);
    std::optional<Knots> knots = common;
    if (!together) {
      const auto own = sums.subspan(curve * rows, rows);
      knots = knots_for({own.begin(), own.end()}, layer.knots(curve).count, narrowest);
    }
    if (knots) SplineLayer::set(network, l, curve, moved(layer, curve, *knots, state));
  }
}

bool is_shared(const Network& network, std::size_t layer) {
  return network.layers()[layer].sharing == Sharing::network;
}

// What a layer of a network gives for all rows, column by column. The rows are evaluated in pieces;
// between two pieces the monitor is asked whether to stop.
std::vector<double> layer_values(const Network& network, std::size_t layer, LayerEnd end,
                                 MatrixView<const double> inputs, std::size_t threads,
                                 const Monitor* monitor) {
  constexpr std::size_t kPiece = 1024;
  const auto rows_of = [](auto view, std::size_t first, std::size_t count) {
    view.data += first * view.row_stride;
    view.rows = count;
    return view;
  };
  const Network part = single_layer(network, layer, end);
  std::vector<double> values(inputs.rows * part.outputs());
  const auto outputs = column_major(std::span<double>(values), inputs.rows, part.outputs());
  for (std::size_t first = 0; first < inputs.rows; first += kPiece) {
    parallel::check_stop(monitor);
    const std::size_t count = std::min(kPiece, inputs.rows - first);
    evaluate(part, rows_of(inputs, first, count), rows_of(outputs, first, count), threads);
  }
  return values;
}

// The outputs of the first layers, moved forward layer by layer.
class LayerOutputs {
 public:
  explicit LayerOutputs(MatrixView<const double> inputs) : view_(inputs) {}

  MatrixView<const double> view() const { return view_; }
  void pass(const Network& network, std::size_t layer, std::size_t threads,
            const Monitor* monitor) {
    values_ = layer_values(network, layer, LayerEnd::outputs, view_, threads, monitor);
    view_ = column_major(std::span<const double>(values_), view_.rows,
                         network.layers()[layer].outputs);
  }

 private:
  MatrixView<const double> view_;
  std::vector<double> values_;
};

}  // namespace

void fit_range(Network& network, MatrixView<const double> inputs, FitRange which, CurveState state,
               std::size_t threads, const Monitor* monitor) {
  if (which == FitRange::none) return;
  if (inputs.rows == 0) fail(ErrorKind::bad_data, "There are no rows to fit ranges to.");
  const std::size_t layers = network.layers().size();
  LayerOutputs received(inputs);
  for (std::size_t l = 0; l < layers; ++l) {
    if (has_knots_to_move(network, l)) {
      // A curve that layers share moves once, to what all of them receive before it moves.
      std::size_t last = l;
      for (std::size_t user = l + 1; is_shared(network, l) && user < layers; ++user) {
        if (network.owner_of(user) == l) last = user;
      }
      LayerOutputs ahead(received.view());
      std::vector<double> sums;
      for (std::size_t user = l; user <= last; ++user) {
        if (network.owner_of(user) == l) {
          const std::vector<double> own =
              layer_values(network, user, LayerEnd::sums, ahead.view(), threads, monitor);
          sums.insert(sums.end(), own.begin(), own.end());
        }
        if (user < last) ahead.pass(network, user, threads, monitor);
      }
      fit_layer(network, l, sums, inputs.rows, which, state, monitor);
    }
    if (l + 1 < layers) received.pass(network, l, threads, monitor);
  }
}

Network with_half_step(const Network& network) {
  std::vector<Layer> layers = network.layers();
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (!SplineLayer::has_splines(network, l) || layers[l].kind == LayerKind::bank) continue;
    Settings settings = layers[l].activation->settings();
    double& knots = std::get<double>(settings.at("knots"));
    knots = 2 * knots - 3;
    layers[l].activation = builtin_activations().at("spline").make(settings);
  }
  Network finer(std::move(layers));
  for (const TensorInfo& tensor : finer.tensors()) {
    const auto values = network.values(network.tensor(tensor.name));
    if (values.size() == tensor.size) {
      std::copy(values.begin(), values.end(), finer.values(tensor).begin());
    }
  }
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    if (!has_knots_to_move(network, l)) continue;
    const SplineLayer layer(network, l);
    for (std::size_t curve = 0; curve < layer.curves(); ++curve) {
      const Knots knots = layer.knots(curve);
      SplineLayer::set(finer, l, curve,
                       {halved(knots), halved(layer.basis(), knots, layer.control_points(curve)),
                        halved(layer.basis(), knots, layer.anchor(curve))});
    }
  }
  return finer;
}

}  // namespace knotwork
