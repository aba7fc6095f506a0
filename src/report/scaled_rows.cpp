// SPDX-License-Identifier: MIT
#include "report/scaled_rows.hpp"

#include <numeric>

#include "base/fail.hpp"

namespace knotwork {

ScaledRows::ScaledRows(const Model& model, const Table& table, std::span<const std::size_t> rows)
    : model_(model), encoded_(table, model.inputs), rows_(rows.begin(), rows.end()) {
  if (rows_.empty()) {
    rows_.resize(encoded_.rows());
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
  }
  for (std::size_t row : rows_) {
    if (row < encoded_.rows()) continue;
    fail(ErrorKind::bad_data, "Row {} is asked for, but {} has only {} rows, numbered from 0.", row,
         table.source, encoded_.rows());
  }
}

void ScaledRows::fill(std::size_t first, std::size_t n, std::vector<double>& inputs) const {
  inputs.resize(n * model_.inputs.size());
  for (std::size_t c = 0; c < model_.inputs.size(); ++c) {
    for (std::size_t k = 0; k < n; ++k) {
      inputs[c * n + k] = model_.inputs[c].scaling.apply(encoded_(rows_[first + k], c));
    }
  }
}

}  // namespace knotwork
