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

// The fold (0 .. k-1) of each of the given rows, by seed; rows of one group share their fold.
KNOTWORK_API std::vector<std::size_t> training_folds(const TrainingData& data,
                                                     std::span<const std::size_t> rows,
                                                     std::size_t k, std::uint64_t seed);

// Trains on the rows of the other folds and scores those of `fold`. folds[k] belongs to rows[k];
// rows ascend. Scaling is fitted to the training share of every fold anew.
KNOTWORK_API Scores validate_fold(const TrainingData& data, std::span<const std::size_t> rows,
                                  std::span<const std::size_t> folds, std::size_t fold,
                                  const TrainOptions& options, const TrainObserver& observer = {});

}  // namespace knotwork
