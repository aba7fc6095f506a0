// SPDX-License-Identifier: MIT
#include "cli/commands/compare/compare_request.hpp"

#include <fmt/format.h>

#include <map>

#include "base/fail.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/tables/output_place.hpp"
#include "files/file_io.hpp"
#include "options/option_text.hpp"

namespace knotwork::cli {
namespace {

void add_variant_options(App app, CompareRequest& request) {
  const std::string group = "Variants";
  app.add_option("--activations", request.activations,
                 "one variant for each of these activations of the hidden layers: names, or all "
                 "(except identity)")
      .type_name("LIST")
      .group(group);
  app.add_option("--bases", request.bases,
                 "one variant for each of these spline bases: names, or all")
      .type_name("LIST")
      .group(group);
  app.add_option("--penalties", request.penalties,
                 "one variant for each of these sets of spline penalties: none, damping "
                 "(lambda-q), slope, curvature, or several joined by +; all means none, damping, "
                 "slope, curvature and damping+curvature")
      .type_name("LIST")
      .group(group);
  app.add_option("--variant", request.variants,
                 "a variant with its name and training options, as in 'deep: --hidden 20,20'; "
                 "repeat the option for several variants")
      .type_name("NAME: OPTIONS")
      .allow_extra_args(false)  // otherwise the option would take the next argument
      .group(group);
}

template <class Number>
void add_number(App app, const std::string& option, Number& value, const std::string& help,
                const std::string& group) {
  app.add_option_function(
         option,
         [option, &value](const std::string& text) {
           std::size_t number = 0;
           read_option(option, text, number);
           value = number;
         },
         help)
      .type_name("N")
      .group(group);
}

void add_fold_options(App app, CompareRequest& request) {
  const std::string group = "Folds";
  const ComparisonOptions standard;
  add_number(
      app, "--folds", request.folds,
      fmt::format("number of folds; each fold is predicted once (default: {})", standard.folds),
      group);
  add_number(
      app, "--repeats", request.repeats,
      fmt::format("number of repeats of the cross-validation, each with other folds (default: {})",
                  standard.repeats),
      group);
  add_number(app, "--budget", request.budget,
             fmt::format("number of settings of its penalties that each variant tries inside the "
                         "training rows of each fold; 0: no tuning (default: {})",
                         standard.budget),
             group);
  add_number(app, "--inner-folds", request.inner_folds,
             fmt::format("number of inner folds on which each setting is scored (default: {})",
                         standard.inner_folds),
             group);
  add_number(app, "--sample", request.sample,
             "use only this many rows of the table, drawn at random", group);
  app.add_option(
         "--group-column", request.table.group_column,
         "column of groups; the rows of a group always stay together; the column is not an input")
      .type_name("COL")
      .group(group);
  app.add_flag("--time-order", request.in_time_order,
               "the rows are in the order of time: folds are blocks of consecutive rows")
      .group(group);
}

void add_output_options(App app, CompareRequest& request) {
  const std::string group = "Output";
  app.add_flag("--json", request.json, "print the result as one JSON document").group(group);
  app.add_flag("--markdown", request.markdown, "print the result as a table in Markdown")
      .group(group);
  app.add_option("--csv", request.csv, "file for the scores of every fold")
      .type_name("FILE")
      .group(group);
  app.add_option("--report", request.report, "file for a page of HTML with the table and a figure")
      .type_name("FILE")
      .group(group);
  app.add_flag("--progress", request.progress,
               "show progress on standard error even if standard error is not a terminal")
      .group(group);
  app.add_flag("--quiet", request.quiet, "no progress and no remarks on standard error")
      .group(group);
}

void check_file(const std::string& option, const std::string& file, const CompareRequest& request) {
  if (file.empty()) return;
  if (is_standard_output(file)) {
    fail(ErrorKind::bad_option, of_typed(option),
         "{} needs the name of a file, because the table goes to standard output.", option);
  }
  files::check_writable(file);
  check_not_an_input(option, file, {request.data, request.config});
  check_place_of_text(option, file);
}

}  // namespace

void add_compare_options(App app, CompareRequest& request) {
  request.app = app;
  request.training.standard = comparison_options();
  app.add_option("data", request.data, kDataHelp).type_name("DATA");
  app.add_option("--config", request.config,
                 "TOML file with options by name; options on the command line override it")
      .type_name("FILE");
  add_variant_options(app, request);
  add_fold_options(app, request);
  add_column_options(app, request.table);
  add_training_options(app, request.training, false);
  add_output_options(app, request);
}

void check_request(const CompareRequest& request) {
  const auto exclude = [](bool a, const char* option, bool b, const char* other) {
    if (!a || !b) return;
    fail(ErrorKind::bad_option, of_typed(option, other),
         "{} and {} exclude each other; give only one of them.", option, other);
  };
  if (request.data.empty()) {
    fail(ErrorKind::bad_option, "compare needs DATA; knotwork compare --help shows the use.");
  }
  exclude(request.progress, "--progress", request.quiet, "--quiet");
  exclude(request.json, "--json", request.markdown, "--markdown");
  exclude(request.in_time_order, "--time-order", !request.table.group_column.empty(),
          "--group-column");
  if (request.in_time_order && request.repeats > 1) {
    fail(ErrorKind::bad_option, of_option("repeats"),
         "--repeats would have no effect: with --time-order there is only one way to divide the "
         "rows into folds.");
  }
  check_file("--csv", request.csv, request);
  check_file("--report", request.report, request);
  if (!request.csv.empty() && !request.report.empty() &&
      lead_to_one_file(request.csv, request.report)) {
    fail(ErrorKind::bad_option, of_option("csv", "report"),
         "--csv and --report are both {}; name two different files.", request.csv);
  }
}

}  // namespace knotwork::cli
