// SPDX-License-Identifier: MIT
// Which rows are trained on, validated on and scored.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <knotwork/training.hpp>

namespace knotwork::training {

struct Rows {
  std::vector<std::size_t> train, validation, test;
  std::vector<std::size_t> weighty;  // those of train whose weight is not 0; empty: all of them

  std::span<const std::size_t> fitted() const {
    return weighty.empty() ? std::span(train) : std::span(weighty);
  }
};

// Throw bad_data when too few rows are left for a part.
void check_validation_rows(const TrainOptions& options, std::size_t rows, std::size_t kept);
void check_training_rows(std::size_t rows);

// Throws bad_data unless the sum of the weights of rows to "train on" can be divided by.
void check_mass(double mass, std::string_view purpose);

// Throws bad_data unless the parts make sense and the weights can be used.
Rows divide_rows(const TrainingData& data, const Partition& partition, const TrainOptions& options);

}  // namespace knotwork::training
