// SPDX-License-Identifier: MIT
// A trained model: a network together with what turns table columns into its inputs and its outputs
// into predictions, and the record of its training. A plain value; predicting does not change it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/scaling.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

struct ColumnScaling {
  std::string column;
  Scaling scaling;
};

struct StageSummary {
  double lambda_w = 0;
  double lambda_q = 0;
  std::size_t iterations = 0;
  std::size_t evaluations = 0;
  double objective = 0;
  StopReason reason = StopReason::none;
};

// What happened in training; reports render it.
struct Summary {
  std::string version;  // of the library
  std::uint64_t seed = 0;
  std::string optimizer;
  std::vector<std::pair<std::string, std::string>> options;  // all of them, as text
  StopReason reason = StopReason::none;
  std::size_t iterations = 0;
  std::size_t evaluations = 0;
  double seconds = 0;
  ObjectiveParts objective;                       // at the result, over all training rows
  std::vector<StageSummary> stages;               // one, or one for each value of a warm path
  std::optional<std::size_t> best_iteration;      // with a validation part
  std::optional<Scores> train, validation, test;  // in the units of the targets
};

struct KNOTWORK_API Model {
  Network network;
  Precision precision = Precision::double_;
  std::vector<ColumnScaling> inputs;   // in the order of the network's inputs
  std::vector<ColumnScaling> targets;  // in the order of its outputs
  Summary training;

  // Rows of raw inputs in the order of `inputs`; predictions in the units of the targets.
  // 0 threads means all cores; neither threads nor the other rows change a row's bits.
  void predict(MatrixView<const float> rows, MatrixView<float> predictions,
               std::size_t threads = 1) const;
  void predict(MatrixView<const double> rows, MatrixView<double> predictions,
               std::size_t threads = 1) const;
  // Columns are matched by name; others are ignored. Returns one column for each target.
  std::vector<std::vector<double>> predict(const Table& table, std::size_t threads = 1) const;
  // Scores against the target columns of the table, weighted by a column unless its name is empty.
  Scores evaluate(const Table& table, std::size_t threads = 1,
                  const std::string& weight_column = "") const;

  // Throws bad_model unless the columns fit the network and their scalings can be used.
  void check() const;
  // SHA-256 over the tensors' bytes in the order of the model file, as 64 hexadecimal digits.
  std::string parameters_sha256() const;
};

}  // namespace knotwork
