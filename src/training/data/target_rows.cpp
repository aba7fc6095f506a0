// SPDX-License-Identifier: MIT
#include "training/data/target_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/fail.hpp"
#include "features/class_labels.hpp"
#include "features/known_targets.hpp"
#include "features/target_values.hpp"
#include "parallel/rank_merge.hpp"

namespace knotwork::training {
namespace {

// Records whether numbers differ, and the first of them.
class Variety {
 public:
  void see(double value) {
    if (rows_++ == 0) first_ = value;
    varies_ = varies_ || value != first_;
  }
  parallel::MergeState state() const {
    parallel::MergeState state;
    parallel::put(state, rows_);
    parallel::put(state, first_);
    parallel::put(state, std::size_t{varies_});
    return state;
  }
  void merge(std::span<const std::int64_t> other) {
    parallel::StateReader reader(other);
    const std::size_t rows = reader.size();
    const double first = reader.number();
    const bool varies = reader.size() != 0;
    if (rows > 0) see(first);
    rows_ += rows > 0 ? rows - 1 : 0;
    varies_ = varies_ || varies;
    reader.finish();
  }
  bool varies() const { return varies_; }
  double first() const { return first_; }

 private:
  std::size_t rows_ = 0;
  double first_ = 0;
  bool varies_ = false;
};

struct Tally {
  std::size_t missing_cells = 0, without_target = 0;
  parallel::MergeState state() const {
    parallel::MergeState state;
    parallel::put(state, missing_cells);
    parallel::put(state, without_target);
    return state;
  }
  void merge(std::span<const std::int64_t> other) {
    parallel::StateReader reader(other);
    missing_cells += reader.size();
    without_target += reader.size();
    reader.finish();
  }
};

// A group or class must be known for every row that has its targets.
void check_known(const Table& window, std::span<const std::size_t> rows, const std::string& name,
                 std::string_view what) {
  const std::size_t c = window.index_of(name);
  for (const std::size_t row : rows) {
    if (!std::isnan(window.columns[c][row])) continue;
    fail(ErrorKind::bad_data, window.place(row, c),
         "the cell is missing, but every row needs its {}.", what);
  }
}

}  // namespace

void TargetRows::look(const features::Roles& roles, TablePlan& plan,
                      std::vector<Remark>& remarks) const {
  features::DistinctNumbers cells;
  Tally tally;
  each_own_window(table_, [&](const Table& window, std::size_t) {
    for (const std::vector<double>& column : window.columns) {
      tally.missing_cells += static_cast<std::size_t>(
          std::count_if(column.begin(), column.end(), [](double cell) { return cell != cell; }));
    }
    const std::vector<std::size_t> rows = features::rows_with_values(window, roles.targets);
    tally.without_target += window.rows() - rows.size();
    if (!task_.weight_column.empty()) {
      features::complete_weights(window, task_.weight_column, rows);
    }
    for (const auto& [column, what] :
         {std::pair{&task_.group_column, "group"}, std::pair{&task_.stratify_column, "class"}}) {
      if (!column->empty()) check_known(window, rows, *column, what);
    }
    cells.see(window.columns[roles.targets.front()]);
  });
  parallel::merge_over(ranks_, cells);
  parallel::merge_over(ranks_, tally);
  plan.missing_cells = tally.missing_cells;
  plan.without_target = tally.without_target;
  if (plan.without_target == table_.rows()) {
    std::vector<TargetColumn> targets;
    for (const std::string& name : plan.targets) targets.push_back({.column = name});
    features::refuse_without_targets(table_.description(), targets);
  }
  plan.classes = classes_of(roles, cells, remarks);
  if (plan.without_target > 0 && task_.require_target) {
    refuse_gap(plan);
    if (ranks_) ranks_->meet();  // one rank has found the cell
  }
}

features::RowSet TargetRows::known(const features::Roles& roles, TablePlan& plan) const {
  if (plan.without_target == 0) return features::RowSet::all(table_.rows());
  features::RowSet rows;
  table::TableReader::together(
      ranks_, [&] { rows = features::rows_with_values(table_.with_columns(roles.targets)); });
  // A class may be called "none".
  Hint hint = plan.classes.empty() ? Hint{} : features::word_hint(table_.description());
  if (hint.is_empty()) {
    hint = {.purpose = "to refuse such rows", .settings = {{"require-target", "true"}}};
  }
  plan.remarks.emplace_back(
      std::move(hint),
      fmt::format("{}; {} left out.",
                  features::rows_without_target(plan.without_target, table_.rows(), plan.targets),
                  plan.without_target == 1 ? "it is" : "they are"));
  return rows;
}

void TargetRows::check_variety(const TablePlan& plan) const {
  std::vector<Variety> variety(plan.targets.size());
  each_own_window(targets_of(table_, plan), [&](const Table& window, std::size_t first) {
    for (std::size_t t = 0; t < plan.targets.size(); ++t) {
      const std::vector<double> values =
          features::values_where_known(window, {plan.targets[t], {}, {}, plan.classes});
      plan.train.for_each(first, first + window.rows(),
                          [&](std::size_t row) { variety[t].see(values[row - first]); });
    }
  });
  for (std::size_t t = 0; t < plan.targets.size(); ++t) {
    parallel::merge_over(ranks_, variety[t]);
    if (variety[t].varies()) continue;
    const std::size_t column = table_.description().index_of(plan.targets[t]);
    const double value = variety[t].first();
    fail(ErrorKind::bad_data,
         Where{.file = table_.description().source,
               .column = column + 1,
               .column_name = plan.targets[t]},
         "the target is {} in every training row; there is nothing to learn.",
         plan.classes.empty() ? fmt::format("{}", value)
                              : "'" + plan.classes[static_cast<std::size_t>(value)] + "'");
  }
}

std::vector<std::string> TargetRows::classes_of(const features::Roles& roles,
                                                const features::DistinctNumbers& cells,
                                                std::vector<Remark>& remarks) const {
  if (start_) return start_->targets.front().classes;
  if (roles.targets.size() == 1) {
    return features::find_classes(table_.description(), roles.targets.front(), cells, task_.kind,
                                  remarks);
  }
  if (task_.kind == TaskKind::classification) {
    fail(ErrorKind::bad_option, "Classes can be predicted for one target only, not for {}.",
         roles.targets.size());
  }
  return {};
}

void TargetRows::refuse_gap(const TablePlan& plan) const {
  each_own_window(targets_of(table_, plan), [&](const Table& window, std::size_t) {
    for (const std::string& target : plan.targets) {
      features::true_values(window, {target, {}, {}, plan.classes});
    }
  });
}

table::TableReader targets_of(const table::TableReader& table, const TablePlan& plan) {
  std::vector<std::size_t> columns;
  for (const std::string& name : plan.targets) {
    columns.push_back(table.description().index_of(name));
  }
  return table.with_columns(columns);
}

}  // namespace knotwork::training
