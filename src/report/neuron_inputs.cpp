// SPDX-License-Identifier: MIT
#include <knotwork/neuron_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/fail.hpp"
#include "network/first_layers.hpp"
#include "report/scaled_rows.hpp"

#include <knotwork/network.hpp>

namespace knotwork {
namespace {

// visit(neuron, s) for the outputs of a network, chunk by chunk.
template <class Visit>
void for_each_output(const ScaledRows& rows, const Network& network, const Visit& visit) {
  std::vector<double> outputs;
  rows.for_each_chunk([&](std::size_t n, MatrixView<const double> inputs) {
    outputs.resize(n * network.outputs());
    evaluate(network, inputs, column_major(std::span<double>(outputs), n, network.outputs()));
    for (std::size_t k = 0; k < outputs.size(); ++k) visit(k / n, outputs[k]);
  });
}

struct Limits {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

// Room for edges that are all different.
Limits with_room(const Limits& limits) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kLeast = 1e-9;  // of the value
  const double middle = std::midpoint(limits.low, limits.high);
  const double least = std::max(std::abs(middle) * kLeast, 1e-300);
  if (limits.high - limits.low > least) return limits;
  const double half = std::max(0.5, least);
  return {std::max(middle - half, -kLargest), std::min(middle + half, kLargest)};
}

InputHistogram empty_histogram(Limits limits, std::size_t bins) {
  if (!(limits.low <= limits.high)) limits = {0, 0};
  limits = with_room(limits);
  InputHistogram histogram;
  for (std::size_t k = 0; k <= bins; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(bins);
    histogram.edges.push_back(std::lerp(limits.low, limits.high, share));
  }
  histogram.counts.assign(bins, 0.0);
  return histogram;
}

// Found among the edges and not computed: high - low may be more than the largest double.
void count(InputHistogram& histogram, double s) {
  const auto first = histogram.edges.begin() + 1, last = histogram.edges.end() - 1;
  histogram.counts[static_cast<std::size_t>(std::upper_bound(first, last, s) - first)] += 1;
}

}  // namespace

std::vector<NeuronInputs> neuron_inputs(const Model& model, const Table& table,
                                        std::span<const std::size_t> rows, std::size_t bins) {
  if (bins == 0) fail(ErrorKind::bad_option, "A histogram needs at least 1 bin, not 0.");
  const ScaledRows source(model, table, rows);
  std::vector<NeuronInputs> all;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      const Network part = first_layers(network, l, LayerEnd::sums);
      std::vector<Limits> limits(part.outputs());
      for_each_output(source, part, [&](std::size_t neuron, double s) {
        if (!std::isfinite(s)) return;
        limits[neuron] = {std::min(limits[neuron].low, s), std::max(limits[neuron].high, s)};
      });
      const std::size_t first = all.size();
      for (std::size_t neuron = 0; neuron < part.outputs(); ++neuron) {
        all.push_back({m, l, neuron, empty_histogram(limits[neuron], bins)});
      }
      for_each_output(source, part, [&](std::size_t neuron, double s) {
        if (std::isfinite(s)) count(all[first + neuron].received, s);
      });
    }
  }
  return all;
}

}  // namespace knotwork
