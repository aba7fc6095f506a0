// SPDX-License-Identifier: MIT
#include <knotwork/neuron_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/fail.hpp"

#include <knotwork/encoding.hpp>
#include <knotwork/network.hpp>

namespace knotwork {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

// The layers up to `last`, whose activation is left out: its outputs are what the neurons receive.
Network cut_after(const Network& network, std::size_t last) {
  std::vector<Layer> layers(network.layers().begin(),
                            network.layers().begin() + static_cast<std::ptrdiff_t>(last) + 1);
  layers.back().activation = builtin_activations().at("identity").make({});
  layers.back().residual = false;
  layers.back().sharing = Sharing::neuron;
  Network part(std::move(layers));
  for (const TensorInfo& tensor : part.tensors()) {
    const auto values = network.values(network.tensor(tensor.name));
    std::copy(values.begin(), values.end(), part.values(tensor).begin());
  }
  return part;
}

class Rows {
 public:
  Rows(const Model& model, const Table& table, std::span<const std::size_t> rows)
      : model_(model), encoded_(table, model.inputs), rows_(rows.begin(), rows.end()) {
    if (rows_.empty()) {
      rows_.resize(encoded_.rows());
      std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    }
    for (std::size_t row : rows_) {
      if (row < encoded_.rows()) continue;
      fail(ErrorKind::bad_data, "Row {} is asked for, but {} has only {} rows, numbered from 0.",
           row, table.source, encoded_.rows());
    }
  }

  // visit(neuron, s) for the outputs of a network, chunk by chunk.
  template <class Visit>
  void for_each_output(const Network& network, const Visit& visit) const {
    std::vector<double> inputs, outputs;
    for (std::size_t first = 0; first < rows_.size(); first += kRowsAtOnce) {
      const std::size_t n = std::min(kRowsAtOnce, rows_.size() - first);
      inputs.resize(n * model_.inputs.size());
      outputs.resize(n * network.outputs());
      for (std::size_t c = 0; c < model_.inputs.size(); ++c) {
        for (std::size_t k = 0; k < n; ++k) {
          inputs[c * n + k] = model_.inputs[c].scaling.apply(encoded_(rows_[first + k], c));
        }
      }
      evaluate(network, column_major(std::span<const double>(inputs), n, model_.inputs.size()),
               column_major(std::span<double>(outputs), n, network.outputs()));
      for (std::size_t k = 0; k < outputs.size(); ++k) visit(k / n, outputs[k]);
    }
  }

 private:
  const Model& model_;
  EncodedTable encoded_;
  std::vector<std::size_t> rows_;
};

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
  const Rows source(model, table, rows);
  std::vector<NeuronInputs> all;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      const Network part = cut_after(network, l);
      std::vector<Limits> limits(part.outputs());
      source.for_each_output(part, [&](std::size_t neuron, double s) {
        if (!std::isfinite(s)) return;
        limits[neuron] = {std::min(limits[neuron].low, s), std::max(limits[neuron].high, s)};
      });
      const std::size_t first = all.size();
      for (std::size_t neuron = 0; neuron < part.outputs(); ++neuron) {
        all.push_back({m, l, neuron, empty_histogram(limits[neuron], bins)});
      }
      source.for_each_output(part, [&](std::size_t neuron, double s) {
        if (std::isfinite(s)) count(all[first + neuron].received, s);
      });
    }
  }
  return all;
}

}  // namespace knotwork
