// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/fail.hpp"

#include <knotwork/split.hpp>
#include <knotwork/training.hpp>

namespace knotwork {
namespace {

// Chosen columns one after the other, as a column-major matrix.
std::vector<double> gather_columns(const Table& table, const std::vector<std::size_t>& chosen) {
  std::vector<double> values;
  values.reserve(chosen.size() * table.rows());
  for (std::size_t c : chosen) {
    values.insert(values.end(), table.columns[c].begin(), table.columns[c].end());
  }
  return values;
}

Partition divide(const Table& table, const TableTask& task, const TrainOptions& options) {
  Partition partition;
  if (!task.test_rows.empty()) {
    partition.test = task.test_rows;
    std::sort(partition.test.begin(), partition.test.end());
    if (const auto twice = std::adjacent_find(partition.test.begin(), partition.test.end());
        twice != partition.test.end()) {
      fail(ErrorKind::bad_data, "Row {} stands twice in the list of test rows.", *twice);
    }
    if (partition.test.back() >= table.rows()) {
      fail(ErrorKind::bad_data,
           "The list of test rows names row {}, but {} has only {} rows, numbered from 0.",
           partition.test.back(), table.source, table.rows());
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (!std::binary_search(partition.test.begin(), partition.test.end(), row)) {
        partition.train.push_back(row);
      }
    }
  } else {
    SplitRows split = split_rows(table.rows(), task.test_fraction, options.seed);
    partition = {std::move(split.kept), std::move(split.held_out)};
  }
  return partition;
}

}  // namespace

Model train(const Table& table, const TableTask& task, const TrainOptions& options,
            const TrainObserver& observer) {
  table.check();
  if (table.rows() == 0 || table.columns.size() < 2) {
    fail(ErrorKind::bad_data,
         "{} has {} rows and {} columns; training needs rows, a target and at least one input.",
         table.source, table.rows(), table.columns.size());
  }
  std::vector<std::size_t> targets;
  for (const std::string& name : task.targets) {
    const std::size_t target = table.index_of(name);
    if (std::find(targets.begin(), targets.end(), target) != targets.end()) {
      fail(ErrorKind::bad_option, "The target '{}' is named twice.", name);
    }
    targets.push_back(target);
  }
  if (targets.empty()) targets.push_back(table.columns.size() - 1);
  std::vector<double> weights;
  std::size_t weight_column = table.columns.size();
  if (!task.weight_column.empty()) {
    weight_column = table.index_of(task.weight_column);
    weights = table.columns[weight_column];
  }
  std::vector<std::size_t> inputs;
  TrainingData data;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool is_target = std::find(targets.begin(), targets.end(), c) != targets.end();
    if (is_target && c == weight_column) {
      fail(ErrorKind::bad_option, "Column '{}' cannot be both a target and the weights.",
           table.names[c]);
    }
    if (is_target || c == weight_column) continue;
    inputs.push_back(c);
    data.input_names.push_back(table.names[c]);
  }
  for (std::size_t t : targets) {
    data.target_names.push_back(table.names[t]);
  }
  const std::vector<double> input_values = gather_columns(table, inputs);
  const std::vector<double> target_values = gather_columns(table, targets);
  data.inputs = column_major(std::span<const double>(input_values), table.rows(), inputs.size());
  data.targets = column_major(std::span<const double>(target_values), table.rows(), targets.size());
  data.weights = weights;
  return train(data, divide(table, task, options), options, observer);
}

}  // namespace knotwork
