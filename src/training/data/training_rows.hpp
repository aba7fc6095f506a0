// SPDX-License-Identifier: MIT
// The rows of a training, wherever they are: in the caller's memory, or in a file that is read in
// windows and may be shared by several processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <knotwork/model.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/options.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

enum class Part { train, validation, test };

// Scaled rows in the precision of the arithmetic.
template <class T>
class OwnedSamples {
 public:
  virtual ~OwnedSamples() = default;
  virtual Samples<T> view() const = 0;  // into this object
};

// The rows, divided into parts.
class DividedRows {
 public:
  virtual ~DividedRows() = default;

  virtual std::size_t size(Part part) const = 0;  // rows of all processes
  // For a model to go on from: throws bad_data unless its columns are those of the data.
  virtual void check_columns(const Model& start) const = 0;
  // The columns of a model: their names and scalings, fitted on the training rows.
  virtual std::vector<InputColumn> fit_inputs(const TrainOptions& options) const = 0;
  virtual std::vector<TargetColumn> fit_targets(const TrainOptions& options) const = 0;
  virtual std::unique_ptr<OwnedSamples<float>> float_samples(Part part, const Model& model,
                                                             const TrainOptions& options) const = 0;
  virtual std::unique_ptr<OwnedSamples<double>> double_samples(
      Part part, const Model& model, const TrainOptions& options) const = 0;
  // Into the model's summary.
  virtual void score(Model& model, Part part, std::size_t threads) const = 0;
  // Raw inputs of at most so many training rows at equal distances, row by row.
  virtual std::vector<double> some_inputs(std::size_t most) const = 0;
};

template <class T>
std::unique_ptr<OwnedSamples<T>> samples_of(const DividedRows& rows, Part part, const Model& model,
                                            const TrainOptions& options) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return rows.float_samples(part, model, options);
  } else {
    return rows.double_samples(part, model, options);
  }
}

// Rows in memory, some of them to train on; `kept` is what the views of data refer to, if it is not
// the caller's.
struct RowsInMemory {
  TrainingData data;
  std::vector<std::size_t> rows;
  std::shared_ptr<const void> kept;
};

class TrainingRows {
 public:
  virtual ~TrainingRows() = default;

  // Names, classes, encoding and so on; its views are not for everyone to look at.
  virtual const TrainingData& description() const = 0;
  virtual std::size_t inputs() const = 0;
  virtual std::size_t training_rows() const = 0;  // validation part included
  virtual std::string data_sha256() const = 0;    // of rows, columns and their division into parts
  // Throws bad_data unless the parts make sense and the weights can be used.
  virtual std::unique_ptr<DividedRows> divide(const TrainOptions& options) const = 0;
  // The same with all rows in the training and validation parts.
  virtual std::unique_ptr<DividedRows> divide_all(const TrainOptions& options) const = 0;
  // Training rows to compare settings on; of more than `most` there may be a share only, drawn as
  // OptionDescent would.
  virtual RowsInMemory rows_to_compare(std::size_t most, std::uint64_t seed) const = 0;
  // Processes that share the training; null: this one is alone.
  virtual Ranks* ranks() const { return nullptr; }
};

}  // namespace knotwork::training
