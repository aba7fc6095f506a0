// SPDX-License-Identifier: MIT
#include <knotwork/training.hpp>

#include "base/any_matrix.hpp"
#include "base/fail.hpp"
#include "features/split/hold_out.hpp"

#include <knotwork/split.hpp>

namespace knotwork {

using features::DividedBy;

namespace {

// Consecutive blocks of rows, whose sizes differ by at most one.
std::vector<std::size_t> assign_blocks(std::size_t rows, std::size_t k) {
  if (k < 2 || k > rows) {
    fail(ErrorKind::bad_option,
         "{} rows cannot be divided into {} folds; the number of folds must be from 2 to {}.", rows,
         k, rows);
  }
  std::vector<std::size_t> folds(rows);
  for (std::size_t r = 0; r < rows; ++r) folds[r] = r * k / rows;
  return folds;
}

}  // namespace

std::vector<std::size_t> training_folds(const TrainingData& data, std::span<const std::size_t> rows,
                                        std::size_t k, std::uint64_t seed) {
  const DividedBy by =
      features::divided_by(data.in_time_order, !data.groups.empty(), !data.classes.empty());
  if (by == DividedBy::time) return assign_blocks(rows.size(), k);
  if (by == DividedBy::chance) return assign_folds(rows.size(), k, seed);
  std::vector<double> values;
  for (const std::size_t row : rows) {
    values.push_back(by == DividedBy::groups ? data.groups[row] : element(data.targets, row, 0));
  }
  return by == DividedBy::groups ? assign_group_folds(values, k, seed)
                                 : assign_stratified_folds(values, k, seed);
}

Partition fold_partition(std::span<const std::size_t> rows, std::span<const std::size_t> folds,
                         std::size_t fold) {
  if (folds.size() != rows.size()) {
    fail(ErrorKind::bad_data, "There are {} rows, but fold numbers for {} rows.", rows.size(),
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
                     const TrainOptions& options, const std::shared_ptr<Monitor>& monitor) {
  TrainOptions own = options;
  own.refit = false;
  own.snapshots = 0;
  const Model model =
      train({data, fold_partition(rows, folds, fold)}, own, TrainContext{.monitor = monitor});
  if (model.training.reason == StopReason::requested || !model.training.test) {
    fail(ErrorKind::stopped, "The training on fold {} was stopped before it was complete.", fold);
  }
  return *model.training.test;
}

}  // namespace knotwork
