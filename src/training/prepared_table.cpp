// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "data/csv_text.hpp"
#include "training/table_columns.hpp"
#include "training/target_classes.hpp"

#include <knotwork/split.hpp>
#include <knotwork/table_training.hpp>

namespace knotwork {
namespace {

// What each column of a table is for.
struct Roles {
  std::vector<std::size_t> targets, inputs;
};

// An input of the model to start from stays one.
void check_start(const TableTask& task, const Model& start) {
  for (const auto& [column, use] : {std::pair{&task.weight_column, "the weights"},
                                    std::pair{&task.group_column, "the groups"}}) {
    for (const InputColumn& input : start.inputs) {
      if (!column->empty() && input.column == *column) {
        fail(ErrorKind::bad_option,
             "Column '{}' cannot be {}: it is an input of the model to start from.", *column, use);
      }
    }
  }
}

Roles find_roles(const Table& table, const TableTask& task) {
  constexpr std::string_view kTarget = "a target";
  std::vector<std::string_view> roles(table.columns.size());
  const auto give = [&](const std::string& name, std::string_view role) {
    const std::size_t c = table.index_of(name);
    if (roles[c] == role)
      fail(ErrorKind::bad_option, "Column '{}' is named twice as {}.", name, role);
    if (!roles[c].empty()) {
      fail(ErrorKind::bad_option, "Column '{}' cannot be both {} and {}.", name, roles[c], role);
    }
    roles[c] = role;
    return c;
  };
  Roles result;
  for (const std::string& name : task.targets) result.targets.push_back(give(name, kTarget));
  if (!task.weight_column.empty()) give(task.weight_column, "the weights");
  if (!task.group_column.empty()) give(task.group_column, "the groups");
  for (const std::string& name : task.drop) {
    const auto& unread = table.unread;
    if (std::find(unread.begin(), unread.end(), name) == unread.end()) {
      give(name, "a column to drop");
    }
  }
  if (task.targets.empty()) {
    result.targets.push_back(give(table.names.back(), kTarget));
  }
  for (std::size_t c = 0; c < roles.size(); ++c) {
    if (roles[c].empty()) result.inputs.push_back(c);
  }
  if (result.inputs.empty()) {
    fail(ErrorKind::bad_data, "{} has no column left to learn from; it needs at least one input.",
         table.source);
  }
  return result;
}

Partition listed_rows(const Table& table, std::vector<std::size_t> test) {
  std::sort(test.begin(), test.end());
  if (const auto twice = std::adjacent_find(test.begin(), test.end()); twice != test.end()) {
    fail(ErrorKind::bad_data, "Row {} stands twice in the list of test rows.", *twice);
  }
  if (test.back() >= table.rows()) {
    fail(ErrorKind::bad_data,
         "The list of test rows names row {}, but {} has only {} rows, numbered from 0.",
         test.back(), table.source, table.rows());
  }
  Partition partition;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!std::binary_search(test.begin(), test.end(), row)) partition.train.push_back(row);
  }
  partition.test = std::move(test);
  return partition;
}

// A group or class must be known for every row.
const std::vector<double>& complete_column(const Table& table, const std::string& name,
                                           std::string_view what) {
  const std::size_t c = table.index_of(name);
  const std::vector<double>& column = table.columns[c];
  const auto missing = std::find_if(column.begin(), column.end(), [](double x) { return x != x; });
  if (missing != column.end()) {
    fail(ErrorKind::bad_data, "{}: the cell is missing, but every row needs its {}.",
         table.where(static_cast<std::size_t>(missing - column.begin()), c), what);
  }
  return column;
}

// Classes have the same shares in both parts, if nothing else is asked for.
Partition divide(const Table& table, const TableTask& task, std::span<const double> groups,
                 std::span<const double> classes, std::uint64_t seed) {
  if (!task.test_rows.empty()) return listed_rows(table, task.test_rows);
  SplitRows split;
  if (task.test_last) {
    split = split_last(table.rows(), task.test_fraction);
  } else if (!groups.empty()) {
    split = split_groups(groups, task.test_fraction, seed);
  } else if (!task.stratify_column.empty()) {
    split = split_stratified(complete_column(table, task.stratify_column, "class"),
                             task.test_fraction, seed);
  } else if (!classes.empty()) {
    split = split_stratified(classes, task.test_fraction, seed);
  } else {
    split = split_rows(table.rows(), task.test_fraction, seed);
  }
  return {std::move(split.kept), std::move(split.held_out)};
}

void check_rows(const Table& table, const Partition& partition) {
  if (partition.train.size() >= kFewestRows) return;
  fail(ErrorKind::bad_data, "{} has {} {} to train on ({} to test); at least {} are needed.",
       table.source, partition.train.size(), partition.train.size() == 1 ? "row" : "rows",
       partition.test.size(), kFewestRows);
}

// Said here, where the cells can be named.
void check_target(const Table& table, std::size_t target, std::span<const double> values,
                  const std::vector<std::string>& classes, std::span<const std::size_t> rows) {
  const double first = values[rows.front()];
  if (std::any_of(rows.begin(), rows.end(), [&](std::size_t r) { return values[r] != first; })) {
    return;
  }
  fail(ErrorKind::bad_data,
       "{}, column {} ('{}'): the target is {} in every row to train on; there is nothing to "
       "learn.",
       table.source, target + 1, table.names[target],
       classes.empty() ? fmt::format("{}", first)
                       : "'" + classes[static_cast<std::size_t>(first)] + "'");
}

// What to know about a test part that was not drawn as it was asked for.
void remark_on_test_part(const Table& table, const TableTask& task, const Partition& partition,
                         std::vector<std::string>& remarks) {
  if (task.test_fraction == 0) return;
  const auto rows = static_cast<double>(table.rows());
  const double share = static_cast<double>(partition.test.size()) / rows;
  constexpr double kFar = 0.05;
  if (!task.group_column.empty() && std::abs(share - task.test_fraction) > kFar) {
    remarks.push_back(
        fmt::format("The test part has {:.0f} % of the rows, not {:.0f} %, because the groups of "
                    "column '{}' are not divided.",
                    100 * share, 100 * task.test_fraction, task.group_column));
  }
  if (task.stratify_column.empty()) return;
  std::vector<double> classes = table.columns[table.index_of(task.stratify_column)];
  std::sort(classes.begin(), classes.end());
  const auto different = std::unique(classes.begin(), classes.end()) - classes.begin();
  if (2 * static_cast<double>(different) > rows) {
    remarks.push_back(
        fmt::format("Column '{}' has {} different values in {} rows, so choosing the test part by "
                    "them is hardly more than chance.",
                    task.stratify_column, different, table.rows()));
  }
}

template <class T>
void add(Sha256& sha, const T& value) {
  sha.update({reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
}

// Everything that scoring will need, before the time for training is spent.
void check_test_data(const Table& table, const std::vector<InputColumn>& inputs,
                     const std::vector<std::string>& targets,
                     const std::vector<std::string>& classes, const std::string& weight_column) {
  table.check();
  const EncodedTable encoded(table, inputs);
  for (const std::string& target : targets) true_values(table, {target, {}, {}, classes});
  if (!weight_column.empty()) weights_to_score_by(table, weight_column);
}

// For a record that must be text; a name that is none is left out.
std::string name_of_file(const std::string& source) {
  const std::string name = std::filesystem::path(source).filename().string();
  return csv::is_utf8(name) ? name : "";
}

}  // namespace

void TableTask::check() const {
  const auto exclude = [](bool a, bool b, std::string_view sentence) {
    if (a && b) throw Error(ErrorKind::bad_option, std::string(sentence));
  };
  const bool by_share = test_fraction > 0 || test_last;
  exclude(!test_rows.empty(), test_data != nullptr,
          "The test part is either a list of rows or a second table, not both.");
  exclude(!test_rows.empty() || test_data, by_share || !stratify_column.empty(),
          "A list of test rows or a second table leaves no share of the rows to choose.");
  exclude(test_last, !group_column.empty() || !stratify_column.empty(),
          "The last rows are the test part, so groups and classes cannot choose it.");
  exclude(!group_column.empty(), !stratify_column.empty(),
          "The test part is chosen by groups or by classes, not by both.");
}

PreparedTable::PreparedTable(const Table& table, const TableTask& task, std::uint64_t seed,
                             const Model* start)
    : source_(name_of_file(table.source)),
      rows_(table.rows()),
      cells_(table.cells),
      in_time_order_(task.test_last),
      weight_column_(task.weight_column),
      test_data_(task.test_data) {
  task.check();
  table.check();
  if (start) check_start(task, *start);
  if (table.rows() == 0 || table.columns.size() < 2) {
    fail(ErrorKind::bad_data,
         "{} has {} {} and {} {}{}; training needs rows, a target and at least one input.",
         table.source, table.rows(), table.rows() == 1 ? "row" : "rows", table.columns.size(),
         table.columns.size() == 1 ? "column" : "columns", csv::delimiter_advice(table.names));
  }
  const Roles roles = find_roles(table, task);
  if (!task.group_column.empty()) groups_ = complete_column(table, task.group_column, "group");
  if (!task.weight_column.empty()) weights_ = complete_weights(table, task.weight_column);
  std::vector<std::string> class_remarks;
  take_targets(table, task, roles.targets, start, class_remarks);
  partition_ =
      divide(table, task, groups_, classes_.empty() ? std::span<double>() : targets_, seed);
  check_rows(table, partition_);
  for (std::size_t k = 0; k < roles.targets.size(); ++k) {
    check_target(table, roles.targets[k], std::span(targets_).subspan(k * rows_, rows_), classes_,
                 partition_.train);
  }
  if (start) {
    encoding_ = start->inputs;
  } else {
    Encoding encoding = fit_encoding(table, roles.inputs, partition_.train, task.keep);
    encoding_ = std::move(encoding.inputs);
    remarks_ = std::move(encoding.remarks);
  }
  remarks_.insert(remarks_.end(), class_remarks.begin(), class_remarks.end());
  remark_on_test_part(table, task, partition_, remarks_);
  identify_rows(start);
  if (task.test_data) {
    check_test_data(*task.test_data, encoding_, target_names_, classes_, task.weight_column);
  }
  const EncodedTable encoded(table, encoding_);
  inputs_.resize(rows_ * encoding_.size());
  for (std::size_t c = 0; c < encoding_.size(); ++c) {
    for (std::size_t r = 0; r < rows_; ++r) inputs_[c * rows_ + r] = encoded(r, c);
  }
}

void PreparedTable::take_targets(const Table& table, const TableTask& task,
                                 std::span<const std::size_t> columns, const Model* start,
                                 std::vector<std::string>& remarks) {
  if (start) {
    classes_ = start->targets.front().classes;
  } else if (columns.size() == 1) {
    classes_ = find_classes(table, columns.front(), task.kind, remarks);
  } else if (task.kind == TaskKind::classification) {
    fail(ErrorKind::bad_option, "Classes are predicted for one target, not for {}.",
         columns.size());
  }
  for (const std::size_t target : columns) {
    const std::string& name = table.names[target];
    const std::vector<double> values = true_values(table, {name, {}, {}, classes_});
    targets_.insert(targets_.end(), values.begin(), values.end());
    target_names_.push_back(name);
  }
}

void PreparedTable::identify_rows(const Model* start) {
  Sha256 sha;
  for (const std::size_t row : partition_.train) {
    add(sha, std::uint64_t{row});
    for (std::size_t o = 0; o < target_names_.size(); ++o) add(sha, targets_[o * rows_ + row]);
  }
  rows_sha256_ = sha.hex_digest();
  if (!start || (start->training.rows_sha256 == rows_sha256_ && !start->training.refitted)) return;
  rows_sha256_.clear();
  if (partition_.test.empty() && !test_data_) return;
  remarks_.push_back(
      "The model to start from may have been trained on rows of the test part, so that the test "
      "scores may be too good.");
}

void PreparedTable::complete(Model& model, std::size_t threads) const {
  Summary& summary = model.training;
  if (test_data_) {
    // Rows far from those of training may have no prediction; the model is whole without the
    // scores.
    try {
      std::vector<Scores> each;
      summary.test = model.evaluate(*test_data_, threads, weight_column_, &each);
      for (std::size_t o = 0; o < summary.target_scores.size(); ++o) {
        summary.target_scores[o].test = each[o];
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_data) throw;
      summary.remarks.push_back(fmt::format("The test part has no scores: {}", error.what()));
    }
  }
  summary.data = source_;
  summary.rows_sha256 = rows_sha256_;
  summary.remarks.insert(summary.remarks.begin(), remarks_.begin(), remarks_.end());
  constexpr double kFarAboveOne = 1.5;
  if (summary.test && !summary.test->classes && summary.test->nrmse > kFarAboveOne &&
      std::isfinite(summary.test->nrmse)) {
    summary.remarks.push_back(
        fmt::format("On the test part the model is far worse than always predicting the mean "
                    "(NRMSE {:.3g}); {}.",
                    summary.test->nrmse,
                    summary.train && summary.train->nrmse > kFarAboveOne
                        ? "so it is on the rows of training, which a lower rate may mend"
                        : "its rows may be unlike those of training"));
  }
}

TrainingData PreparedTable::data() const {
  TrainingData data;
  data.inputs = column_major(std::span<const double>(inputs_), rows_, encoding_.size());
  data.targets = column_major(std::span<const double>(targets_), rows_, target_names_.size());
  data.weights = weights_;
  data.groups = groups_;
  data.encoding = encoding_;
  data.cells = cells_;
  data.target_names = target_names_;
  data.classes = classes_;
  data.in_time_order = in_time_order_;
  return data;
}

Model train(const PreparedTable& prepared, const TrainOptions& options,
            const TrainObserver& observer, const Model* start, Checkpoints* checkpoints) {
  Model model = train(prepared.data(), prepared.partition(), options, observer, start, checkpoints);
  prepared.complete(model, options.threads);
  return model;
}

Model train(const Table& table, const TableTask& task, const TrainOptions& options,
            const TrainObserver& observer, const Model* start) {
  return train(PreparedTable(table, task, options.seed, start), options, observer, start);
}

}  // namespace knotwork
