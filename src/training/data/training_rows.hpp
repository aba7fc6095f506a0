// SPDX-License-Identifier: MIT
// TrainingRows are the rows of a training from any source: they are read in windows, divided into
// parts, and made into scaled samples in memory, in a mapped scratch file or in the memory of their
// source. Processes that train together may each read a share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/split/row_set.hpp"
#include "features/split/split_rows.hpp"
#include "files/scratch_memory.hpp"
#include "table/table_reader.hpp"
#include "training/data/divided_rows.hpp"

#include <knotwork/options.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

// Matrices with some training rows; `kept` owns the memory behind the views of `data`, unless the
// caller owns it.
struct RowsInMemory {
  TrainingData data;
  std::vector<std::size_t> rows;
  std::shared_ptr<const void> kept;
};

// A table for training: the roles of its columns, and its rows.
struct PlannedRows {
  table::TableReader table;  // all known columns
  RowDescription description;
  std::string weight_column, group_column;  // empty: none
  features::RowSet train, test;
  files::MemoryLimit memory;
  Ranks* ranks = nullptr;  // null: single process
};

class TrainingRows {
 public:
  explicit TrainingRows(PlannedRows rows);
  // Refers to the matrices. Throws bad_data unless shapes and parts fit.
  TrainingRows(const TrainingData& data, const Partition& partition);
  TrainingRows(const TrainingRows&) = delete;
  TrainingRows& operator=(const TrainingRows&) = delete;

  const RowDescription& description() const { return description_; }
  std::size_t inputs() const { return description_.input_count; }
  std::size_t training_rows() const { return train_.size(); }  // includes the validation part
  // A hash of rows, columns and the division into parts. The monitor may stop it; it may be null.
  std::string data_sha256(const std::shared_ptr<Monitor>& monitor = {}) const;
  // Throws bad_data unless the parts fit and the weights can be used. The result refers to this
  // object. The monitor sees the passes over rows in files and over many rows in memory, and may
  // stop them.
  std::unique_ptr<DividedRows> divide(const TrainOptions& options,
                                      const std::shared_ptr<Monitor>& monitor = {}) const;
  // Like divide(), but with the test rows in the training and validation parts too.
  std::unique_ptr<DividedRows> divide_all(const TrainOptions& options,
                                          const std::shared_ptr<Monitor>& monitor = {}) const;
  // Training rows on which settings are compared. If there are more than `most` rows, the result
  // may be a random share of them; OptionDescent draws the same share.
  RowsInMemory rows_to_compare(std::size_t most, std::uint64_t seed) const;
  // Some rows as matrices, with their origin.
  RowsInMemory copy_of(const std::vector<std::size_t>& rows) const;
  // Some rows with all columns of the table.
  Table some_rows(const std::vector<std::size_t>& rows) const { return table_.read_rows(rows); }
  // Processes that share the training; null: single process.
  Ranks* ranks() const { return ranks_; }

  const features::RowSet& train() const { return train_; }
  const features::RowSet& test() const { return test_; }
  bool has_partition() const { return has_partition_; }
  // All known columns, and the needed ones among them.
  const table::TableReader& table() const { return table_; }
  const NeededColumns& needed() const { return needed_; }
  const NeededColumns& truth() const { return truth_; }  // without the inputs
  NeededColumns only_input(std::size_t input) const;
  const std::string& weight_column() const { return weight_column_; }
  const std::string& group_column() const { return group_column_; }
  std::optional<std::size_t> groups() const { return groups_; }
  // The caller's matrices, if the rows are from matrices.
  const TrainingData* matrices() const { return matrices_ ? &*matrices_ : nullptr; }
  const files::MemoryLimit& memory() const { return memory_; }

 private:
  std::unique_ptr<DividedRows> divided(const features::RowSet& rows, const features::RowSet& test,
                                       const TrainOptions& options,
                                       std::shared_ptr<Monitor> monitor) const;
  features::SplitSets held_out(const features::RowSet& rows, const TrainOptions& options,
                               const std::shared_ptr<Monitor>& monitor) const;

  std::optional<TrainingData> matrices_;
  table::TableReader table_;
  RowDescription description_;
  std::string weight_column_, group_column_;
  std::optional<std::size_t> groups_;  // column of the table
  NeededColumns needed_, truth_;
  features::RowSet train_, test_;
  bool has_partition_ = true;  // false: all rows, because no parts were given
  files::MemoryLimit memory_;
  Ranks* ranks_ = nullptr;
};

}  // namespace knotwork::training
