// SPDX-License-Identifier: MIT
#include <knotwork/neurons.hpp>

#include "analysis/input_histogram.hpp"
#include "analysis/scaled_rows.hpp"

#include <knotwork/network.hpp>

namespace knotwork {

using namespace analysis;

std::vector<NeuronInputs> neuron_inputs(const Model& model, const Table& table,
                                        std::span<const std::size_t> rows, std::size_t bins,
                                        Monitor* monitor) {
  check_bins(bins);
  const ScaledRows source(model, table, rows);
  parallel::WatchedWork work(monitor, Phase::explaining, source.steps(2));
  std::vector<NeuronInputs> all;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    const std::size_t first = all.size();
    std::vector<std::size_t> first_of_layer;
    std::vector<Limits> limits;
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      first_of_layer.push_back(limits.size());
      limits.resize(limits.size() + network.layers()[l].outputs);
    }
    // Calls visit(neuron, s), where neurons are numbered through all layers.
    const auto for_each_sum = [&](const auto& visit) {
      source.for_each_layer(
          network, 1, work,
          [&](std::size_t l, std::size_t n, std::span<const double> sums, std::span<const double>) {
            for (std::size_t k = 0; k < sums.size(); ++k) visit(first_of_layer[l] + k / n, sums[k]);
          });
    };
    for_each_sum([&](std::size_t neuron, double s) { limits[neuron].take(s); });
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      for (std::size_t neuron = 0; neuron < network.layers()[l].outputs; ++neuron) {
        all.push_back({m, l, neuron, empty_histogram(limits[first_of_layer[l] + neuron], bins)});
      }
    }
    for_each_sum([&](std::size_t neuron, double s) { count(all[first + neuron].received, s); });
  }
  return all;
}

}  // namespace knotwork
