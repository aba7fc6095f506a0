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

// The distinct numbers of a column whose cells come in pieces, up to the number that can be
// classes.
class DistinctNumbers {
 public:
  void see(std::span<const double> cells);
  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  std::size_t rows() const { return rows_; }
  bool has_gaps() const { return gaps_; }
  // More than kMaxCategories numbers mean that there are too many.
  const std::set<double>& numbers() const { return numbers_; }

 private:
  std::size_t rows_ = 0;
  bool gaps_ = false;
  std::set<double> numbers_;
};

// Labels of the classes of a target column: texts in byte order, numbers in ascending order. Empty
// if the column contains numbers to predict. If the task does not say whether the target has
// classes, the cells decide; if numbers are then treated as classes, a remark says so. Only the
// names and labels of `table` are used; `cells` are the cells of the column. Throws bad_data.
std::vector<std::string> find_classes(const Table& table, std::size_t column,
                                      const DistinctNumbers& cells, std::optional<TaskKind> kind,
                                      std::vector<Remark>& remarks);

}  // namespace knotwork::features
