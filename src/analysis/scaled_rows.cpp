// SPDX-License-Identifier: MIT
#include "analysis/scaled_rows.hpp"

#include "analysis/chosen_rows.hpp"
#include "network/single_layer.hpp"

namespace knotwork::analysis {

ScaledRows::ScaledRows(const Model& model, const Table& table, std::span<const std::size_t> rows)
    : model_(model), encoded_(table, model.inputs), rows_(chosen_rows(table, rows)) {}

void ScaledRows::fill(std::size_t first, std::size_t n, std::vector<double>& inputs) const {
  inputs.resize(n * model_.inputs.size());
  for (std::size_t c = 0; c < model_.inputs.size(); ++c) {
    for (std::size_t k = 0; k < n; ++k) {
      inputs[c * n + k] = model_.inputs[c].scaling.apply(encoded_(rows_[first + k], c));
    }
  }
}

std::vector<ScaledRows::LayerParts> ScaledRows::parts_of(const Network& network) {
  std::vector<LayerParts> parts;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    parts.push_back({single_layer(network, l, LayerEnd::sums),
                     single_layer(network, l, LayerEnd::outputs)});
  }
  return parts;
}

void ScaledRows::evaluate_part(const Network& part, std::span<const double> inputs, std::size_t n,
                               std::size_t threads, std::vector<double>& values) {
  values.resize(n * part.outputs());
  evaluate(part, column_major(inputs, n, part.inputs()),
           column_major(std::span<double>(values), n, part.outputs()), threads);
}

}  // namespace knotwork::analysis
