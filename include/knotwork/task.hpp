// SPDX-License-Identifier: MIT
// A Task says which columns of a table are used for what, and which rows are kept for testing.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/encoding.hpp>
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

struct KNOTWORK_API TableTask {
  std::vector<std::string> targets;  // empty: the last column
  // Empty: guessed. A single target with texts, or with at most 10 distinct whole numbers, is
  // treated as classes; a guess from numbers is reported in a remark.
  std::optional<TaskKind> kind;
  std::vector<std::string> drop;  // columns that are not inputs, read or not
  std::vector<std::string> keep;  // columns that stay inputs though nearly all cells differ
  // Text columns with more different texts become target means and frequencies.
  std::size_t one_hot_max_size = kOneHotMaxSize;
  std::string weight_column;  // of sample weights; empty: none
  // Whether a row without a target is refused. Otherwise it is in no part, and a remark counts such
  // rows.
  bool require_target = false;

  // The test part: a list of rows, the rows of a second table (shared, not copied), or a share of
  // the rows, drawn at random unless an option below says otherwise.
  std::vector<std::size_t> test_rows;
  std::shared_ptr<const Table> test_data = {};
  double test_fraction = 0;
  // Test on the last rows, for tables in time order; validation parts and folds then keep this
  // order too.
  bool test_last = false;
  std::string group_column;     // rows of a group are never split; not an input
  std::string stratify_column;  // its values have the same shares in both parts

  // Throws bad_option when two options exclude each other.
  void check() const;
};

}  // namespace knotwork
