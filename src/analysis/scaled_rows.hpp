// SPDX-License-Identifier: MIT
// Rows of a table as a model's networks see them, chunk by chunk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/network.hpp>

namespace knotwork::analysis {

class ScaledRows {
 public:
  // Refers to model and table. No rows given: all of them. Throws bad_data for a row that the table
  // does not have.
  ScaledRows(const Model& model, const Table& table, std::span<const std::size_t> rows);

  std::size_t size() const { return rows_.size(); }

  // visit(n, inputs) with the inputs of n rows, column by column.
  template <class Visit>
  void for_each_chunk(const Visit& visit) const {
    constexpr std::size_t kRowsAtOnce = 4096;
    std::vector<double> inputs;
    for (std::size_t first = 0; first < rows_.size(); first += kRowsAtOnce) {
      const std::size_t n = std::min(kRowsAtOnce, rows_.size() - first);
      fill(first, n, inputs);
      visit(n, column_major(std::span<const double>(inputs), n, model_.inputs.size()));
    }
  }

 private:
  void fill(std::size_t first, std::size_t n, std::vector<double>& inputs) const;

  const Model& model_;
  EncodedTable encoded_;
  std::vector<std::size_t> rows_;
};

}  // namespace knotwork::analysis
