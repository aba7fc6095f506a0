// SPDX-License-Identifier: MIT
#include "cli/commands/compare/compare_request.hpp"

#include <fmt/format.h>

#include <map>

#include "base/fail.hpp"
#include "cli/output/output.hpp"
#include "cli/tables/output_place.hpp"
#include "files/file_io.hpp"
#include "options/option_text.hpp"

namespace knotwork::cli {
namespace {

void add_variant_options(App app, CompareRequest& request) {
  const std::string group = "Variants";
  app.add_option("--activations", request.activations,
                 "a variant for each activation of the hidden layers: names, or all (but identity)")
      .type_name("LIST")
      .group(group);
  app.add_option("--bases", request.bases, "a variant for each spline basis: names, or all")
      .type_name("LIST")
      .group(group);
  app.add_option("--penalties", request.penalties,
                 "a variant for each set of penalties on splines: none, damping (lambda-q), slope, "
                 "curvature, or several joined by +; all means none, damping, slope, curvature and "
                 "damping+curvature")
      .type_name("LIST")
      .group(group);
  app.add_option("--variant", request.variants,
                 "a variant by its name and training options, as in 'deep: --hidden 20,20'; repeat "
                 "it for several")
      .type_name("NAME: OPTIONS")
      .allow_extra_args(false)  // or it would take the argument that follows
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
  add_number(app, "--folds", request.folds,
             fmt::format("parts of the rows, each of which is predicted once (default: {})",
                         standard.folds),
             group);
  add_number(app, "--repeats", request.repeats,
             fmt::format("how often, with other folds each time (default: {})", standard.repeats),
             group);
  add_number(app, "--budget", request.budget,
             fmt::format("settings of its penalties that each variant may try inside the training "
                         "rows of each fold; 0: none (default: {})",
                         standard.budget),
             group);
  add_number(app, "--inner-folds", request.inner_folds,
             fmt::format("parts of those rows that each setting is scored on (default: {})",
                         standard.inner_folds),
             group);
  add_number(app, "--sample", request.sample, "use so many rows of the table, drawn at random",
             group);
  app.add_option("--group-column", request.table.group_column,
                 "column of groups whose rows are never divided; not an input")
      .type_name("COL")
      .group(group);
  app.add_flag("--time-order", request.in_time_order,
               "rows follow each other in time: folds are blocks of them")
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
               "show progress on standard error even when it is not a terminal")
      .group(group);
  app.add_flag("--quiet", request.quiet, "no progress and no remarks on standard error")
      .group(group);
}

void check_file(const std::string& option, const std::string& file, const CompareRequest& request) {
  if (file.empty()) return;
  if (is_standard_output(file)) {
    fail(ErrorKind::bad_option, "{} needs the name of a file; standard output has the table.",
         option);
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
                 "TOML file with options by their names; the command line wins")
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
    fail(ErrorKind::bad_option, "{} and {} exclude each other; give one of them.", option, other);
  };
  if (request.data.empty()) {
    fail(ErrorKind::bad_option, "compare needs DATA; knotwork compare --help shows the use.");
  }
  exclude(request.progress, "--progress", request.quiet, "--quiet");
  exclude(request.json, "--json", request.markdown, "--markdown");
  exclude(request.in_time_order, "--time-order", !request.table.group_column.empty(),
          "--group-column");
  if (request.in_time_order && request.repeats > 1) {
    fail(ErrorKind::bad_option,
         "--repeats would have no effect: with --time-order there is one way to cut the rows.");
  }
  check_file("--csv", request.csv, request);
  check_file("--report", request.report, request);
  if (!request.csv.empty() && !request.report.empty() &&
      lead_to_one_file(request.csv, request.report)) {
    fail(ErrorKind::bad_option, "--csv and --report are both {}; they need a file each.",
         request.csv);
  }
}

}  // namespace knotwork::cli
