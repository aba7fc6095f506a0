// SPDX-License-Identifier: MIT
// Rows in the caller's memory.
#pragma once

#include <string>

#include "training/data/training_rows.hpp"

namespace knotwork::training {

// Refers to both. Every process of `ranks` has all rows; they share the work on them.
class MemoryRows final : public TrainingRows {
 public:
  MemoryRows(const TrainingData& data, const Partition& partition, Ranks* ranks = nullptr)
      : data_(data), partition_(partition), ranks_(ranks) {}

  const TrainingData& description() const override { return data_; }
  std::size_t inputs() const override;
  std::size_t training_rows() const override;
  std::string data_sha256() const override;
  std::unique_ptr<DividedRows> divide(const TrainOptions& options) const override;
  std::unique_ptr<DividedRows> divide_all(const TrainOptions& options) const override;
  RowsInMemory rows_to_compare(std::size_t most, std::uint64_t seed) const override;
  Ranks* ranks() const override { return ranks_; }

 private:
  const TrainingData& data_;
  const Partition& partition_;
  Ranks* ranks_;
};

}  // namespace knotwork::training
