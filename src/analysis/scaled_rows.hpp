// SPDX-License-Identifier: MIT
// Rows of a table as inputs of a model's networks, read chunk by chunk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "analysis/chosen_rows.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/network.hpp>

namespace knotwork::analysis {

class ScaledRows {
 public:
  // Keeps references to model and table. No rows given: all rows. Throws bad_data for a row that
  // the table does not have.
  ScaledRows(const Model& model, const Table& table, std::span<const std::size_t> rows);

  std::size_t size() const { return rows_.size(); }

  // Calls visit(layer, n, sums, outputs) for every layer of a network with what its neurons receive
  // and give in n rows, neuron by neuron. Rows come in chunks, and the layers of a chunk one after
  // the other, so that the numbers of one layer are in memory. Each row of each layer is one step
  // of `work`.
  template <class Visit>
  void for_each_layer(const Network& network, std::size_t threads, parallel::WatchedWork& work,
                      const Visit& visit) const {
    const std::size_t most = rows_at_once(network.parameters().size(), threads, 4096);
    const std::vector<LayerParts> parts = parts_of(network);
    std::vector<double> inputs, sums, outputs;
    for (std::size_t first = 0; first < rows_.size(); first += most) {
      const std::size_t n = std::min(most, rows_.size() - first);
      fill(first, n, inputs);
      for (std::size_t l = 0; l < parts.size(); ++l) {
        evaluate_part(parts[l].sums, inputs, n, threads, sums);
        evaluate_part(parts[l].outputs, inputs, n, threads, outputs);
        visit(l, n, std::span<const double>(sums), std::span<const double>(outputs));
        inputs.swap(outputs);
        work.advance(static_cast<double>(n));
      }
    }
  }
  // The number of steps for going through the rows `times` times for each layer of each network.
  double steps(std::size_t times) const {
    std::size_t layers = 0;
    for (const Network& network : model_.members) layers += network.layers().size();
    return static_cast<double>(times * layers * rows_.size());
  }

 private:
  struct LayerParts {
    Network sums, outputs;
  };
  static std::vector<LayerParts> parts_of(const Network& network);
  static void evaluate_part(const Network& part, std::span<const double> inputs, std::size_t n,
                            std::size_t threads, std::vector<double>& values);
  void fill(std::size_t first, std::size_t n, std::vector<double>& inputs) const;

  const Model& model_;
  EncodedTable encoded_;
  std::vector<std::size_t> rows_;
};

}  // namespace knotwork::analysis
