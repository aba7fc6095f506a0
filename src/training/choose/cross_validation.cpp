// SPDX-License-Identifier: MIT
#include <knotwork/training.hpp>

#include "base/fail.hpp"
#include "training/data/scaled_samples.hpp"

#include <knotwork/split.hpp>

namespace knotwork {

using namespace training;
namespace {

// Blocks of rows that follow each other; their sizes differ by at most one.
std::vector<std::size_t> assign_blocks(std::size_t rows, std::size_t k) {
  if (k < 2 || k > rows) {
    fail(ErrorKind::bad_option, "{} rows cannot be cut into {} folds; from 2 to {} can be had.",
         rows, k, rows);
  }
  std::vector<std::size_t> folds(rows);
  for (std::size_t r = 0; r < rows; ++r) folds[r] = r * k / rows;
  return folds;
}

}  // namespace

std::vector<std::size_t> training_folds(const TrainingData& data, std::span<const std::size_t> rows,
                                        std::size_t k, std::uint64_t seed) {
  if (data.in_time_order) return assign_blocks(rows.size(), k);
  if (!data.classes.empty() && data.groups.empty()) {
    std::vector<double> classes;
    for (std::size_t row : rows) classes.push_back(element(data.targets, row, 0));
    return assign_stratified_folds(classes, k, seed);
  }
  if (data.groups.empty()) return assign_folds(rows.size(), k, seed);
  std::vector<double> groups;
  for (std::size_t row : rows) groups.push_back(data.groups[row]);
  return assign_group_folds(groups, k, seed);
}

Partition fold_partition(std::span<const std::size_t> rows, std::span<const std::size_t> folds,
                         std::size_t fold) {
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
  return partition;
}

Scores validate_fold(const TrainingData& data, std::span<const std::size_t> rows,
                     std::span<const std::size_t> folds, std::size_t fold,
                     const TrainOptions& options, const TrainObserver& observer) {
  TrainOptions own = options;
  own.refit = false;
  own.snapshots = 0;
  return *train(data, fold_partition(rows, folds, fold), own, observer).training.test;
}

}  // namespace knotwork
