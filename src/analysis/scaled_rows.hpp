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

  // Calls visit(n, inputs) with the inputs of n rows, column by column. Each row is one step of
  // `work`.
  template <class Visit>
  void for_each_chunk(std::size_t threads, parallel::WatchedWork& work, const Visit& visit) const {
    const std::size_t parameters = model_.members.front().parameters().size();
    const std::size_t most = rows_at_once(parameters, threads, 4096);
    std::vector<double> inputs;
    for (std::size_t first = 0; first < rows_.size(); first += most) {
      const std::size_t n = std::min(most, rows_.size() - first);
      fill(first, n, inputs);
      visit(n, column_major(std::span<const double>(inputs), n, model_.inputs.size()));
      work.advance(static_cast<double>(n));
    }
  }
  // The number of steps for going through the rows `times` times for each layer of each network.
  double steps(std::size_t times) const {
    std::size_t layers = 0;
    for (const Network& network : model_.members) layers += network.layers().size();
    return static_cast<double>(times * layers * rows_.size());
  }

 private:
  void fill(std::size_t first, std::size_t n, std::vector<double>& inputs) const;

  const Model& model_;
  EncodedTable encoded_;
  std::vector<std::size_t> rows_;
};

}  // namespace knotwork::analysis
