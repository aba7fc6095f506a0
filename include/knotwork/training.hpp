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

#include <knotwork/encoding.hpp>
#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork {

using AnyMatrixView = std::variant<MatrixView<const float>, MatrixView<const double>>;

// Samples in the caller's memory. They are used where they are if their type is that of the
// arithmetic, each column lies in one piece, all rows are trained on, and no column is scaled by
// quantiles; of a small table to be scaled, and of any other, one scaled copy of the training rows
// is made.
struct TrainingData {
  AnyMatrixView inputs;
  AnyMatrixView targets;
  std::span<const double> weights = {};        // of the rows; empty: all 1
  std::span<const double> groups = {};         // rows of one group are never parted; empty: none
  std::vector<std::string> input_names = {};   // empty: x1, x2, ...
  std::vector<std::string> target_names = {};  // empty: y, or y1, y2, ...
  // Labels of the classes, if the one column of targets holds their numbers, from 0.
  std::vector<std::string> classes = {};
  // What the inputs are, if they were encoded from columns of a table; instead of input_names.
  std::vector<InputColumn> encoding = {};
  CellFormat cells = {};  // how that table was read; the model remembers it
  // Rows follow each other in time: the validation part are the last training rows, and folds are
  // blocks of rows that follow each other. Not together with groups.
  bool in_time_order = false;
  // Numbers of the rows in a larger table that they were drawn from, ascending; the seed then draws
  // a validation part by these. Empty: 0, 1, 2, ...
  std::span<const std::size_t> row_numbers = {};
};

// Which rows are trained on and which are only scored. Row lists are ascending.
struct Partition {
  std::vector<std::size_t> train;  // empty together with test: all rows
  std::vector<std::size_t> test;
};

enum class TrainPhase { choosing, training, refitting };

struct TrainIteration {
  TrainPhase phase = TrainPhase::training;
  std::size_t stage = 0;             // of a warm path, or between changes of the knots
  std::size_t member = 0;            // of an ensemble
  std::size_t iteration = 0;         // over all stages and members so far
  std::size_t total_iterations = 0;  // likewise
  std::size_t evaluations = 0;       // likewise
  ObjectiveParts objective = {};     // of this member
  double gradient_norm = 0;
  double step = 0;
  // If there is such a part: RMSE of the scaled targets; of other losses than squared their mean.
  std::optional<double> validation = {};
  double seconds = 0;
  // In phase `choosing` an iteration is a finished fold, and validation the best mean so far of
  // what is compared: NRMSE, of classes the log loss, of quantiles the pinball loss in standard
  // deviations of the target.
};
// Sees every iteration, one at a time; returning false ends training there: with the lowest
// objective for cg and lbfgs, the latest point for adam and sgd, and the best validated one if
// there is a validation part. Members of an ensemble that had not begun are left out. For adam and
// sgd the objective is the mean over the epoch, and its loss what the penalties leave of it.
using TrainObserver = std::function<bool(const TrainIteration&)>;

class Checkpoints;  // of checkpoint.hpp: they keep where training stands, or it goes on from them

// `start`, if given, lends its networks, columns and scalings, and training goes on from there; the
// options that describe the network and the scaling then do not count. Its columns must be those
// of the data.
KNOTWORK_API Model train(const TrainingData& data, const Partition& partition,
                         const TrainOptions& options, const TrainObserver& observer = {},
                         const Model* start = nullptr, Checkpoints* checkpoints = nullptr);
// All rows, no test part.
KNOTWORK_API Model train(const TrainingData& data, const TrainOptions& options = {},
                         const TrainObserver& observer = {});

}  // namespace knotwork
