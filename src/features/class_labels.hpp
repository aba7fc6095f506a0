// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parallel/message.hpp"

#include <knotwork/encoding.hpp>
#include <knotwork/task.hpp>

namespace knotwork::features {

// The distinct numbers of a column whose cells come in pieces, up to the number that can be
// classes, and how often each of them occurs.
class DistinctNumbers {
 public:
  void see(std::span<const double> cells);
  parallel::MergeState state() const;
  void merge(std::span<const std::int64_t> state);

  std::size_t rows() const { return rows_; }  // without missing cells
  bool has_gaps() const { return gaps_; }
  // More than kMaxCategories numbers mean that there are too many; they are not counted then.
  const std::map<double, std::size_t>& counts() const { return counts_; }

 private:
  std::size_t rows_ = 0;
  bool gaps_ = false;
  std::map<double, std::size_t> counts_;
};

// Labels of the classes of a target column: texts in byte order, numbers in ascending order. Empty
// if the column contains numbers to predict. If the task does not say whether the target has
// classes, the cells decide; if numbers are then treated as classes, a remark says so. Another
// remark names classes that occur once. Only the names and labels of `table` are used; `cells` are
// the cells of the column. Throws bad_data.
std::vector<std::string> find_classes(const Table& table, std::size_t column,
                                      const DistinctNumbers& cells, std::optional<TaskKind> kind,
                                      std::vector<Remark>& remarks);

}  // namespace knotwork::features
