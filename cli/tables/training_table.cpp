// SPDX-License-Identifier: MIT
#include "cli/tables/training_table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/output/error_text.hpp"
#include "cli/program/rank_session.hpp"

namespace knotwork::cli {
namespace {

using Names = std::vector<std::string>;

void refuse_if(bool given, const char* option, const DataSource& data) {
  if (given && data.is_builtin()) {
    fail(ErrorKind::bad_option, of_option(option),
         "--{} would have no effect: a built-in set is not a file.", option);
  }
}

// Checks the options that choose the test part.
void check_exclusions(const TableOptions& options) {
  const bool rows = !options.test_rows.empty(), data = !options.test_data.empty();
  const bool groups = !options.group_column.empty(), classes = !options.stratify.empty();
  const bool share = options.test_fraction.value_or(0) > 0;
  exclude_each_other(rows, "test-rows", data, "test-data");
  for (const auto& [given, name] : {std::pair(rows, "test-rows"), std::pair(data, "test-data")}) {
    exclude_each_other(given, name, share, "test-fraction");
    exclude_each_other(given, name, options.test_last, "test-last");
    exclude_each_other(given, name, classes, "stratify");
  }
  exclude_each_other(options.test_last, "test-last", groups, "group-column");
  exclude_each_other(options.test_last, "test-last", classes, "stratify");
  exclude_each_other(groups, "group-column", classes, "stratify");
}

void check_categorical(const Names& categorical, const Names& targets) {
  for (const std::string& target : targets) {
    if (!contains(categorical, target)) continue;
    fail(ErrorKind::bad_option, of_option("categorical"),
         "--categorical is for inputs, but '{}' is the target; use --task classification to make "
         "its values classes.",
         target);
  }
}

// A dropped column can have no other use, and must exist.
void check_dropped(const Names& drop, const TableOptions& options, const Table& file) {
  const Names targets = resolve_lists(options.targets, file.names);
  for (std::size_t k = 0; k < drop.size(); ++k) {
    const std::string& name = drop[k];
    file.index_of(name);
    if (std::find(drop.begin(), drop.begin() + std::ptrdiff_t(k), name) !=
        drop.begin() + std::ptrdiff_t(k)) {
      fail(ErrorKind::bad_option, of_option("drop"), "--drop names column '{}' twice.", name);
    }
    const char* const other = contains(targets, name)         ? "--target"
                              : name == options.weight_column ? "--weight-column"
                              : name == options.group_column  ? "--group-column"
                              : name == options.stratify      ? "--stratify"
                                                              : nullptr;
    if (other) {
      fail(ErrorKind::bad_option, of_typed(other, "drop"),
           "{} and --drop both name column '{}'; leave out one of them.", other, name);
    }
  }
  if (targets.empty() && contains(drop, file.names.back())) {
    fail(ErrorKind::bad_option, of_option("drop"),
         "--drop names '{}', the last column, which is the default target; name another target "
         "with --target.",
         file.names.back());
  }
}

// The columns that the options need.
CsvOptions columns_to_read(const DataSource& source, const std::string& data,
                           const TableOptions& options) {
  refuse_if(!options.categorical.empty(), "categorical", source);
  refuse_if(!options.numeric.empty(), "numeric", source);
  CsvOptions csv = csv_options(options.csv, source, options.cells);
  const Names names = source.names(csv);
  csv.categorical = resolve_lists(options.categorical, names);
  csv.numeric = resolve_lists(options.numeric, names);
  check_categorical(csv.categorical, options.targets.empty()
                                         ? Names{names.back()}
                                         : resolve_lists(options.targets, names));
  if (!options.drop.empty()) {
    const Names drop = resolve_lists(options.drop, names);
    check_dropped(drop, options, {.source = data, .names = names, .columns = {}});
    csv.only.emplace();
    for (const std::string& name : names) {
      if (!contains(drop, name)) add_once(*csv.only, {name});
    }
    if (csv.only->size() == 1) {
      fail(ErrorKind::bad_option, of_option("drop"),
           "--drop leaves only column '{}' of {}; training needs a target and at least one input.",
           csv.only->front(), data);
    }
  } else if (!options.needed.empty()) {
    csv.plain_numbers = true;
    csv.only = options.needed;
    add_once(*csv.only, options.targets);
    for (const std::string& name :
         {options.weight_column, options.group_column, options.stratify}) {
      if (!name.empty()) add_once(*csv.only, {name});
    }
  }
  return csv;
}

DataSource source_of(const std::string& data, const TableOptions& options, std::uint64_t seed) {
  check_exclusions(options);
  if (data == "-" && options.test_data == "-") {
    fail(ErrorKind::bad_option,
         "Standard input can provide only one table; name a file for the other table.");
  }
  return DataSource(data, seed);
}

}  // namespace

void check_all_can_read(const std::string& data, const TableOptions& options) {
  if (ranks().size() == 1 || (data != "-" && options.test_data != "-")) return;
  fail(ErrorKind::bad_option,
       "Only one of the {} processes can read standard input; name a file that all processes can "
       "read.",
       ranks().size());
}

Table load_table(const std::string& data, const TableOptions& options, std::uint64_t seed) {
  const DataSource source = source_of(data, options, seed);
  return source.read(columns_to_read(source, data, options));
}

TrainingTable open_table(const std::string& data, const TableOptions& options, std::uint64_t seed) {
  const DataSource source = source_of(data, options, seed);
  CsvOptions columns = columns_to_read(source, data, options);
  if (!source.stored()) return {source.read(columns), std::nullopt, {}};
  std::vector<std::size_t> places;
  Table table = source.stored()->describe(columns, places);
  return {std::move(table), *source.stored(), std::move(columns)};
}

std::shared_ptr<const Table> load_test_table(const TableOptions& options, const Table& table) {
  if (options.test_data.empty()) return nullptr;
  const DataSource source(options.test_data, 0);
  if (source.is_builtin()) {
    fail(ErrorKind::bad_option, of_option("test-data"),
         "--test-data {} is the training table; name a file with other rows.", options.test_data);
  }
  CsvOptions csv = csv_options(options.csv, source, options.cells);
  csv.only.emplace();
  csv.dates.clear();
  csv.no_dates.clear();
  csv.cells.columns = table.cells.columns;
  csv.plain_numbers = true;
  const auto has_format = [&](const std::string& name) {
    return std::any_of(csv.cells.columns.begin(), csv.cells.columns.end(),
                       [&](const ColumnFormat& format) { return format.column == name; });
  };
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const std::string& name = table.names[c];
    if (name == options.group_column || name == options.stratify) continue;
    csv.only->push_back(name);
    if (table.is_text(c)) {
      csv.categorical.push_back(name);
    } else if (!source.is_text() || !has_format(name)) {
      table.is_date(c) ? csv.dates.push_back({name}) : csv.numeric.push_back(name);
    }
  }
  auto test = std::make_shared<Table>(source.read(csv));
  for (Remark& remark : test->remarks) {
    remark = {remark.hint(), "In the test data: " + remark.sentence()};
  }
  return test;
}

TableTask make_task(const TableOptions& options, const Table& table,
                    std::shared_ptr<const Table> test) {
  TableTask task;
  Names columns = table.names;
  columns.insert(columns.end(), table.unread.begin(), table.unread.end());
  task.targets = resolve_lists(options.targets, columns);
  task.drop = resolve_lists(options.drop, columns);
  task.keep = resolve_lists(options.categorical, columns);
  for (const std::string& name : resolve_lists(options.numeric, columns)) {
    if (contains(table.names, name)) add_once(task.keep, {name});
  }
  task.one_hot_max_size = options.one_hot_max_size;
  task.weight_column = options.weight_column;
  if (options.task != "auto") {
    task.kind = options.task == "regression" ? TaskKind::regression : TaskKind::classification;
  }
  task.require_target = options.require_target;
  task.group_column = options.group_column;
  task.stratify_column = options.stratify;
  task.test_last = options.test_last;
  const bool by_share = options.test_rows.empty() && !test;
  task.test_data = std::move(test);
  if (!options.test_rows.empty()) task.test_rows = read_row_numbers(options.test_rows);
  task.test_fraction = options.test_fraction.value_or(by_share ? kDefaultTestFraction : 0);
  task.check();
  if (by_share && task.test_fraction == 0 && (task.test_last || !task.stratify_column.empty())) {
    fail(ErrorKind::bad_option, of_option(task.test_last ? "test-last" : "stratify"),
         "--{} would have no effect: with --test-fraction 0 there is no "
         "test part.",
         task.test_last ? "test-last" : "stratify");
  }
  return task;
}

}  // namespace knotwork::cli
