// SPDX-License-Identifier: MIT
// Columns of numbers that only tell rows apart: ids, keys and row numbers. A model that learns them
// learns nothing about other rows.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "features/quantile_sample.hpp"
#include "parallel/message.hpp"

namespace knotwork::features {

// Whether a name has the word id, key or row: Id, CustomerId, customer_id, RowNumber, userid,
// "Unnamed: 0". Words end where letters become capital and at digits, blanks and signs; a few nouns
// can stand before them without an end.
bool is_name_of_ids(std::string_view name);

// Whether the cells of a column are whole numbers, and whether they rise from row to row.
class WholeNumbers {
 public:
  // Missing cells are not shown. Rows of one process come in their order.
  void see(double cell, std::size_t row);
  void put(parallel::MergeState& state) const;
  void merge(parallel::StateReader& state);

  bool are_whole() const { return are_whole_; }
  // Every number is larger than the number in the row before.
  bool rise() const;

 private:
  // Consecutive rows that one process has seen.
  struct Run {
    std::size_t first_row = 0;
    double first = 0, last = 0;
  };
  bool are_whole_ = true, rise_ = true;
  std::vector<Run> runs_;
};

// What a column of numbers may be besides a measurement.
enum class IdKind { none, rising_numbers, ids };

// `values` has the cells of the column; those it dropped are taken to be like the others.
IdKind id_kind(std::string_view name, const WholeNumbers& numbers, const QuantileSample& values);

}  // namespace knotwork::features
