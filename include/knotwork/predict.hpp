// SPDX-License-Identifier: MIT
// Predicting and scoring the rows of a table, in windows of moderate size: a table larger than
// memory stays in its file, and several processes can share the windows.
//
//   const Model model = load_model("model.safetensors");
//   const StoredTable table("rows.table");
//   const Evaluation result = evaluate(model, table, {.threads = 4});
//   predict_csv(model, table, [&](std::string_view lines) { out << lines; }, {.keep = {"id"}});
//
// Columns are matched by name; columns that are not asked for are not read. Neither windows nor
// threads nor processes change a bit of what Model::predict() and Model::evaluate() give for the
// whole table in memory. A Predictor is for
// many small predictions.
//
// The tables, models and Ranks that are handed over are referred to until the call returns.
// Functions of several processes are called by all of them with equal arguments.
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
#include <knotwork/ranks.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// How a table is read for a model: `csv` with the columns of its inputs as the only ones, and
// declared as numbers or texts. Cells are read as the model asks if csv.cells is model.cells.
KNOTWORK_API CsvOptions columns_for(const Model& model, CsvOptions csv = {});
// The same with the targets, and with a column of weights unless that name is empty.
KNOTWORK_API CsvOptions scored_columns_for(const Model& model, CsvOptions csv = {},
                                           const std::string& weight_column = {});

struct EvaluateOptions {
  std::size_t threads = 1;         // 0: all cores
  std::string weight_column = {};  // of sample weights; empty: all 1
  Ranks* ranks = nullptr;          // processes that share the windows; null: this one alone
  // Optional: gets the share of the windows of this process that is done, again and again.
  std::function<void(double share)> progress = {};
};

struct Evaluation {
  Scores scores;
  std::vector<Scores> each;  // of every target by itself
  EncodingReport report;     // what the table held that training did not
};

// Reads windows of targets and weights first, then windows of all columns that are needed. Memory
// does not grow with the rows (but for probabilities of up to kExactAucRows of them). Every process
// gets the result. Throws bad_data where the table lacks a column or a cell that is scored.
KNOTWORK_API Evaluation evaluate(const Model& model, const StoredTable& table,
                                 const EvaluateOptions& options = {});
KNOTWORK_API Evaluation evaluate(const Model& model, const Table& table,
                                 const EvaluateOptions& options = {});

struct PredictOptions {
  std::size_t threads = 1;             // 0: all cores
  std::vector<std::string> keep = {};  // columns of the table that stand before the predictions
  bool spread = false;     // how far the networks of an ensemble are apart, before the predictions
  Ranks* ranks = nullptr;  // processes that share the windows; null: this one alone
  // Optional: gets the share of the windows that is done, again and again. Returning false in one
  // process ends the work of all.
  std::function<bool(double share)> progress = {};
};

// Predictions as a table of the same rows. Its columns are the kept ones; with `spread` those of
// Model::spread(), "spread" or "spread_price"; then "prediction" of a single target,
// "prediction_price" of one of several, "prediction_0.95" of a quantile. Classes have
// "probability_red" for each, and as the last column "prediction", the most probable one. Throws
// bad_option where a kept column has the name of another one.
KNOTWORK_API Table predict_table(const Model& model, const Table& table,
                                 const PredictOptions& options = {});
// The same with columns of another table of as many rows as the kept ones; options.keep does not
// count.
KNOTWORK_API Table predict_table(const Model& model, const Table& table, Table kept,
                                 const PredictOptions& options);

// Hands predict_table() of one window after the other to `take`, with the number of its first row.
// Every process has windows of its own. Returns what the table held that training did not, over
// all processes, or nothing if `progress` ended the work.
using TakePredictions = std::function<void(const Table& predictions, std::size_t first_row)>;
KNOTWORK_API std::optional<EncodingReport> predict_windows(const Model& model,
                                                           const StoredTable& table,
                                                           const TakePredictions& take,
                                                           const PredictOptions& options = {});
KNOTWORK_API std::optional<EncodingReport> predict_windows(const Model& model, const Table& table,
                                                           const TakePredictions& take,
                                                           const PredictOptions& options = {});

// The same as CSV: the names, then a line for each row in the order of the table; nothing for a
// table without rows. `write` gets pieces of the text, in the first process only, which holds the
// text of one window of each process at a time.
using WriteText = std::function<void(std::string_view text)>;
KNOTWORK_API std::optional<EncodingReport> predict_csv(const Model& model, const StoredTable& table,
                                                       const WriteText& write,
                                                       const PredictOptions& options = {});
KNOTWORK_API std::optional<EncodingReport> predict_csv(const Model& model, const Table& table,
                                                       const WriteText& write,
                                                       const PredictOptions& options = {});

// --- A model made ready for many small predictions -----------------------------------------------

// Model::predict() prepares tables and memory each time; a Predictor does so once, and then its
// calls do not allocate: a row of a small network takes well below a microsecond. The bits are
// those of Model::predict(). A Predictor works in memory of its own: use one for each thread.
class KNOTWORK_API Predictor {
 public:
  explicit Predictor(Model model);  // throws bad_model for one that cannot be used
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
