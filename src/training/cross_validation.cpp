// SPDX-License-Identifier: MIT
#include <knotwork/cross_validation.hpp>

#include "base/fail.hpp"

#include <knotwork/split.hpp>

namespace knotwork {

std::vector<std::size_t> training_folds(const TrainingData& data, std::span<const std::size_t> rows,
                                        std::size_t k, std::uint64_t seed) {
  if (data.groups.empty()) return assign_folds(rows.size(), k, seed);
  std::vector<double> groups;
  for (std::size_t row : rows) groups.push_back(data.groups[row]);
  return assign_group_folds(groups, k, seed);
}

Scores validate_fold(const TrainingData& data, std::span<const std::size_t> rows,
                     std::span<const std::size_t> folds, std::size_t fold,
                     const TrainOptions& options, const TrainObserver& observer) {
  if (folds.size() != rows.size()) {
    fail(ErrorKind::bad_data, "There are {} rows, but folds for {} of them.", rows.size(),
         folds.size());
  }
  Partition partition;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    (folds[k] == fold ? partition.test : partition.train).push_back(rows[k]);
  }
  if (partition.test.empty() || partition.train.empty()) {
    fail(ErrorKind::bad_data, "Fold {} of {} rows leaves nothing to train on or nothing to score.",
         fold, rows.size());
  }
  TrainOptions own = options;
  own.refit = false;
  return *train(data, partition, own, observer).training.test;
}

}  // namespace knotwork
