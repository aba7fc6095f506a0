// SPDX-License-Identifier: MIT
#include "training/data/training_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "base/sha256.hpp"
#include "features/column_roles.hpp"
#include "features/encoding/encoding_fit.hpp"
#include "features/known_targets.hpp"
#include "features/split/hold_out.hpp"
#include "features/target_values.hpp"
#include "features/time_order.hpp"
#include "parallel/rank_merge.hpp"
#include "table/csv/cell_value.hpp"
#include "training/data/target_rows.hpp"

namespace knotwork::training {
namespace {

// The split for a list of test rows; `known` are the rows that have a target.
features::SplitSets listed_rows(const table::TableReader& table, const features::RowSet& known,
                                std::vector<std::size_t> test) {
  std::sort(test.begin(), test.end());
  if (const auto twice = std::adjacent_find(test.begin(), test.end()); twice != test.end()) {
    fail(ErrorKind::bad_data, "Row {} is listed twice in the list of test rows.", *twice);
  }
  if (test.back() >= table.rows()) {
    fail(ErrorKind::bad_data,
         "The list of test rows names row {}, but {} has only {} rows, numbered from 0.",
         test.back(), table.description().source, table.rows());
  }
  const features::RowSet listed = features::RowSet::of(table.rows(), test);
  const auto part = [&](bool is_test) {
    return features::RowSet(table.rows(), [&](std::size_t row) {
      return known.contains(row) && listed.contains(row) == is_test;
    });
  };
  features::SplitSets parts{part(false), part(true)};
  if (parts.held_out.empty()) {
    fail(ErrorKind::bad_data, in_file(table.description().source),
         "has no target in any of the listed test rows.");
  }
  return parts;
}

// Classes have the same shares in both parts, unless the task requests another split.
features::SplitSets divide(const table::TableReader& table, const features::RowSet& known,
                           const TableTask& task, const std::string& class_column,
                           std::uint64_t seed) {
  if (!task.test_rows.empty()) return listed_rows(table, known, task.test_rows);
  const auto windows_of = [&](const std::string& column) -> features::ColumnWindows {
    if (column.empty()) return {};
    return column_windows(table, table.description().index_of(column));
  };
  const std::string& strata = task.stratify_column.empty() ? class_column : task.stratify_column;
  return hold_out(known,
                  {task.test_last, windows_of(task.group_column), windows_of(strata),
                   table.monitor()},
                  task.test_fraction, seed, Purpose::test_split);
}

// Whether nothing but chance, or the classes, chooses the test rows.
bool is_drawn_at_random(const TableTask& task) {
  return task.test_fraction > 0 && !task.test_last && task.group_column.empty() &&
         task.stratify_column.empty();
}

void check_rows(const table::TableReader& table, const TablePlan& plan) {
  if (plan.train.size() >= kFewestRows) return;
  fail(ErrorKind::bad_data, "{} has {} training {} ({} for the test{}); at least {} are needed.",
       table.description().source, plan.train.size(), plan.train.size() == 1 ? "row" : "rows",
       plan.test.size(),
       plan.without_target == 0 ? "" : fmt::format(", {} without a target", plan.without_target),
       kFewestRows);
}

// Finds everything about a plan that depends on the rows.
class Planner {
 public:
  Planner(const table::TableReader& table, const TableTask& task, Ranks* ranks)
      : table_(table), task_(task), ranks_(ranks) {}

  // In groups of columns, because a sample of each numeric column is kept for its median.
  Encoding encoding(const std::vector<std::size_t>& inputs, const TablePlan& plan) const {
    constexpr std::size_t kColumnsAtOnce = 16;
    Encoding all;
    std::vector<std::size_t> rows;
    std::vector<std::string> means_of = plan.targets;
    if (!plan.classes.empty()) means_of = {plan.classes.begin() + 1, plan.classes.end()};
    for (const std::string& name : task_.keep) table_.description().index_of(name);
    for (std::size_t done = 0; done < inputs.size(); done += kColumnsAtOnce) {
      const auto columns =
          std::span(inputs).subspan(done, std::min(kColumnsAtOnce, inputs.size() - done));
      const table::TableReader table = table_.with_columns(columns);
      std::vector<std::size_t> places;
      std::vector<std::string> keep;
      for (const std::size_t column : columns) {
        const std::string& name = table_.description().names[column];
        places.push_back(table.description().index_of(name));
        if (contains(task_.keep, name)) keep.push_back(name);
      }
      features::EncodingFit fit(table.description(), places,
                                {keep, task_.one_hot_max_size, means_of});
      each_own_window(table, [&](const Table& window, std::size_t first) {
        rows.clear();
        plan.train.for_each(first, first + window.rows(),
                            [&](std::size_t row) { rows.push_back(row); });
        fit.see(window, first, rows);
      });
      parallel::merge_over(ranks_, fit);
      fit.finish(all);
    }
    features::check_encoding(table_.description(), all);
    return all;
  }

  // Fits the target means among the inputs of the plan.
  void fit_target_means(TablePlan& plan, std::uint64_t seed) const {
    if (std::none_of(plan.encoding.begin(), plan.encoding.end(), [](const InputColumn& input) {
          return input.kind == InputKind::target_mean;
        })) {
      return;
    }
    auto out_of_fold = std::make_shared<features::OutOfFold>();
    out_of_fold->train = plan.train;
    const std::vector<std::uint8_t> folds = features::mean_folds(table_.rows(), groups(), seed);
    features::TargetMeans means(table_.description(), plan.classes.size(), plan.encoding, folds);
    std::vector<std::size_t> rows;
    each_own_window(table_, [&](const Table& window, std::size_t first) {
      rows.clear();
      plan.train.for_each(first, first + window.rows(),
                          [&](std::size_t row) { rows.push_back(row); });
      std::vector<std::vector<double>> targets;
      for (const std::string& target : plan.targets) {
        targets.push_back(features::values_where_known(window, {target, {}, {}, plan.classes}));
      }
      means.see(window, first, rows, targets);
    });
    parallel::merge_over(ranks_, means);
    means.finish(plan.encoding, *out_of_fold);
    plan.out_of_fold = std::move(out_of_fold);
  }

  // Rows are hashed in pieces of a million, so that processes can share the work.
  std::string rows_sha256(const TablePlan& plan) const {
    const std::size_t pieces = (table_.rows() + kPiece - 1) / kPiece;
    Ranks::Bytes digests;
    table::TableReader::together(ranks_, [&] {
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        if (ranks_ && piece * ranks_->size() / pieces != ranks_->rank()) continue;
        const std::string digest = sha256_of_piece(plan, piece);
        digests.insert(digests.end(), digest.begin(), digest.end());
      }
    });
    if (ranks_) {
      digests = ranks_->combine(std::move(digests), [](Ranks::Bytes& left, Ranks::Bytes&& right) {
        left.insert(left.end(), right.begin(), right.end());
      });
    }
    if (pieces == 1) return {digests.begin(), digests.end()};
    Sha256 sha;
    sha.update(digests);
    return sha.hex_digest();
  }

  // Adds a remark if the test part does not have the requested size.
  void remark_on_test_part(TablePlan& plan) const {
    if (task_.test_fraction == 0) return;
    const std::size_t rows = plan.train.size() + plan.test.size();
    const double share = static_cast<double>(plan.test.size()) / static_cast<double>(rows);
    constexpr double kFar = 0.05;
    if (!task_.group_column.empty() && std::abs(share - task_.test_fraction) > kFar) {
      plan.remarks.push_back(
          fmt::format("The test part has {:.0f} % of the rows, not {:.0f} %, because groups of "
                      "column '{}' stay together.",
                      100 * share, 100 * task_.test_fraction, task_.group_column));
    }
    if (task_.stratify_column.empty()) return;
    std::set<double> classes;
    const std::size_t column = table_.description().index_of(task_.stratify_column);
    column_windows(table_, column)([&](std::size_t first, std::span<const double> cells) {
      for (const features::RowSet* part : {&plan.train, &plan.test}) {
        if (part->empty()) continue;
        part->for_each(first, first + cells.size(),
                       [&](std::size_t row) { classes.insert(cells[row - first]); });
      }
    });
    if (2 * classes.size() > rows) {
      plan.remarks.push_back(
          fmt::format("Column '{}' has {} different values in {} rows, so a test part chosen by "
                      "this column is almost random.",
                      task_.stratify_column, classes.size(), rows));
    }
  }

 private:
  // The cells of the column of groups; empty: there are no groups.
  std::vector<double> groups() const {
    std::vector<double> all;
    if (task_.group_column.empty()) return all;
    const std::size_t column = table_.description().index_of(task_.group_column);
    table::TableReader::together(ranks_, [&] {
      column_windows(table_, column)([&](std::size_t, std::span<const double> cells) {
        all.insert(all.end(), cells.begin(), cells.end());
      });
    });
    return all;
  }

  static constexpr std::size_t kPiece = std::size_t{1} << 20;

  template <class See>
  void each_own_window(const table::TableReader& table, const See& see) const {
    table.for_each_own(ranks_, parallel::own_rows(table.rows(), ranks_), see);
  }

  std::string sha256_of_piece(const TablePlan& plan, std::size_t piece) const {
    Sha256 sha;
    const auto add = [&](const auto& value) {
      sha.update({reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
    };
    const std::size_t last = std::min((piece + 1) * kPiece, table_.rows());
    const table::TableReader columns = targets_of(table_, plan);
    columns.for_each(piece * kPiece, last, [&](const Table& window, std::size_t first) {
      std::vector<std::vector<double>> values;
      for (const std::string& target : plan.targets) {
        values.push_back(features::values_where_known(window, {target, {}, {}, plan.classes}));
      }
      plan.train.for_each(first, first + window.rows(), [&](std::size_t row) {
        add(std::uint64_t{row});
        for (const std::vector<double>& column : values) add(column[row - first]);
      });
    });
    return sha.hex_digest();
  }

  const table::TableReader& table_;
  const TableTask& task_;
  Ranks* ranks_;
};

}  // namespace

features::ColumnWindows column_windows(const table::TableReader& table, std::size_t column) {
  return [one = table.with_columns(std::array{column})](const features::SeeValues& see) {
    one.for_each(0, one.rows(),
                 [&](const Table& window, std::size_t first) { see(first, window.columns[0]); });
  };
}

TablePlan plan_table(const table::TableReader& table, const TableTask& task, std::uint64_t seed,
                     const Model* start, Ranks* ranks) {
  const Table& description = table.description();
  task.check();
  if (start) features::check_start(task, start->inputs);
  if (table.rows() == 0 || description.names.size() < 2) {
    fail(ErrorKind::bad_data, in_file(description.source), csv::delimiter_hint(description.names),
         "has {} {} and {} {}; training needs rows, a target and at least one input.", table.rows(),
         table.rows() == 1 ? "row" : "rows", description.names.size(),
         description.names.size() == 1 ? "column" : "columns");
  }
  const features::Roles roles = features::find_roles(description, task);
  const Planner planner(table, task, ranks);
  const TargetRows targets(table, task, start, ranks);
  TablePlan plan;
  for (const std::size_t target : roles.targets) plan.targets.push_back(description.names[target]);
  plan.remarks = description.remarks;
  std::vector<Remark> class_remarks;
  targets.look(roles, plan, class_remarks);
  const features::RowSet known = targets.known(roles, plan);
  features::SplitSets parts;
  table::TableReader::together(ranks, [&] {
    parts = divide(table, known, task,
                   plan.classes.empty() ? std::string() : plan.targets.front(), seed);
  });
  plan.train = std::move(parts.kept);
  plan.test = std::move(parts.held_out);
  check_rows(table, plan);
  targets.check_variety(plan);
  if (start) {
    plan.encoding = start->inputs;
  } else {
    Encoding encoding = planner.encoding(roles.inputs, plan);
    plan.encoding = std::move(encoding.inputs);
    plan.remarks.insert(plan.remarks.end(), encoding.remarks.begin(), encoding.remarks.end());
    planner.fit_target_means(plan, seed);
  }
  plan.remarks.insert(plan.remarks.end(), class_remarks.begin(), class_remarks.end());
  if (task.test_data) {
    const std::vector<Remark>& more = task.test_data->remarks;
    plan.remarks.insert(plan.remarks.begin(), more.begin(), more.end());
  }
  table::TableReader::together(ranks, [&] { planner.remark_on_test_part(plan); });
  if (is_drawn_at_random(task)) {
    if (const auto remark = features::remark_on_time(table, plan.encoding)) {
      plan.remarks.push_back(*remark);
    }
  }
  plan.rows_sha256 = planner.rows_sha256(plan);
  const bool same_rows =
      start && start->training.rows_sha256 == plan.rows_sha256 && !start->training.refitted;
  if (start && !same_rows) {
    plan.rows_sha256.clear();
    if (!plan.test.empty() || task.test_data) {
      plan.remarks.push_back(
          "The model to start from may have been trained on rows of the test part, so the test "
          "scores may be too good.");
    }
  }
  return plan;
}

}  // namespace knotwork::training
