// SPDX-License-Identifier: MIT
#include "cli/commands/tune/tune_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/fail.hpp"
#include "cli/output/output.hpp"
#include "cli/tables/output_place.hpp"
#include "cli/tables/training_table.hpp"
#include "files/file_io.hpp"
#include "options/option_text.hpp"

#include <knotwork/search.hpp>

namespace knotwork::cli {
namespace {

void add_search_options(App app, TuneRequest& request) {
  const std::string group = "Search";
  app.add_option("--study", request.study,
                 "file that keeps the finished folds (required, except with --show); with the same "
                 "file, a search is resumed")
      .type_name("FILE")
      .group(group);
  app.add_option("--vary", request.vary,
                 "a training option and the values to try: values separated by bars, or a range, "
                 "LOW..HIGH or LOW..HIGH:POINTS; repeat --vary for several options (default: "
                 "lambda-w=2^-20..2^5 and lambda-q=2^-20..2^5)")
      .type_name("OPTION=VALUES")
      .allow_extra_args(false)  // otherwise the option would take the next argument
      .group(group);
  app.add_option("--strategy", request.strategy,
                 fmt::format("{} (default: grid; without --vary: refine)",
                             fmt::join(search_strategies().names(), ", ")))
      .type_name("NAME")
      .group(group);
  app.add_option_function(
         "--folds",
         [&request](const std::string& text) { read_option("--folds", text, request.folds); },
         fmt::format("number of folds of the training rows (default: {})", request.folds))
      .type_name("N")
      .group(group);
  app.add_option_function(
         "--trials",
         [&request](const std::string& text) {
           read_option("--trials", text, request.trials.emplace());
         },
         fmt::format("number of settings that random and halving draw (default: {})",
                     SearchOptions{}.trials))
      .type_name("N")
      .group(group);
}

void add_output_options(App app, TuneRequest& request) {
  const std::string group = "Output";
  app.add_option("--out", request.out, "file for the winner's model (default: model.safetensors)")
      .type_name("FILE")
      .group(group);
  app.add_flag("--json", request.json, "print the result as one JSON document").group(group);
  app.add_flag("--progress", request.progress,
               "show progress on standard error even if standard error is not a terminal")
      .group(group);
  app.add_flag("--quiet", request.quiet, "no progress and no remarks on standard error")
      .group(group);
  app.add_option("--show", request.show, "show this study and do not search; DATA is not needed")
      .type_name("FILE")
      .group(group);
  app.add_option("--svg", request.svg, "with --show: draw the scores into this file")
      .type_name("FILE")
      .group(group);
}

}  // namespace

void add_tune_options(App app, TuneRequest& request) {
  request.app = app;
  app.add_option("data", request.data, kDataHelp).type_name("DATA");
  app.add_option("--config", request.config,
                 "TOML file with options by name; options on the command line override it")
      .type_name("FILE");
  add_search_options(app, request);
  add_table_options(app, request.table);
  add_training_options(app, request.training, false);
  add_output_options(app, request);
}

// Checks everything before the long work begins.
void check_search(const TuneRequest& request) {
  if (request.data.empty()) {
    fail(ErrorKind::bad_option,
         "tune needs DATA, or --show and a study; knotwork tune --help shows the use.");
  }
  if (request.study.empty()) {
    fail(ErrorKind::bad_option, of_option("study"),
         "tune needs --study FILE, which stores every finished fold so that a search can be "
         "stopped and resumed.");
  }
  check_all_can_read(request.data, request.table);
  if (request.svg) {
    fail(ErrorKind::bad_option, of_option("svg"),
         "--svg needs --show; after the search, knotwork tune --show {} --svg {} draws the figure.",
         request.study, *request.svg);
  }
  if (request.progress && request.quiet) {
    fail(ErrorKind::bad_option, of_option("progress", "quiet"),
         "--progress and --quiet exclude each other; give only one of them.");
  }
  if (is_standard_output(request.out)) {
    fail(ErrorKind::bad_option, of_option("out"),
         "tune prints its result on standard output; give --out a file for the model.");
  }
  if (lead_to_one_file(request.out, request.study)) {
    fail(ErrorKind::bad_option, of_option("out", "study"),
         "--out and --study are both {}; name two different files.", request.out);
  }
  files::check_writable(request.out);
  check_not_an_input(
      "--out", request.out,
      {request.data, request.table.test_rows, request.table.test_data, request.config});
  check_place_of_model("--out", request.out);
}

void check_show(const TuneRequest& request) {
  static const std::set<std::string> allowed = {"show", "svg", "json"};
  for (const Option& option : request.app->get_options()) {
    if (option.count() == 0 || allowed.contains(option.get_single_name())) continue;
    fail(ErrorKind::bad_option, of_option("show"),
         "{} would have no effect with --show, which only shows a study; leave out one of them.",
         option.is_positional() ? option.get_type_name() : option.get_name());
  }
  if (request.svg && is_standard_output(*request.svg)) {
    fail(ErrorKind::bad_option, of_option("svg"), "--svg needs the name of a file for the figure.");
  }
}

}  // namespace knotwork::cli
