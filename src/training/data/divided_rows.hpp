// SPDX-License-Identifier: MIT
// DividedRows has the training, validation and test parts of the rows; it fits scalings to them and
// makes samples of them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "features/encoding/target_means.hpp"
#include "features/split/row_set.hpp"
#include "parallel/rank_merge.hpp"
#include "table/table_reader.hpp"
#include "training/data/owned_samples.hpp"

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork::features {
class ScalingFit;
}  // namespace knotwork::features

namespace knotwork::training {

class TrainingRows;

enum class Part { train, validation, test };

// The description of the columns of rows for training.
struct RowDescription {
  std::size_t input_count = 0, target_count = 0;
  std::vector<std::string> input_names = {}, target_names = {};  // empty: numbered names
  std::vector<std::string> classes = {};
  std::vector<InputColumn> encoding = {};  // empty: numeric inputs
  std::shared_ptr<const features::OutOfFold> out_of_fold = {};  // as in TablePlan
  CellFormat cells = {};
  bool in_time_order = false;
  std::vector<std::size_t> row_numbers = {};  // see DataOrigin
};

// Columns that are read together: the inputs, unless only the truth is needed, the targets and the
// weights.
struct NeededColumns {
  explicit NeededColumns(table::TableReader columns) : reader(std::move(columns)) {}

  table::TableReader reader;
  // Whether the cells are already checked numbers as training uses them. Otherwise the fields below
  // say how cells are read, and cells that cannot be used are refused.
  bool is_checked = false;
  std::span<const InputColumn> inputs = {};  // to be encoded
  // What training rows see of target means; null: there are none.
  const features::OutOfFold* out_of_fold = nullptr;
  std::vector<std::size_t> targets = {};     // columns of the reader
  std::vector<std::string> target_names = {};
  std::span<const std::string> classes = {};  // empty: the targets are numbers
  std::optional<std::size_t> weights = {};    // column of the reader
};

// A window of rows as training sees them.
class EncodedWindow {
 public:
  EncodedWindow(const NeededColumns& needed, const Table& window, std::size_t first_row);

  std::size_t first_row() const { return first_row_; }
  std::size_t rows() const { return window_.rows(); }
  // `row` is the row's number in the source.
  double input(std::size_t row, std::size_t column) const {
    const std::size_t r = row - first_row_;
    if (!out_of_fold_.empty()) {
      if (const std::optional<double> value = out_of_fold(r, column)) return *value;
    }
    return encoded_ ? (*encoded_)(r, column) : window_.columns[column][r];
  }
  // NaN in a row without a target, which is in no part.
  double target(std::size_t row, std::size_t column) const {
    return targets_[column][row - first_row_];
  }
  double weight(std::size_t row) const {
    return weights_.empty() ? 1.0 : weights_[row - first_row_];
  }

 private:
  // The value of a target mean in a training row; empty for other inputs and rows.
  std::optional<double> out_of_fold(std::size_t r, std::size_t column) const;

  const Table& window_;
  const NeededColumns& needed_;
  std::size_t first_row_;
  std::optional<EncodedTable> encoded_;
  std::vector<EncodedTable> out_of_fold_;  // the target means as each fold sees them
  std::vector<std::vector<double>> looked_up_;
  std::vector<std::span<const double>> targets_;
  std::span<const double> weights_;
};

// These functions call see(window) for windows of rows first .. last-1, and of the rows of this
// process.
template <class See>
void each_window(const NeededColumns& columns, std::size_t first, std::size_t last,
                 const See& see) {
  columns.reader.for_each(first, last, [&](const Table& window, std::size_t row) {
    see(EncodedWindow(columns, window, row));
  });
}
template <class See>
void each_own_window(const NeededColumns& columns, Ranks* ranks, const See& see) {
  columns.reader.for_each_own(
      ranks, parallel::own_rows(columns.reader.rows(), ranks),
      [&](const Table& window, std::size_t row) { see(EncodedWindow(columns, window, row)); });
}

class DividedRows {
 public:
  DividedRows(const TrainingRows& all, features::RowSet train, features::RowSet validation,
              features::RowSet test, std::shared_ptr<Monitor> monitor);

  std::size_t size(Part part) const { return rows(part).size(); }  // rows of all processes
  // For training that starts from a model: throws bad_data unless the columns of the model are the
  // columns of the data.
  void check_columns(const Model& start) const;
  // The columns of a model: their names and scalings, fitted on the training rows.
  std::vector<InputColumn> fit_inputs(const TrainOptions& options) const;
  std::vector<TargetColumn> fit_targets(const TrainOptions& options) const;
  // Scaled rows in the precision of the arithmetic.
  template <class T>
  std::unique_ptr<OwnedSamples<T>> samples(Part part, const Model& model,
                                           const TrainOptions& options) const;
  // Writes the scores of a part into the model's summary. The monitor sees the progress. `stop`, if
  // given, may end the scoring with an Error of kind `stopped`, unless ranks share the rows.
  void score(Model& model, Part part, std::size_t threads, const Monitor* stop = nullptr) const;
  // Raw inputs of at most `most` training rows at equal distances, row by row.
  std::vector<double> some_inputs(std::size_t most) const;

  const features::RowSet& rows(Part part) const;

 private:
  // Columns of all rows, whose windows the monitor sees.
  NeededColumns watched(NeededColumns columns) const;
  // Shows the fits value(window, row, column) of the rows that scalings are fitted to, in as many
  // passes as they request.
  template <class Value>
  void fit(std::vector<features::ScalingFit>& fits, const NeededColumns& columns,
           const Value& value) const;
  RowFacts facts_of(const features::RowSet& part) const;
  RowRange own_positions(const features::RowSet& part, std::size_t batch) const;
  template <class T, class Columns>
  std::optional<LentColumns<T>> lent(const Columns& scalings, bool of_inputs, Part part) const;
  std::vector<const features::RowSet*> parts() const { return {&train_, &validation_, &test_}; }

  const TrainingRows& all_;
  features::RowSet train_, validation_, test_;
  std::shared_ptr<Monitor> monitor_;
};

template <class T>
std::unique_ptr<OwnedSamples<T>> samples_of(const DividedRows& rows, Part part, const Model& model,
                                            const TrainOptions& options) {
  return rows.samples<T>(part, model, options);
}

}  // namespace knotwork::training
