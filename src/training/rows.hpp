// SPDX-License-Identifier: MIT
// Which rows are trained on, validated on and scored.
#pragma once

#include <span>
#include <vector>

#include <knotwork/training.hpp>

namespace knotwork {

struct Rows {
  std::vector<std::size_t> train, validation, test;
  std::vector<std::size_t> weighty;  // those of train whose weight is not 0; empty: all of them

  std::span<const std::size_t> fitted() const {
    return weighty.empty() ? std::span(train) : std::span(weighty);
  }
};

// Throws bad_data unless the parts make sense and the weights can be used.
Rows divide_rows(const TrainingData& data, const Partition& partition, const TrainOptions& options);

}  // namespace knotwork
