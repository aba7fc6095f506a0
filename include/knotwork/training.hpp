// SPDX-License-Identifier: MIT
// Training: from rows and options to a Model.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/model.hpp>
#include <knotwork/options.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

using AnyMatrixView = std::variant<MatrixView<const float>, MatrixView<const double>>;

// Samples in the caller's memory. They are used where they are if no column is scaled, their type
// is that of the arithmetic, each column lies in one piece and all rows are trained on; otherwise
// one scaled copy of the training rows is made.
struct TrainingData {
  AnyMatrixView inputs;
  AnyMatrixView targets;
  std::span<const double> weights;        // of the rows; empty: all 1
  std::vector<std::string> input_names;   // empty: x1, x2, ...
  std::vector<std::string> target_names;  // empty: y, or y1, y2, ...
};

// Which rows are trained on and which are only scored. Row lists are ascending.
struct Partition {
  std::vector<std::size_t> train;  // empty together with test: all rows
  std::vector<std::size_t> test;
};

struct TrainIteration {
  std::size_t stage = 0;      // of the warm path
  std::size_t iteration = 0;  // over all stages
  std::size_t total_iterations = 0;
  std::size_t evaluations = 0;
  ObjectiveParts objective;
  double gradient_norm = 0;
  double step = 0;
  std::optional<double> validation;  // RMSE of the scaled targets, if there is such a part
  double seconds = 0;
};
// Sees every iteration; returning false ends training there: with the lowest objective for cg and
// lbfgs, the latest point for adam, and the best validated one if there is a validation part. For
// adam the objective is the mean over the epoch, and its loss what the penalties leave of it.
using TrainObserver = std::function<bool(const TrainIteration&)>;

KNOTWORK_API Model train(const TrainingData& data, const Partition& partition,
                         const TrainOptions& options, const TrainObserver& observer = {});
// All rows, no test part.
KNOTWORK_API Model train(const TrainingData& data, const TrainOptions& options = {},
                         const TrainObserver& observer = {});

// What of a table is to be learned.
struct TableTask {
  std::vector<std::string> targets;  // empty: the last column
  std::string weight_column;         // empty: none
  double test_fraction = 0;
  std::vector<std::size_t> test_rows;  // if not empty, instead of a fraction
};
KNOTWORK_API Model train(const Table& table, const TableTask& task,
                         const TrainOptions& options = {}, const TrainObserver& observer = {});

}  // namespace knotwork
