// SPDX-License-Identifier: MIT
#include "analysis/scaled_rows.hpp"

#include "analysis/chosen_rows.hpp"

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

}  // namespace knotwork::analysis
