// SPDX-License-Identifier: MIT
#include <knotwork/neurons.hpp>

#include "analysis/input_histogram.hpp"
#include "analysis/scaled_rows.hpp"
#include "network/first_layers.hpp"

#include <knotwork/network.hpp>

namespace knotwork {

using namespace analysis;

namespace {

// Calls visit(neuron, s) for the outputs of a network, chunk by chunk.
template <class Visit>
void for_each_output(const ScaledRows& rows, const Network& network, parallel::WatchedWork& work,
                     const Visit& visit) {
  std::vector<double> outputs;
  rows.for_each_chunk(1, work, [&](std::size_t n, MatrixView<const double> inputs) {
    outputs.resize(n * network.outputs());
    evaluate(network, inputs, column_major(std::span<double>(outputs), n, network.outputs()));
    for (std::size_t k = 0; k < outputs.size(); ++k) visit(k / n, outputs[k]);
  });
}

}  // namespace

std::vector<NeuronInputs> neuron_inputs(const Model& model, const Table& table,
                                        std::span<const std::size_t> rows, std::size_t bins,
                                        Monitor* monitor) {
  check_bins(bins);
  const ScaledRows source(model, table, rows);
  parallel::WatchedWork work(monitor, Phase::explaining, source.steps(2));
  std::vector<NeuronInputs> all;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      const Network part = first_layers(network, l, LayerEnd::sums);
      std::vector<Limits> limits(part.outputs());
      for_each_output(source, part, work,
                      [&](std::size_t neuron, double s) { limits[neuron].take(s); });
      const std::size_t first = all.size();
      for (std::size_t neuron = 0; neuron < part.outputs(); ++neuron) {
        all.push_back({m, l, neuron, empty_histogram(limits[neuron], bins)});
      }
      for_each_output(source, part, work, [&](std::size_t neuron, double s) {
        count(all[first + neuron].received, s);
      });
    }
  }
  return all;
}

}  // namespace knotwork
