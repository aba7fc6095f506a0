// SPDX-License-Identifier: MIT
#include "cli/options/table_request.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/options/known_values.hpp"
#include "cli/options/training_options.hpp"
#include "cli/output/error_text.hpp"
#include "options/option_text.hpp"

#include <knotwork/names.hpp>
#include <knotwork/predict.hpp>

namespace knotwork::cli {
namespace {

using Names = std::vector<std::string>;

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

char read_delimiter(const std::string& text) {
  if (text.empty()) return 0;
  for (const auto& [name, delimiter] : delimiter_names()) {
    if (text == name) return delimiter;
  }
  if (text.size() == 1) return text.front();
  Names words;
  for (const auto& [name, delimiter] : delimiter_names()) words.push_back(name);
  fail(ErrorKind::bad_option, of_option("delimiter"), "{}",
       unknown_name_message("delimiter", text, words));
}

void add_names(App app, const std::string& option, Names& names, const std::string& help,
               const std::string& group) {
  app.add_option(option, names, help)
      .type_name("COL")
      .allow_extra_args(false)  // otherwise the option would take the next argument
      .group(group);
}

void add_name(App app, const std::string& option, std::string& name, const std::string& help,
              const std::string& group) {
  app.add_option(option, name, help).type_name("COL").group(group);
}

void add_test_options(App app, TableOptions& options) {
  const std::string group = "Test part";
  app.add_option_function(
         "--test-fraction",
         [&options](const std::string& text) {
           double& share = options.test_fraction.emplace();
           read_option("--test-fraction", text, share);
           if (!(share >= 0 && share < 1)) {
             fail(ErrorKind::bad_option, of_option("test-fraction"),
                  "--test-fraction must be at least 0 and below 1, not {}.", text);
           }
         },
         fmt::format("share of the rows kept for testing (default: {})", kDefaultTestFraction))
      .type_name("X")
      .group(group);
  app.add_option("--test-rows", options.test_rows,
                 "file with the numbers of the test rows, counted from 0, one per line")
      .type_name("FILE")
      .group(group);
  app.add_option("--test-data", options.test_data, "a second table to test on")
      .type_name("FILE")
      .group(group);
  app.add_flag("--test-last", options.test_last,
               "use the last rows for testing, for tables in the order of time")
      .group(group);
  add_name(app, "--group-column", options.group_column,
           "column of groups; the rows of a group always stay together; the column is not an input",
           group);
  add_name(app, "--stratify", options.stratify,
           "column whose values have the same shares in the training and the test part", group);
}

}  // namespace

void add_csv_options(App app, CsvRequest& request) {
  const std::string group = "Data";
  app.add_option("--missing", request.missing,
                 "additional text for missing cells, like NA; several texts with commas; the model "
                 "stores them")
      .type_name("TEXT")
      .allow_extra_args(false)
      .group(group);
  app.add_flag("--no-missing-words", request.no_missing_words,
               "read NA, N/A, NaN, null, none and ? as texts; only empty cells and the texts of "
               "--missing are missing")
      .group(group);
  app.add_option("--decimal", request.decimal,
                 "decimal sign: point, comma; the model stores it (default: point)")
      .type_name("SIGN")
      .group(group);
  app.add_option(
         "--delimiter", request.delimiter,
         "delimiter of cells: a character, or comma, semicolon, tab, space, or spaces for runs of "
         "them (default: guessed)")
      .type_name("CHAR")
      .group(group);
  app.add_option("--comment", request.comment, "sign of lines that are skipped, such as #")
      .type_name("SIGN")
      .group(group);
  app.add_flag("--header", request.header,
               "the first line contains the column names (default: guessed)")
      .group(group);
  app.add_flag("--no-header", request.no_header, "the first line is data; columns are c1, c2, ...")
      .group(group);
  app.add_option("--date", request.dates,
                 fmt::format("column of dates (default: columns that look like dates), with or "
                             "without the order of their parts: {}; repeat the option for several "
                             "columns or use commas",
                             fmt::join(names<DateOrder>(), ", ")))
      .type_name("COL[=ORDER]")
      .allow_extra_args(false)
      .group(group);
  add_names(app, "--no-date", request.no_dates,
            "column to read as text or numbers, even if it looks like dates; for several columns "
            "repeat the option or use commas",
            group);
}

void add_once(Names& names, const Names& more) {
  for (const std::string& name : more) {
    if (!contains(names, name)) names.push_back(name);
  }
}

// "COL" and "COL=ORDER"; a column may have a name with = in it.
void declare_dates(const CsvRequest& request, const Names& columns, CsvOptions& csv) {
  Names wishes;
  for (const std::string& wish : request.dates) {
    append(wishes, contains(columns, wish) ? Names{wish} : split_at_commas(wish));
  }
  for (const std::string& wish : wishes) {
    const std::size_t sign = contains(columns, wish) ? std::string::npos : wish.rfind('=');
    DateColumn& dates = csv.dates.emplace_back(DateColumn{wish.substr(0, sign)});
    if (sign == std::string::npos) continue;
    with_option("date", [&] { dates.order = from_string<DateOrder>(wish.substr(sign + 1)); });
  }
  csv.no_dates = resolve_lists(request.no_dates, columns);
}

void exclude_each_other(bool a, std::string_view first, bool b, std::string_view second) {
  if (!a || !b) return;
  fail(ErrorKind::bad_option, of_option(first, second),
       "--{} and --{} exclude each other; give only one of them.", first, second);
}

void refuse_options_without_data(const App& app, const std::vector<std::string>& groups) {
  for (const Option& option : app.get_options()) {
    if (option.count() == 0 || !contains(groups, option.get_group())) continue;
    fail(ErrorKind::bad_option, of_typed(option.get_name()),
         "{} would have no effect: it applies to --data, which is not given.", option.get_name());
  }
}

void refuse_csv_options(const CsvRequest& request, const std::string& why) {
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      fail(ErrorKind::bad_option, of_option(option), "--{} would have no effect: {}", option, why);
  };
  refuse(!request.missing.empty(), "missing");
  refuse(request.no_missing_words, "no-missing-words");
  refuse(!request.decimal.empty(), "decimal");
  refuse(!request.delimiter.empty(), "delimiter");
  refuse(request.comment.has_value(), "comment");
  refuse(request.header, "header");
  refuse(request.no_header, "no-header");
  refuse(!request.dates.empty(), "date");
  refuse(!request.no_dates.empty(), "no-date");
}

CsvOptions csv_options(const CsvRequest& request, const DataSource& data,
                       const CellFormat& remembered) {
  if (data.is_builtin()) {
    refuse_csv_options(request, "a built-in set is not a file.");
  } else if (!data.is_text()) {
    refuse_csv_options(request, "it is for tables in text form, and this file is not one.");
  }
  CsvOptions csv = csv_options(request, remembered);
  if (!request.dates.empty() || !request.no_dates.empty()) {
    declare_dates(request, data.names(csv), csv);
  }
  return csv;
}

CsvOptions csv_options(const CsvRequest& request, const CellFormat& remembered) {
  exclude_each_other(request.header, "header", request.no_header, "no-header");
  CsvOptions csv;
  csv.delimiter = read_delimiter(request.delimiter);
  csv.cells = remembered;
  if (!request.decimal.empty()) {
    with_option("decimal",
                [&] { check_value("decimal sign", request.decimal, known_values("decimal")); });
    csv.cells.decimal_comma = request.decimal == "comma";
  }
  if (request.no_missing_words) csv.cells.missing_words = false;
  for (const std::string& text : request.missing) {
    add_once(csv.cells.missing, {text});
    // With decimal commas, -1,5 is one cell.
    if (!csv.cells.decimal_comma) add_once(csv.cells.missing, split_at_commas(text));
  }
  if (request.comment) {
    if (request.comment->empty()) {
      fail(ErrorKind::bad_option, of_option("comment"),
           "--comment needs the sign that comments begin with, such as #.");
    }
    csv.comment = *request.comment;
  }
  if (request.header || request.no_header) csv.header = request.header;
  return csv;
}

Names resolve_lists(const Names& names, const Names& columns) {
  Names resolved;
  for (const std::string& name : names) {
    append(resolved, contains(columns, name) ? Names{name} : split_at_commas(name));
  }
  return resolved;
}

void add_column_options(App app, TableOptions& options) {
  const std::string group = "Data";
  add_names(app, "--target", options.targets,
            "column to predict (default: the last column); for several columns repeat the option "
            "or use commas",
            group);
  app.add_option_function(
         "--task",
         [&options](const std::string& text) {
           with_option("task", [&] { check_value("task", text, kTasks); });
           options.task = text;
         },
         "kind of task: auto (a target of texts, or of at most 10 different whole numbers, has "
         "classes), regression, classification")
      .type_name("KIND")
      .group(group);
  add_names(app, "--drop", options.drop,
            "column that is not an input; for several columns repeat the option or use commas",
            group);
  add_names(app, "--categorical", options.categorical,
            "column to read as text, even if it looks like numbers; for several columns repeat the "
            "option or use commas",
            group);
  add_names(app, "--numeric", options.numeric,
            "column of numbers, in which other texts are errors; it stays an input even if it looks "
            "like ids; for several columns repeat the option or use commas",
            group);
  app.add_option_function(
         "--one-hot-max-size",
         [&options](const std::string& text) {
           read_option("--one-hot-max-size", text, options.one_hot_max_size);
         },
         fmt::format("text columns with more different texts become target means and frequencies "
                     "(default: {})",
                     kOneHotMaxSize))
      .type_name("N")
      .group(group);
  add_name(app, "--weight-column", options.weight_column, "column of sample weights", group);
  app.add_flag("--require-target", options.require_target,
               "refuse a table in which a target is missing; otherwise such rows are left out")
      .group(group);
  add_csv_options(app, options.csv);
}

void add_table_options(App app, TableOptions& options) {
  add_column_options(app, options);
  add_test_options(app, options);
}

void start_from(const Model& start, const std::string& data, TableOptions& options) {
  if (!options.drop.empty()) refuse_beside_start("drop");
  if (!options.categorical.empty()) refuse_beside_start("categorical");
  if (!options.numeric.empty()) refuse_beside_start("numeric");
  if (options.one_hot_max_size != kOneHotMaxSize) refuse_beside_start("one-hot-max-size");
  if (options.task != "auto") refuse_beside_start("task");
  const CsvOptions columns = columns_for(start, {});
  options.needed = *columns.only;
  options.cells = start.cells;
  if (!is_builtin(data)) {
    options.categorical = columns.categorical;
    options.numeric = columns.numeric;
  }
  Names targets;
  for (const TargetColumn& target : start.targets) targets.push_back(target.column);
  if (!options.targets.empty() && resolve_lists(options.targets, targets) != targets) {
    fail(ErrorKind::bad_option, of_option("target"),
         "--target {} differs from the target of the start model, {}; leave it out.",
         fmt::join(options.targets, ","), fmt::join(targets, ", "));
  }
  options.targets = targets;
}

}  // namespace knotwork::cli
