// SPDX-License-Identifier: MIT
#include "report/model/neuron_reports.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/curve_distance.hpp"
#include "analysis/planted_truth.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/knots.hpp>
#include <knotwork/neurons.hpp>

namespace knotwork::report {
namespace {

constexpr double kUsualRange = 3;     // of activations without a range of their own
constexpr std::size_t kPoints = 121;  // in a curve
constexpr std::size_t kHistogramBins = 40;

// phi at many places, in double precision.
std::vector<double> values_at(const Network& network, const NeuronReport& neuron,
                              const FigurePoints& places) {
  const Activation& activation = *network.layers()[neuron.layer].activation;
  std::vector<double> table(activation.table_size());
  activation.prepare(network.activation_tensors(neuron.layer, neuron.neuron, network.parameters()),
                     table.data());
  std::vector<double> s, y(places.size());
  for (const FigurePoint& place : places) s.push_back(place.x);
  activation.forward(table.data(), s.data(), y.data(), nullptr, s.size());
  return y;
}

FigurePoints curve_at(const Network& network, const NeuronReport& neuron, FigurePoints places) {
  const std::vector<double> y = values_at(network, neuron, places);
  for (std::size_t k = 0; k < y.size(); ++k) places[k].y = y[k];
  return places;
}

// The network with its initial activations.
Network with_initial_activations(Network network) {
  for (const TensorInfo& tensor : network.tensors()) {
    if (tensor.anchor < 0) continue;
    const auto anchor = network.values(network.tensors()[static_cast<std::size_t>(tensor.anchor)]);
    const auto values = network.values(tensor);
    std::copy(anchor.begin(), anchor.end(), values.begin());
  }
  return network;
}

struct Range {
  double low, high;
};

FigurePoints places_of(const Range& range) {
  FigurePoints places;
  for (std::size_t k = 0; k < kPoints; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(kPoints - 1);
    places.push_back({std::lerp(range.low, range.high, share), 0});
  }
  return places;
}

// The range in which a curve is drawn; a usual range for activations without knots.
Range own_range(const Network& network, const NeuronReport& neuron) {
  if (!SplineLayer::has_splines(network, neuron.layer)) return {-kUsualRange, kUsualRange};
  const SplineLayer splines(network, neuron.layer);
  const Knots knots = splines.knots(splines.curve_of(neuron.neuron));
  return {knots.drawn_begin(), knots.drawn_end()};
}

// Inputs far outside would compress the important part of the curve, so the range is extended by at
// most half its width on either side.
Range shown_range(const Network& network, const NeuronReport& neuron) {
  const Range own = own_range(network, neuron);
  if (neuron.received.edges.empty()) return own;
  const double low = neuron.received.edges.front(), high = neuron.received.edges.back();
  const double most = (own.high - own.low) / 2;
  if (SplineLayer::has_splines(network, neuron.layer)) {
    return {std::clamp(low, own.low - most, own.low), std::clamp(high, own.high, own.high + most)};
  }
  return low < high ? Range{low, high} : own;
}

// Over the neuron's own range, so that the result does not depend on rows.
double moved(const Network& network, const Network& start, const NeuronReport& neuron) {
  const FigurePoints places = places_of(own_range(network, neuron));
  return analysis::curve_distance(curve_at(network, neuron, places),
                                  curve_at(start, neuron, places));
}

bool learns(const Network& network, std::size_t layer) {
  const auto tensors = network.layers()[layer].activation->tensors();
  return std::any_of(tensors.begin(), tensors.end(),
                     [](const ActivationTensor& tensor) { return tensor.trained; });
}

// The weight of each place: the number of rows in its bin.
std::vector<double> weights_of(const FigurePoints& places, const InputHistogram& received) {
  std::vector<double> weights;
  if (received.counts.empty()) return weights;
  for (const FigurePoint& place : places) {
    const auto edge = std::upper_bound(received.edges.begin(), received.edges.end(), place.x);
    const auto bin = static_cast<std::size_t>(edge - received.edges.begin());
    weights.push_back(bin >= 1 && bin <= received.counts.size() ? received.counts[bin - 1] : 0);
  }
  return weights;
}

// Adds the counts of `one` to the counts of `all`, whose bins cover `one`: each bin is divided by
// overlap.
void add_counts(InputHistogram& all, const InputHistogram& one) {
  for (std::size_t i = 0; i < one.counts.size(); ++i) {
    const double low = one.edges[i], high = one.edges[i + 1];
    for (std::size_t k = 0; k < all.counts.size(); ++k) {
      const double overlap = std::min(high, all.edges[k + 1]) - std::max(low, all.edges[k]);
      if (overlap > 0) all.counts[k] += one.counts[i] * (overlap / (high - low));
    }
  }
}

InputHistogram merged(const std::vector<const InputHistogram*>& parts) {
  if (parts.size() == 1) return *parts.front();
  double low = parts.front()->edges.front(), high = parts.front()->edges.back();
  for (const InputHistogram* part : parts) {
    low = std::min(low, part->edges.front());
    high = std::max(high, part->edges.back());
  }
  InputHistogram all;
  for (std::size_t k = 0; k <= kHistogramBins; ++k) {
    all.edges.push_back(
        std::lerp(low, high, static_cast<double>(k) / static_cast<double>(kHistogramBins)));
  }
  all.counts.assign(kHistogramBins, 0);
  for (const InputHistogram* part : parts) add_counts(all, *part);
  return all;
}

bool has_activation_of(const Network& network, std::size_t layer, std::size_t neuron,
                       const NeuronReport& shown) {
  return network.owner_of(layer) == shown.layer &&
         network.activation_of(layer, neuron) == shown.neuron;
}

}  // namespace

NeuronSelection select_neurons(const Model& model, std::size_t most, const Monitor* monitor) {
  NeuronSelection selection;
  std::vector<NeuronReport>& neurons = selection.neurons;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    const Network start = with_initial_activations(network);
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      if (!learns(network, l)) continue;
      for (std::size_t neuron = 0; neuron < network.own_activations(l); ++neuron) {
        parallel::check_stop(monitor);
        NeuronReport& one = neurons.emplace_back();
        one.member = m;
        one.layer = l;
        one.neuron = neuron;
        one.activation = network.layers()[l].activation->name();
        one.moved = moved(network, start, one);
      }
    }
  }
  selection.in_all = neurons.size();
  if (neurons.size() <= most) return selection;
  std::vector<std::size_t> order(neurons.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return neurons[a].moved > neurons[b].moved;
  });
  order.resize(most);
  std::sort(order.begin(), order.end());
  std::vector<NeuronReport> farthest;
  for (const std::size_t k : order) farthest.push_back(std::move(neurons[k]));
  neurons = std::move(farthest);
  return selection;
}

void add_use(std::vector<NeuronReport>& neurons, const Model& model, const Table& table,
             std::span<const std::size_t> rows, std::size_t threads, Monitor* monitor) {
  parallel::PartMonitor first(monitor, Phase::explaining, 0, 0.7);
  parallel::PartMonitor second(monitor, Phase::explaining, 0.7, 1);
  const std::vector<NeuronInputs> inputs =
      neuron_inputs(model, table, rows, kHistogramBins, &first);
  const std::vector<LayerUse> uses = knot_use(model, table, rows, threads, &second);
  // If no neuron's input varies, the rows are alike, which says nothing about single neurons.
  const bool rows_vary = std::any_of(uses.begin(), uses.end(), [](const LayerUse& use) {
    return std::any_of(use.neurons.begin(), use.neurons.end(),
                       [](const NeuronUse& own) { return !own.dead; });
  });
  for (NeuronReport& one : neurons) {
    parallel::check_stop(monitor);
    const Network& network = model.members[one.member];
    std::vector<const InputHistogram*> parts;
    for (const NeuronInputs& input : inputs) {
      if (input.member == one.member &&
          has_activation_of(network, input.layer, input.neuron, one)) {
        parts.push_back(&input.received);
      }
    }
    one.received = merged(parts);
    one.dead = rows_vary;
    for (const LayerUse& use : uses) {
      if (use.member != one.member) continue;
      for (std::size_t n = 0; n < use.neurons.size(); ++n) {
        if (!has_activation_of(network, use.layer, n, one)) continue;
        const NeuronUse& own = use.neurons[n];
        one.left_tail += own.left_tail / static_cast<double>(parts.size());
        one.right_tail += own.right_tail / static_cast<double>(parts.size());
        one.dead = one.dead && own.dead;
        one.untouched = parts.size() == 1 ? own.untouched : use.untouched;
      }
    }
  }
}

void add_curves(std::vector<NeuronReport>& neurons, const Model& model, Monitor* monitor) {
  parallel::WatchedWork work(monitor, Phase::explaining, static_cast<double>(neurons.size()));
  std::vector<Network> starts;
  for (const Network& network : model.members) starts.push_back(with_initial_activations(network));
  for (NeuronReport& one : neurons) {
    const Network& network = model.members[one.member];
    const FigurePoints places = places_of(shown_range(network, one));
    one.learned = curve_at(network, one, places);
    one.initial = curve_at(starts[one.member], one, places);
    one.closest = closest_function(one.learned, weights_of(places, one.received));
    work.advance();
    if (!SplineLayer::has_splines(network, one.layer)) continue;
    const SplineLayer splines(network, one.layer);
    const std::size_t curve = splines.curve_of(one.neuron);
    const auto points = splines.control_points(curve);
    for (std::size_t k = 0; k < points.size(); ++k) {
      one.control_points.push_back({splines.knots(curve).at(k), points[k]});
    }
  }
}

std::vector<SnapshotTimes> add_courses(std::vector<NeuronReport>& neurons, const Model& model,
                                       const Monitor* monitor) {
  const Summary& summary = model.training;
  std::vector<SnapshotTimes> times;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    SnapshotTimes own{m, {}};
    for (const Snapshot& snapshot : summary.snapshots) {
      if (snapshot.member != m) continue;
      parallel::check_stop(monitor);
      own.iterations.push_back(snapshot.iteration);
      for (NeuronReport& one : neurons) {
        if (one.member == m) one.course.push_back(values_at(snapshot.network, one, one.learned));
      }
    }
    if (!own.iterations.empty()) times.push_back(std::move(own));
  }
  return times;
}

void add_truth(std::vector<NeuronReport>& neurons, const Model& model) {
  for (analysis::FoundCurve& found : analysis::find_planted(model)) {
    for (NeuronReport& one : neurons) {
      if (one.member != found.member || one.layer != found.layer || one.neuron != found.neuron) {
        continue;
      }
      one.truth = std::move(found.truth);
      // Without inputs there is no closest function.
      if (!one.received.edges.empty()) {
        std::erase_if(one.truth, [&](const FigurePoint& point) {
          return point.x < one.received.edges.front() || point.x > one.received.edges.back();
        });
      }
      one.truth_name = found.name;
    }
  }
}

}  // namespace knotwork::report
