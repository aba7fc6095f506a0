// SPDX-License-Identifier: MIT
// The functions of this header predict and score the rows of a table in windows of moderate size: a
// table larger than memory stays in its file, and several processes can share the windows.
//
//   const Model model = load_model("model.safetensors");
//   const StoredTable table("rows.table");
//   const Evaluation result = evaluate(model, table, {.threads = 4});
//   predict_csv(model, table, [&](std::string_view lines) { out << lines; }, {.keep = {"id"}});
//
// Rows may come from any RowSource. Columns are matched by name; columns that are not needed are
// not read. The results have the bits of Model::predict() and Model::evaluate() on the whole table
// in memory, whatever the windows, threads and processes. A Predictor is for many small
// predictions.
//
// Tables, sources, models and Ranks must live until the call returns. Functions for several
// processes must be called in all of them with equal arguments. If such a call throws in one
// process, this process reports the failure to the others (Ranks::report_failure()), so that they
// do not wait for it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/encoding.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/model.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/row_source.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// How a table is read for a model: `csv`, restricted to the columns of the model's inputs. Each is
// read in its format in csv.cells or else in the model, or declared as numbers, text or dates. Cells are read as the model needs if csv.cells is model.cells.
KNOTWORK_API CsvOptions columns_for(const Model& model, CsvOptions csv = {});
// Like columns_for(), with the target columns too, and with the weight column unless its name is
// empty.
KNOTWORK_API CsvOptions scored_columns_for(const Model& model, CsvOptions csv = {},
                                           const std::string& weight_column = {});

struct EvaluateOptions {
  std::size_t threads = 1;                // 0: all cores
  std::string weight_column = {};         // of sample weights; empty: all 1
  Ranks* ranks = nullptr;                 // processes that share the windows; null: no others
  std::shared_ptr<Monitor> monitor = {};  // sees the phase scoring
  bool require_target = false;            // whether a row without a target is refused
};

struct Evaluation {
  Scores scores;
  std::vector<Scores> each;  // of each target
  EncodingReport report;     // what the scored rows contain that the training rows did not
  std::size_t without_target = 0;  // rows that were not scored because a target is missing
};

// A stop requested by the monitor ends the call with an Error of kind `stopped`, in all processes.
// Reads windows of targets and weights first, then windows of all needed columns. Memory does not
// grow with the number of rows (except for the probabilities of up to kExactAucRows rows). Every
// process gets the result. Rows in which a target is missing are not scored. Throws bad_data if a
// column is missing, or the target of every row.
KNOTWORK_API Evaluation evaluate(const Model& model, const RowSource& rows,
                                 const EvaluateOptions& options = {});
KNOTWORK_API Evaluation evaluate(const Model& model, const StoredTable& table,
                                 const EvaluateOptions& options = {});
KNOTWORK_API Evaluation evaluate(const Model& model, const Table& table,
                                 const EvaluateOptions& options = {});

struct PredictOptions {
  std::size_t threads = 1;                // 0: all cores
  std::vector<std::string> keep = {};     // columns of the table to copy before the predictions
  bool spread = false;                    // whether to add Model::spread() before the predictions
  Ranks* ranks = nullptr;                 // processes that share the windows; null: no others
  std::shared_ptr<Monitor> monitor = {};  // sees the phase predicting
};

// Predictions as a table of the same rows. Its columns are the kept columns; with `spread` the
// columns of Model::spread(), "spread" or "spread_price"; then "prediction" for a single target,
// "prediction_price" for one of several, "prediction_0.95" for a quantile. For classes there is
// "probability_red" for each class and "prediction", the most probable class, as the last column.
// Throws bad_option if a kept column has the name of another column.
KNOTWORK_API Table predict_table(const Model& model, const Table& table,
                                 const PredictOptions& options = {});
// The kept columns are here the columns of `kept`, a table with as many rows; options.keep is
// ignored.
KNOTWORK_API Table predict_table(const Model& model, const Table& table, Table kept,
                                 const PredictOptions& options);

// Passes predict_table() of each window, in order, to `take`, with the number of the window's first
// row. Every process has its own windows. Returns what the rows contain that the training rows did
// not, over all processes. A stop requested by the monitor of one process ends the call in all
// processes with an Error of kind `stopped`.
using TakePredictions = std::function<void(const Table& predictions, std::size_t first_row)>;
KNOTWORK_API EncodingReport predict_windows(const Model& model, const RowSource& rows,
                                            const TakePredictions& take,
                                            const PredictOptions& options = {});
KNOTWORK_API EncodingReport predict_windows(const Model& model, const StoredTable& table,
                                            const TakePredictions& take,
                                            const PredictOptions& options = {});
KNOTWORK_API EncodingReport predict_windows(const Model& model, const Table& table,
                                            const TakePredictions& take,
                                            const PredictOptions& options = {});

// Writes predict_table() as CSV: the names, then a line for each row in the order of the table;
// nothing for a table without rows. `write` gets the text in pieces, and only in the first process.
// That process holds the text of one window of each process at a time.
using WriteText = std::function<void(std::string_view text)>;
KNOTWORK_API EncodingReport predict_csv(const Model& model, const RowSource& rows,
                                        const WriteText& write, const PredictOptions& options = {});
KNOTWORK_API EncodingReport predict_csv(const Model& model, const StoredTable& table,
                                        const WriteText& write, const PredictOptions& options = {});
KNOTWORK_API EncodingReport predict_csv(const Model& model, const Table& table,
                                        const WriteText& write, const PredictOptions& options = {});

// --- A model prepared for many small predictions -------------------------------------------------

// Model::predict() prepares tables and memory at each call. A Predictor prepares them once, and its
// calls do not allocate: a row of a small network takes well below a microsecond. Results have the
// bits of Model::predict(). A Predictor has its own memory for computing: use one for each thread.
class KNOTWORK_API Predictor {
 public:
  explicit Predictor(Model model);  // throws bad_model for a model that cannot be used
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  const Model& model() const;

  // One row of raw inputs in the order of model().inputs, or many.
  void predict(std::span<const float> row, std::span<float> prediction);
  void predict(std::span<const double> row, std::span<double> prediction);
  void predict(MatrixView<const float> rows, MatrixView<float> predictions);
  void predict(MatrixView<const double> rows, MatrixView<double> predictions);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace knotwork
