// SPDX-License-Identifier: MIT
#include "cli/table_options.hpp"

#include <algorithm>

#include "base/fail.hpp"
#include "cli/model_source.hpp"
#include "cli/option_values.hpp"
#include "cli/training_options.hpp"
#include "training/option_values.hpp"

#include <knotwork/named_table.hpp>

namespace knotwork::cli {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void append(Names& names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
}

Names split_at_commas(const std::string& list) {
  Names names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// A name with a comma in it is a list, unless a column is called just so.
Names resolve_lists(const Names& names, const Names& columns) {
  Names resolved;
  for (const std::string& name : names) {
    append(resolved, contains(columns, name) ? Names{name} : split_at_commas(name));
  }
  return resolved;
}

char read_delimiter(const std::string& text) {
  if (text.empty()) return 0;
  for (const auto& [name, delimiter] : delimiter_names()) {
    if (text == name) return delimiter;
  }
  if (text.size() == 1) return text.front();
  Names words;
  for (const auto& [name, delimiter] : delimiter_names()) words.push_back(name);
  throw Error(ErrorKind::bad_option, unknown_name_message("delimiter", text, words));
}

void refuse_if(bool given, const char* option, const DataSource& data) {
  if (given && data.is_builtin()) {
    fail(ErrorKind::bad_option, "--{} would have no effect: a built-in set is not a file.", option);
  }
}

CLI::Option* add_names(CLI::App& app, const std::string& option, Names& names,
                       const std::string& help, const std::string& group) {
  return app.add_option(option, names, help)
      ->type_name("COL")
      ->allow_extra_args(false)  // or it would take the argument that follows
      ->group(group);
}

void add_name(CLI::App& app, const std::string& option, std::string& name, const std::string& help,
              const std::string& group) {
  app.add_option(option, name, help)->type_name("COL")->group(group);
}

void add_test_options(CLI::App& app, TableOptions& options) {
  const std::string group = "Test part";
  app.add_option_function<std::string>(
         "--test-fraction",
         [&options](const std::string& text) {
           read_option("--test-fraction", text, options.test_fraction.emplace());
         },
         fmt::format("share of the rows kept for testing (default: {})", kDefaultTestFraction))
      ->type_name("X")
      ->group(group);
  app.add_option("--test-rows", options.test_rows,
                 "file with the numbers of the test rows, from 0, one on a line")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--test-data", options.test_data, "a second table to test on")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--test-last", options.test_last,
               "test on the last rows, for tables in the order of time")
      ->group(group);
  add_name(app, "--group-column", options.group_column,
           "column of groups whose rows are never divided; not an input", group);
  add_name(app, "--stratify", options.stratify,
           "column whose values have the same shares in both parts", group);
}

}  // namespace

void add_csv_options(CLI::App& app, CsvRequest& request) {
  const std::string group = "Data";
  app.add_option("--missing", request.missing,
                 "a further text that means a missing cell, as NA does; repeat it for several")
      ->type_name("TEXT")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--delimiter", request.delimiter,
                 "what stands between cells: a character, or comma, semicolon, tab, space "
                 "(default: guessed)")
      ->type_name("CHAR")
      ->group(group);
  app.add_flag("--header", request.header, "the first line has names (default: guessed)")
      ->group(group);
  app.add_flag("--no-header", request.no_header, "the first line is data; columns are c1, c2, ...")
      ->group(group);
}

CsvOptions csv_options(const CsvRequest& request, const DataSource& data) {
  refuse_if(!request.missing.empty(), "missing", data);
  refuse_if(!request.delimiter.empty(), "delimiter", data);
  refuse_if(request.header, "header", data);
  refuse_if(request.no_header, "no-header", data);
  if (request.header && request.no_header) {
    fail(ErrorKind::bad_option, "--header and --no-header exclude each other; give one of them.");
  }
  CsvOptions csv;
  csv.delimiter = read_delimiter(request.delimiter);
  csv.cells.missing = request.missing;
  if (request.header || request.no_header) csv.header = request.header;
  return csv;
}

void add_table_options(CLI::App& app, TableOptions& options) {
  const std::string group = "Data";
  add_names(app, "--target", options.targets,
            "column to predict (default: the last); repeat it for several", group);
  add_names(app, "--drop", options.drop, "column that is not an input; repeat it, or use commas",
            group);
  add_names(app, "--categorical", options.categorical,
            "column of texts, whatever it looks like; repeat it for several", group);
  add_names(app, "--numeric", options.numeric,
            "column of numbers, in which words are mistakes; repeat it for several", group);
  add_name(app, "--weight-column", options.weight_column, "column of sample weights", group);
  add_csv_options(app, options.csv);
  add_test_options(app, options);
}

void start_from(const Model& start, const std::string& data, TableOptions& options) {
  if (!options.drop.empty()) refuse_beside_start("drop");
  if (!options.categorical.empty()) refuse_beside_start("categorical");
  if (!options.numeric.empty()) refuse_beside_start("numeric");
  if (!is_builtin(data)) {
    const CsvOptions columns = columns_for(start, {});
    options.categorical = columns.categorical;
    options.numeric = columns.numeric;
  }
  if (!options.targets.empty()) return;
  for (const TargetColumn& target : start.targets) options.targets.push_back(target.column);
}

Table load_table(const std::string& data, const TableOptions& options, std::uint64_t seed) {
  if (data == "-" && options.test_data == "-") {
    fail(ErrorKind::bad_option,
         "Standard input can be one table only; name a file for the other one.");
  }
  const DataSource source(data, seed);
  refuse_if(!options.categorical.empty(), "categorical", source);
  refuse_if(!options.numeric.empty(), "numeric", source);
  CsvOptions csv = csv_options(options.csv, source);
  csv.categorical = options.categorical;
  csv.numeric = options.numeric;
  // What is left out may hold anything, so it is read as text.
  const auto read = [&](const Names& drop) {
    CsvOptions own = csv;
    for (const std::string& name : drop) {
      if (!contains(csv.numeric, name)) own.categorical.push_back(name);
    }
    return source.read(own);
  };
  const bool lists = std::any_of(options.drop.begin(), options.drop.end(), [](const auto& name) {
    return name.find(',') != std::string::npos;
  });
  if (lists) {
    try {
      return read(options.drop);
    } catch (const Error&) {
      // No column is called so, or something is wrong that the second reading will tell.
    }
  }
  return read(resolve_lists(options.drop, {}));
}

std::optional<Table> load_test_table(const TableOptions& options, const Table& table) {
  if (options.test_data.empty()) return std::nullopt;
  const DataSource source(options.test_data, 0);
  if (source.is_builtin()) {
    fail(ErrorKind::bad_option,
         "--test-data {} would be the rows of training again; name a file of others.",
         options.test_data);
  }
  CsvRequest request = options.csv;
  CsvOptions csv = csv_options(request, source);
  Names unused = resolve_lists(options.drop, table.names);
  append(unused, {options.group_column, options.stratify});
  csv.only.emplace();
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const std::string& name = table.names[c];
    if (contains(unused, name)) continue;
    csv.only->push_back(name);
    (table.is_text(c) ? csv.categorical : csv.numeric).push_back(name);
  }
  return source.read(csv);
}

TableTask make_task(const TableOptions& options, const Table& table, const Table* test) {
  TableTask task;
  task.targets = options.targets;
  task.drop = resolve_lists(options.drop, table.names);
  task.keep = options.categorical;
  task.weight_column = options.weight_column;
  task.group_column = options.group_column;
  task.stratify_column = options.stratify;
  task.test_last = options.test_last;
  task.test_data = test;
  if (!options.test_rows.empty()) task.test_rows = read_row_numbers(options.test_rows);
  const bool by_share = options.test_rows.empty() && !test;
  task.test_fraction = options.test_fraction.value_or(by_share ? kDefaultTestFraction : 0);
  task.check();
  if (by_share && task.test_fraction == 0 && (task.test_last || !task.stratify_column.empty())) {
    fail(ErrorKind::bad_option,
         "--{} would have no effect: with --test-fraction 0 there is no "
         "test part.",
         task.test_last ? "test-last" : "stratify");
  }
  return task;
}

}  // namespace knotwork::cli
