// SPDX-License-Identifier: MIT
// Training: from rows and options to a Model.
//
//   const Table table = read_csv("concrete.csv");
//   const Model model = train_automatically(table, {.targets = {"strength"}});
//
// There are three ways in, each with the same results: a Table or a StoredTable with a TableTask
// (which columns and rows are for what), a PreparedTable made of these, or TrainingData, matrices
// in the caller's memory. train() takes all options as they are; train_automatically() chooses what
// was left open, by a rule that looks at the number of rows and inputs and by cross-validation
// inside the training rows. The test part is never looked at.
//
// What is handed over by pointer (a model to start from, Checkpoints, Ranks) is not owned and must
// live until the call returns; Ranks of a PreparedTable as long as that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/encoding.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/model.hpp>
#include <knotwork/names.hpp>
#include <knotwork/options.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>
#include <knotwork/task.hpp>

namespace knotwork {

// --- Rows in memory ------------------------------------------------------------------------------

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
template <>
struct EnumNames<TrainPhase> {
  static constexpr EnumFamily family{"phase of a training"};
  static constexpr EnumName<TrainPhase> all[] = {
      {TrainPhase::choosing, "choosing"},
      {TrainPhase::training, "training"},
      {TrainPhase::refitting, "refitting"},
  };
};

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

// --- Rows of a table -----------------------------------------------------------------------------

inline constexpr std::size_t kFewestRows = 10;  // of a table, to train on

// Where the rows of a table that stays in its file are while they are trained on.
struct TableStorage {
  // Bytes for one set of scaled rows; more of them go into a nameless file.
  std::size_t memory = std::size_t{1} << 30;
  std::filesystem::path scratch = {};  // the folder for it; empty: that of the system
  // Processes that train on the table together, each on its share of the rows; null: this one
  // alone.
  Ranks* ranks = nullptr;
  // The table is gone over several times, before training and after it: gets the share of a time
  // that is done, again and again, in the calling thread. Optional.
  std::function<void(double share)> watch = {};
};

// A table made ready for training: columns chosen and encoded (by what the training rows hold, or
// as the model to start from has them), rows divided. Of what the constructor gets only the ranks
// are referred to later. Copies share what was made ready.
class KNOTWORK_API PreparedTable {
 public:
  // Every process of `ranks` (null: this one alone) has the table; they share the work on it.
  PreparedTable(const Table& table, const TableTask& task, std::uint64_t seed,
                const Model* start = nullptr, Ranks* ranks = nullptr);
  // A table that stays in its file and is read in windows, larger than memory if need be. Of
  // `columns`, those that are asked for and declared count. Training gives the same bits as from
  // memory.
  PreparedTable(const StoredTable& table, const CsvOptions& columns, const TableTask& task,
                std::uint64_t seed, const Model* start = nullptr, const TableStorage& storage = {});

  std::size_t training_rows() const;
  std::size_t test_rows() const;
  const std::vector<std::string>& remarks() const;
  std::size_t missing_cells() const;  // of the table
  // Of a table that stays in its file at most so many rows at equal distances, of the test part or
  // of those to train on, with all its columns.
  Table some_rows(bool of_test_part, std::size_t most) const;

  // Views into this object. Throws bad_option for a table that stays in its file, like partition().
  const TrainingData& data() const;
  const Partition& partition() const;

 private:
  friend struct LibraryAccess;
  class State;
  std::shared_ptr<const State> state_;
};

KNOTWORK_API Model train(const PreparedTable& prepared, const TrainOptions& options = {},
                         const TrainObserver& observer = {}, const Model* start = nullptr,
                         Checkpoints* checkpoints = nullptr);
KNOTWORK_API Model train(const Table& table, const TableTask& task,
                         const TrainOptions& options = {}, const TrainObserver& observer = {},
                         const Model* start = nullptr);

// --- Cross-validation inside the training rows ---------------------------------------------------

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

// --- Options that are left open ------------------------------------------------------------------

// The observer ended the training while options were being chosen, before there was a model. Of
// several processes all throw it, whichever of them was told to end.
class KNOTWORK_API EndedByObserver : public SharedError {
 public:
  using SharedError::SharedError;
};

// Names of the options (see train_option_fields()) that can be left open.
KNOTWORK_API const std::vector<std::string>& automatic_options();
// Options that are chosen too where input splines are: on tables of more than 2000 rows, if nothing
// is said about network and optimizer and they do better in cross-validation.
KNOTWORK_API const std::vector<std::string>& input_spline_options();

// What the rule makes of the options for so many training rows: `given` names those that stay as
// they are. What is left to cross-validation stays too. Throws bad_option when what is given does
// not go with what is chosen.
KNOTWORK_API TrainOptions options_by_rule(std::size_t rows, const TrainOptions& options,
                                          std::span<const std::string> given = {});

// `given` names the options that stay as they are; the other automatic_options() are chosen.
// Summary::tried then tells what was compared. The observer sees the choice first, as iterations of
// phase `choosing`; when it ends that, the best network of the cross-validation is the result, and
// failed_run is thrown if there is none yet. Choosing takes half of the time limit at most.
KNOTWORK_API Model train_automatically(const TrainingData& data, const Partition& partition,
                                       const TrainOptions& options,
                                       std::span<const std::string> given = {},
                                       const TrainObserver& observer = {},
                                       Checkpoints* checkpoints = nullptr);
KNOTWORK_API Model train_automatically(const PreparedTable& prepared,
                                       const TrainOptions& options = {},
                                       std::span<const std::string> given = {},
                                       const TrainObserver& observer = {},
                                       Checkpoints* checkpoints = nullptr);
KNOTWORK_API Model train_automatically(const Table& table, const TableTask& task,
                                       const TrainOptions& options = {},
                                       std::span<const std::string> given = {},
                                       const TrainObserver& observer = {});

// What the model is worth: a linear model and, if there are hidden layers, a network of the same
// size with tanh instead of splines, trained on the same rows and scored on the same test part. The
// linear model is fitted until nothing improves, whatever the options; the network's options are
// those of `options`, but its lambda_w is chosen as train_automatically() would. Those that the
// time limit, which is for all of them together, or the observer cut short are left out.
KNOTWORK_API std::vector<Baseline> train_baselines(const PreparedTable& prepared,
                                                   const TrainOptions& options,
                                                   const TrainObserver& observer = {});

}  // namespace knotwork
