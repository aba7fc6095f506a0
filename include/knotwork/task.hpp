// SPDX-License-Identifier: MIT
// What is asked of a table: which columns are for what, and which rows are kept for testing.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

enum class TaskKind { regression, classification };
template <>
struct EnumNames<TaskKind> {
  static constexpr EnumFamily family{"task"};
  static constexpr EnumName<TaskKind> all[] = {
      {TaskKind::regression, "regression"},
      {TaskKind::classification, "classification"},
  };
};

struct TableTask {
  std::vector<std::string> targets;  // empty: the last column
  // Empty: guessed. A single target of texts, or of at most 10 different whole numbers, are
  // classes; a guess from numbers is said in a remark.
  std::optional<TaskKind> kind;
  std::vector<std::string> drop;  // columns that are not inputs, read or not
  std::vector<std::string> keep;  // text columns that stay inputs though nearly all texts differ
  std::string weight_column;      // of sample weights; empty: none

  // The test part: the rows of a list, those of a second table (shared, not copied), or a share of
  // the rows, drawn at random unless something else is asked for.
  std::vector<std::size_t> test_rows;
  std::shared_ptr<const Table> test_data = {};
  double test_fraction = 0;
  // The last rows, for tables in the order of time; validation parts and folds follow it too.
  bool test_last = false;
  std::string group_column;     // rows of one group are never divided; not an input
  std::string stratify_column;  // its values have the same shares in both parts

  // Throws bad_option when two of these exclude each other.
  void check() const;
};

}  // namespace knotwork
