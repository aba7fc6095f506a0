// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "parallel/message.hpp"

#include <knotwork/encoding.hpp>
#include <knotwork/task.hpp>

namespace knotwork::features {

// The different numbers of a column, as far as they are few enough to be classes, of cells that
// come in pieces.
class DistinctNumbers {
 public:
  void see(std::span<const double> cells);
  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  std::size_t rows() const { return rows_; }
  bool has_gaps() const { return gaps_; }
  // More than kMaxCategories: there are too many.
  const std::set<double>& numbers() const { return numbers_; }

 private:
  std::size_t rows_ = 0;
  bool gaps_ = false;
  std::set<double> numbers_;
};

// Labels of the classes that a target column holds: texts in the order of their bytes, numbers in
// their own. Empty if it is a column of numbers to predict: because the task says so, or, where it
// does not say, by the guess; a guess from numbers leaves a remark. Of the table its names and
// labels are looked at; `cells` are those of the column. Throws bad_data.
std::vector<std::string> find_classes(const Table& table, std::size_t column,
                                      const DistinctNumbers& cells, std::optional<TaskKind> kind,
                                      std::vector<std::string>& remarks);

}  // namespace knotwork::features
