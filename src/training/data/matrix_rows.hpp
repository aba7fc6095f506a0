// SPDX-License-Identifier: MIT
// These functions make a RowSource from matrices in the caller's memory, and refuse unusable
// matrices.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "features/split/row_set.hpp"

#include <knotwork/row_source.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

// Its columns are the inputs, the targets, and the weights and groups if there are any. Throws
// bad_data unless all have the same number of rows.
std::shared_ptr<const RowSource> rows_of_matrices(const TrainingData& data);

// The training and test rows of matrices. Throws bad_data unless the lists ascend and no row is in
// both.
features::RowSet training_set(const TrainingData& data, const Partition& partition);
features::RowSet test_set(const TrainingData& data, const Partition& partition);

using RowSets = std::vector<const features::RowSet*>;

// Throw bad_data where a number in these rows cannot be used: an invalid weight, a number that is
// not finite, a class that does not exist. Other rows may contain anything.
void check_weights(const TrainingData& data, const RowSets& parts);
void check_inputs(const TrainingData& data, std::size_t column, const std::string& name,
                  const RowSets& parts);
void check_targets(const TrainingData& data, std::size_t column, const std::string& name,
                   const RowSets& parts);

}  // namespace knotwork::training
