// SPDX-License-Identifier: MIT
// Rows of a table that stays in its file: read in windows, encoded and scaled into samples that are
// in memory or, if they are too many, in a mapped scratch file. Processes that train together each
// read their own share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "features/split/row_set.hpp"
#include "files/scratch_memory.hpp"
#include "table/table_reader.hpp"
#include "training/data/training_rows.hpp"

#include <knotwork/encoding.hpp>

namespace knotwork::training {

// What is known of a table that is trained on. Its columns are inputs, targets and what is named
// here.
struct StreamedTable {
  table::TableReader windows;
  TrainingData description;                 // names, classes, encoding and so on, without views
  std::string weight_column, group_column;  // empty: none
  features::RowSet train, test;
  files::MemoryLimit memory;
  Ranks* ranks = nullptr;  // null: this process is alone
};

// A window of a table as training sees it.
class EncodedWindow {
 public:
  EncodedWindow(const StreamedTable& table, const Table& window, std::size_t first_row);

  std::size_t first_row() const { return first_row_; }
  std::size_t rows() const { return inputs_.rows(); }
  // By the row's number in the table.
  double input(std::size_t row, std::size_t column) const {
    return inputs_(row - first_row_, column);
  }
  double target(std::size_t row, std::size_t column) const {
    return targets_[column][row - first_row_];
  }
  double weight(std::size_t row) const {
    return weights_.empty() ? 1.0 : weights_[row - first_row_];
  }

 private:
  std::size_t first_row_;
  EncodedTable inputs_;
  std::vector<std::vector<double>> targets_;
  std::span<const double> weights_;
};

// Rows of the table, divided. Refers to the table. In divided_stream.cpp.
std::unique_ptr<DividedRows> divided_stream(const StreamedTable& table, features::RowSet train,
                                            features::RowSet validation, features::RowSet test);

class StreamedRows final : public TrainingRows {
 public:
  explicit StreamedRows(StreamedTable table) : table_(std::move(table)) {}

  const TrainingData& description() const override { return table_.description; }
  std::size_t inputs() const override { return table_.description.encoding.size(); }
  std::size_t training_rows() const override { return table_.train.size(); }
  std::string data_sha256() const override;
  std::unique_ptr<DividedRows> divide(const TrainOptions& options) const override;
  std::unique_ptr<DividedRows> divide_all(const TrainOptions& options) const override;
  RowsInMemory rows_to_compare(std::size_t most, std::uint64_t seed) const override;
  Ranks* ranks() const override { return table_.ranks; }
  const StreamedTable& table() const { return table_; }

 private:
  StreamedTable table_;
};

}  // namespace knotwork::training
