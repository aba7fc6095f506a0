// SPDX-License-Identifier: MIT
// The functions of this header train a Model on rows with options.
//
//   const Table table = read_csv("concrete.csv");
//   const Model model = train_automatically({table, {.targets = {"strength"}}, 0});  // 0: seed
//
// Training takes PreparedData: made from a Table, a StoredTable or any RowSource and a TableTask
// (what its columns and rows are used for), or from TrainingData, matrices in the caller's memory.
// The results are the same. train() uses all options as they are. train_automatically() chooses the
// options that were left open: by a rule that depends on the number of rows and inputs, and by
// cross-validation inside the training rows. The choice never uses the test part.
//
// A TrainContext shares the ownership of what it has. The Ranks of a PreparedData must live as long
// as the PreparedData.
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
#include <knotwork/monitor.hpp>
#include <knotwork/names.hpp>
#include <knotwork/options.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/row_source.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>
#include <knotwork/task.hpp>

namespace knotwork {

namespace training {
struct DataOrigin;
}  // namespace training

// --- Rows in memory ------------------------------------------------------------------------------

// Samples in the caller's memory. They are used in place if their type is that of the arithmetic,
// each column is contiguous, all rows are training rows, and no column is scaled by quantiles.
// Otherwise, and for a small table that is scaled, one scaled copy of the training rows is made.
struct TrainingData {
  AnyMatrixView inputs;
  AnyMatrixView targets;
  std::span<const double> weights = {};        // one for each row; empty: all 1
  std::span<const double> groups = {};         // rows of one group stay together; empty: no groups
  std::vector<std::string> input_names = {};   // empty: x1, x2, ...
  std::vector<std::string> target_names = {};  // empty: y, or y1, y2, ...
  // Labels of the classes, if targets is one column with the numbers of the classes, from 0.
  std::vector<std::string> classes = {};
  // Rows are in the order of time: the validation part is the last training rows, and folds are
  // blocks of consecutive rows. Cannot be combined with groups.
  bool in_time_order = false;
  // For rows that the library took from a table: what it knows about the table. Callers leave it
  // empty.
  std::shared_ptr<const training::DataOrigin> origin = {};
};

// The training rows and the test rows, which are only scored. Row lists are ascending.
struct Partition {
  std::vector<std::size_t> train;  // all rows if both lists are empty
  std::vector<std::size_t> test;
};

struct TrainIteration {
  Phase phase = Phase::training;     // or choosing, or refitting
  std::size_t stage = 0;             // of a warm path, or between changes of the knots
  std::size_t member = 0;            // of an ensemble
  std::size_t iteration = 0;         // over all stages and members so far
  std::size_t total_iterations = 0;  // over all stages and members
  std::size_t evaluations = 0;       // over all stages and members so far
  ObjectiveParts objective = {};     // of this member
  double gradient_norm = 0;
  double step = 0;
  // If there is a validation part: the RMSE of the scaled targets, or the mean loss if the loss is
  // not the squared error.
  std::optional<double> validation = {};
  double seconds = 0;
  // In the phase `choosing` an iteration is a finished fold, and `validation` is the best mean
  // score so far: NRMSE, for classes the log loss, for quantiles the pinball loss in standard
  // deviations of the target.
};
class Checkpoints;  // of checkpoint.hpp: keeps the state of a training, and resumes one

// What a training can have besides rows and options. Shared pointers are owned jointly with the
// caller.
struct TrainContext {
  // Training starts from the networks, columns and scalings of this model; the options that
  // describe network and scaling are then ignored. Its columns must be the columns of the data.
  std::shared_ptr<const Model> start = {};
  std::shared_ptr<Checkpoints> checkpoints = {};
  // The monitor sees every iteration, one call at a time, from the thread that called train() or
  // from a thread that trains a member of an ensemble; it then sees the progress of all members
  // together. For adam and sgd the objective is the mean over the epoch, and its loss is the
  // objective without the penalties.
  //
  // A request to stop ends the training within a tenth of a second. An iteration that is cut short
  // is undone. The result is the best model so far: with the lowest objective for cg and lbfgs, the
  // latest point for adam and sgd, and the best validated one if there is a validation part.
  // Members of an ensemble that had not begun are left out. Computing the objective and the scores
  // of the result may take another tenth of a second; a remark tells which scores are missing
  // because of this limit. The time limit ends a training in the same way, but all scores are
  // computed.
  std::shared_ptr<Monitor> monitor = {};
};

// --- Rows of a table -----------------------------------------------------------------------------

inline constexpr std::size_t kFewestRows = 10;  // that a table needs for training

// Where the rows of a table that stays in its file are kept during training.
struct TableStorage {
  // Bytes of memory for one set of scaled rows; a larger set goes into a temporary file without a
  // name.
  std::size_t memory = std::size_t{1} << 30;
  std::filesystem::path scratch = {};  // for the temporary file; empty: the system's folder
  // Processes that train on the table together, each on its share of the rows; null: only this
  // process.
  Ranks* ranks = nullptr;
  // Sees the passes that prepare the rows, in the phase planning, and may stop them. The monitor of
  // a TrainContext sees the passes of the training.
  std::shared_ptr<Monitor> monitor = {};
};

// Rows prepared for training: columns are chosen and encoded (fitted to the training rows, or as in
// the model to start from), and rows are divided into parts. Only the ranks and the memory behind
// matrices must outlive the constructor. Copies share the prepared rows. The result of training has
// the same bits for every kind of source.
class KNOTWORK_API PreparedData {
 public:
  // Every process of storage.ranks has the source; the processes share the work.
  PreparedData(std::shared_ptr<const RowSource> rows, const TableTask& task, std::uint64_t seed,
               const Model* start = nullptr, const TableStorage& storage = {});
  // A table in memory. It is not copied if it is moved here or shared.
  PreparedData(Table table, const TableTask& task, std::uint64_t seed, const Model* start = nullptr,
               Ranks* ranks = nullptr);
  PreparedData(std::shared_ptr<const Table> table, const TableTask& task, std::uint64_t seed,
               const Model* start = nullptr, Ranks* ranks = nullptr);
  // A table that stays in its file and is read in windows; it may be larger than memory. Only the
  // requested and declared columns of `columns` are used.
  PreparedData(const StoredTable& table, const CsvOptions& columns, const TableTask& task,
               std::uint64_t seed, const Model* start = nullptr, const TableStorage& storage = {});
  // Matrices, which are used where they are. Throws bad_data unless their shapes and parts fit.
  PreparedData(TrainingData data, Partition partition = {});

  std::size_t training_rows() const;
  std::size_t test_rows() const;
  const std::vector<Remark>& remarks() const;
  std::size_t missing_cells() const;  // of the table
  // Rows of the table that are in no part because a target is missing. data() has them too, with
  // NaN for the target.
  std::size_t rows_without_target() const;
  // At most `most` rows at equal distances, of the test part or of the training rows, with all
  // columns of the table.
  Table some_rows(bool of_test_part, std::size_t most) const;

  // Views into this object, made on the first call. data() and partition() throw bad_option if the
  // rows are not in memory.
  const TrainingData& data() const;
  const Partition& partition() const;

 private:
  friend struct LibraryAccess;
  class State;
  std::shared_ptr<const State> state_;
};
using PreparedTable [[deprecated("is PreparedData now")]] = PreparedData;

// All options are taken as they are.
KNOTWORK_API Model train(const PreparedData& prepared, const TrainOptions& options = {},
                         const TrainContext& context = {});
// All rows of two matrices, one column of targets for each column that is predicted.
KNOTWORK_API Model fit(const AnyMatrixView& inputs, const AnyMatrixView& targets,
                       const TrainOptions& options = {}, const TrainContext& context = {});

// --- Cross-validation inside the training rows ---------------------------------------------------

// The fold (0 .. k-1) of each of the given rows, drawn with the seed; rows of one group share their
// fold. Rows in the order of time are cut into consecutive blocks, whatever the seed. Otherwise all
// folds have the same class shares.
KNOTWORK_API std::vector<std::size_t> training_folds(const TrainingData& data,
                                                     std::span<const std::size_t> rows,
                                                     std::size_t k, std::uint64_t seed);

// A partition with the rows of `fold` as the test part and the rows of the other folds as training
// rows. folds[k] is the fold of rows[k]; rows ascend. Throws bad_data when one of the parts would
// be empty.
KNOTWORK_API Partition fold_partition(std::span<const std::size_t> rows,
                                      std::span<const std::size_t> folds, std::size_t fold);

// Trains on the rows of the other folds and scores the rows of `fold`. Scaling is fitted to the
// training rows of each fold. Throws stopped if the monitor ended the training.
KNOTWORK_API Scores validate_fold(const TrainingData& data, std::span<const std::size_t> rows,
                                  std::span<const std::size_t> folds, std::size_t fold,
                                  const TrainOptions& options,
                                  const std::shared_ptr<Monitor>& monitor = {});

// --- Options that are left open ------------------------------------------------------------------

// Names of the options (see train_option_fields()) that train_automatically() can choose.
KNOTWORK_API const std::vector<std::string>& automatic_options();
// Names of the options that train_automatically() chooses in addition if it chooses input splines.
// It tries input splines on tables of more than 2000 rows if no option of the network and the
// optimizer is given, and uses them if they score better in cross-validation.
KNOTWORK_API const std::vector<std::string>& input_spline_options();

// The options after the rule for `rows` training rows: options named in `given` and options that
// cross-validation chooses stay as they are. Throws bad_option when given and chosen options
// contradict each other.
KNOTWORK_API TrainOptions options_by_rule(std::size_t rows, const TrainOptions& options,
                                          std::span<const std::string> given = {});

// `given` names the options that stay as they are; the other automatic_options() are chosen.
// Summary::tried lists the settings that were compared. The monitor sees the choice first, in the
// phase `choosing`. If it requests a stop during the choice, the result is the best network of the
// cross-validation. If there is none yet, or if several processes share the training, all of them
// throw an Error of kind `stopped`. The choice takes at most half of the time limit. A model to
// start from is refused, because its options are already chosen.
KNOTWORK_API Model train_automatically(const PreparedData& prepared,
                                       const TrainOptions& options = {},
                                       std::span<const std::string> given = {},
                                       const TrainContext& context = {});
// Baselines for a model: a linear model and, if there are hidden layers, a network of the same size
// with tanh instead of splines, trained on the same rows and scored on the same test part. The
// linear model is fitted until nothing improves, whatever the options. The tanh network is trained
// with `options`, but its lambda_w is chosen as in train_automatically(). All baselines together
// share the time limit; a baseline that the time limit or a stop cut short is left out.
KNOTWORK_API std::vector<Baseline> train_baselines(const PreparedData& prepared,
                                                   const TrainOptions& options,
                                                   const std::shared_ptr<Monitor>& monitor = {});

}  // namespace knotwork
