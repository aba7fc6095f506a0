// SPDX-License-Identifier: MIT
// A Model is a trained network, or several whose outputs are averaged, with the conversions from
// table columns to network inputs and from outputs to predictions, and the record of its training.
// It is a plain value; predicting does not change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/columns.hpp>
#include <knotwork/encoding.hpp>
#include <knotwork/error.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/scaling.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

inline constexpr std::size_t kMaxMembers = 1000;  // networks in an ensemble

struct StageSummary {
  std::size_t member = 0;  // of an ensemble
  double lambda_w = 0;
  double lambda_q = 0;
  std::size_t iterations = 0;
  std::size_t evaluations = 0;
  double objective = 0;
  StopReason reason = StopReason::none;
  std::optional<std::size_t> best_iteration = {};  // if there is a validation part
  // Changes of the splines before the stage.
  bool step_halved = false;
  bool range_fitted = false;
};

// How one of several targets is predicted.
struct TargetScores {
  std::string column;
  std::optional<Scores> train = {}, validation = {}, test = {};
};

// A simpler model trained on the same rows, for comparison.
struct Baseline {
  std::string name;
  std::optional<Scores> train, test;
};

// Settings that cross-validation compared, as text, with their mean score over the folds.
struct TriedSetting {
  std::vector<std::pair<std::string, std::string>> options;
  double score = 0;  // Scores::to_compare()
};

// The training history, reduced to some points at about equal distances.
struct HistoryPoint {
  std::size_t member = 0;     // of an ensemble
  std::size_t stage = 0;      // of that member
  std::size_t iteration = 0;  // of that member, over all its stages
  double objective = 0;
  std::vector<double> parts;              // in the order of History::parts
  std::optional<double> validation = {};  // as in TrainIteration
};
struct History {
  std::vector<std::string> parts;  // "loss", then the penalties
  std::vector<HistoryPoint> points;
};
inline constexpr std::size_t kHistoryPoints = 400;  // at most, for all members together
inline constexpr std::size_t kMaxSnapshots = 1000;  // for each member

// The activations of a network at one moment of training. Its weights and biases are 0, because
// they are most of a large network and no report shows them.
struct Snapshot {
  std::size_t member = 0;
  std::size_t iteration = 0;  // as in the history
  Network network;
};

// The record of training, which reports render.
struct Summary {
  std::string data;             // name of the training table; empty: unknown
  std::string version;          // of the library
  std::string instruction_set;  // that computed the numbers
  std::uint64_t seed = 0;
  std::string optimizer;
  std::vector<std::pair<std::string, std::string>> options;  // all options, as text
  StopReason reason = StopReason::none;
  std::size_t iterations = 0;   // of all members of an ensemble
  std::size_t evaluations = 0;  // of all members of an ensemble
  double seconds = 0;
  ObjectiveParts objective;          // of the result, over all training rows; the mean over members
  std::vector<StageSummary> stages;  // of each member, one after the other
  std::optional<Scores> train, validation, test;  // in the units of the targets
  std::vector<TargetScores> target_scores;        // if there is more than one target
  bool refitted = false;                          // on all rows, after these scores were computed
  History history;
  std::vector<Snapshot> snapshots;  // if requested; member by member, ascending
  std::vector<Baseline> baselines;
  std::vector<TriedSetting> tried;  // if some options were chosen by cross-validation
  std::vector<Remark> remarks;      // about the data and the course of training, a sentence each
  // Hash of the row numbers and targets of all rows of the table outside its test part, so that a
  // training that starts from the model can tell whether they are the same; empty: unknown.
  std::string rows_sha256;
  // Files and exports of the model leave out `data`, `remarks`, `rows_sha256` and the ranges of the
  // inputs. A model that was just trained still has them, one that was read does not.
  bool is_private = false;
};

struct KNOTWORK_API Model {
  std::vector<Network> members;  // one, or an ensemble of equal layers
  Precision precision = Precision::float64;
  std::vector<InputColumn> inputs;    // in the order of the network's inputs
  std::vector<TargetColumn> targets;  // in the order of its outputs; only one if it has classes
  Summary training;
  CellFormat cells = {};  // how tables must be read for the model

  bool classifies() const { return !targets.empty() && !targets.front().classes.empty(); }
  std::size_t outputs() const;      // of each network
  std::size_t predictions() const;  // number of prediction columns
  // The name of each prediction column: the target, "price 0.95" for one of its quantiles, "species
  // = setosa" for the probability of a class.
  std::vector<std::string> prediction_names() const;

  // `rows` are raw inputs in the order of `inputs`; predictions are in the units of the targets.
  // Quantiles ascend in every row; probabilities of an ensemble are the means over its networks. 0
  // threads means all cores. The bits of a row depend neither on the number of threads nor on the
  // other rows.
  void predict(MatrixView<const float> rows, MatrixView<float> predictions,
               std::size_t threads = 1) const;
  void predict(MatrixView<const double> rows, MatrixView<double> predictions,
               std::size_t threads = 1) const;
  // Columns are matched by name; other columns are ignored. Returns the prediction columns.
  // EncodedTable(table, inputs).report() lists what the table contains that the training rows did
  // not.
  std::vector<std::vector<double>> predict(const Table& table, std::size_t threads = 1) const;
  // How much the members of an ensemble differ: for each prediction their standard deviation, in
  // the same columns and units. Where the deviation is large, the training rows contain little
  // information about the prediction. Throws bad_model for a single network.
  std::vector<std::vector<double>> spread(const Table& table, std::size_t threads = 1) const;
  // The number of the predicted class for each row of probabilities.
  static std::vector<std::size_t> most_probable(const std::vector<std::vector<double>>& columns);
  // Scores against the target columns of the table, weighted by a column unless its name is empty.
  // Rows in which a target is missing are not scored. If `each` is given, it receives the scores of
  // each single target.
  Scores evaluate(const Table& table, std::size_t threads = 1,
                  const std::string& weight_column = "", std::vector<Scores>* each = nullptr) const;

  // Throws bad_model unless the columns fit the network and their scalings can be used.
  void check() const;
  // SHA-256 over the tensors' bytes in the order of the model file, as 64 hexadecimal digits.
  std::string parameters_sha256() const;
};

struct ModelTensor {
  std::string name;
  Precision precision;
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> bytes;  // little-endian

  KNOTWORK_API std::vector<double> values() const;
};
// All tensors that predictions depend on, in the order of the model file.
KNOTWORK_API std::vector<ModelTensor> model_tensors(const Model& model);

}  // namespace knotwork
