// SPDX-License-Identifier: MIT
// Cross-validation inside the training rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

// The fold (0 .. k-1) of each of the given rows, by seed; rows of one group share their fold. Rows
// in the order of time are cut into blocks that follow each other, whatever the seed. Otherwise
// classes have the same shares in all folds.
KNOTWORK_API std::vector<std::size_t> training_folds(const TrainingData& data,
                                                     std::span<const std::size_t> rows,
                                                     std::size_t k, std::uint64_t seed);

// The rows of `fold` as the test part, those of the other folds to train on. folds[k] belongs to
// rows[k]; rows ascend. Throws bad_data when one of the parts would be empty.
KNOTWORK_API Partition fold_partition(std::span<const std::size_t> rows,
                                      std::span<const std::size_t> folds, std::size_t fold);

// Trains on the rows of the other folds and scores those of `fold`. Scaling is fitted to the
// training share of every fold anew.
KNOTWORK_API Scores validate_fold(const TrainingData& data, std::span<const std::size_t> rows,
                                  std::span<const std::size_t> folds, std::size_t fold,
                                  const TrainOptions& options, const TrainObserver& observer = {});

}  // namespace knotwork
