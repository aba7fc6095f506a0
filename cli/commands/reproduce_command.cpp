// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.hpp"
#include "cli/options/training_options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress.hpp"
#include "cli/program/commands.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/tables/output_place.hpp"
#include "experiments/page.hpp"
#include "experiments/scenarios.hpp"
#include "files/file_io.hpp"
#include "options/option_text.hpp"

namespace knotwork::cli {
namespace {

using experiments::Report;
using experiments::ScenarioEntry;

struct ReproduceRequest {
  std::optional<App> app;
  std::string scenario;
  std::vector<std::string> datasets = experiments::paper_datasets().names();
  std::string data_dir = "data";
  std::string study, write, figures;
  experiments::ExperimentOptions options;
  bool json = false, progress = false, quiet = false;
};

// Checks everything before the long work begins.
void check_request(const ReproduceRequest& request, const ScenarioEntry& scenario) {
  for (const ScenarioEntry& other : experiments::scenarios().entries()) {
    for (const std::string& option : other.options) {
      const bool used = std::find(scenario.options.begin(), scenario.options.end(), option) !=
                        scenario.options.end();
      if (used || request.app->count("--" + option) == 0) continue;
      fail(ErrorKind::bad_option, of_option(option),
           "--{} would have no effect in {}; leave it out.", option, scenario.name);
    }
  }
  if (request.progress && request.quiet) {
    fail(ErrorKind::bad_option, of_option("progress", "quiet"),
         "--progress and --quiet exclude each other; give only one of them.");
  }
  experiments::check(request.options);
  if (request.write.empty()) return;
  files::check_writable(request.write);
  std::vector<std::string> inputs = {request.study};
  for (const auto& entry : experiments::paper_datasets().entries()) {
    inputs.push_back((std::filesystem::path(request.data_dir) / entry.file).string());
  }
  check_not_an_input("--write", request.write, inputs);
  check_place_of_text("--write", request.write);
}

// The command line of the request, without options for one machine or for the display.
std::string command_line(const ReproduceRequest& request) {
  static const std::vector<std::string> left_out = {"data-dir", "study",    "threads",
                                                    "json",     "progress", "quiet"};
  std::string text = "knotwork reproduce " + request.scenario;
  for (const Option& option : request.app->get_options()) {
    const std::string name = option.get_single_name();
    if (option.is_positional() || option.count() == 0 ||
        std::find(left_out.begin(), left_out.end(), name) != left_out.end()) {
      continue;
    }
    text += fmt::format(" --{}", name);
    if (!option.is_flag()) text += fmt::format(" {}", fmt::join(option.results(), ","));
  }
  return text;
}

void write_page(const ReproduceRequest& request, const Report& report) {
  const std::filesystem::path path = request.write;
  std::string page = "# Reproduction\n";
  if (std::filesystem::exists(path)) {
    const std::vector<std::uint8_t> bytes = files::read_file(path);
    page.assign(bytes.begin(), bytes.end());
  }
  std::filesystem::path figures;
  if (!request.figures.empty()) {
    figures =
        std::filesystem::absolute(request.figures)
            .lexically_normal()
            .lexically_relative(std::filesystem::absolute(path).lexically_normal().parent_path());
  }
  const std::string part =
      experiments::page_part(report, {command_line(request), experiments::this_machine()}, figures);
  write_text(path, experiments::replace_part(page, report.scenario, part));
}

void print(const ReproduceRequest& request, const Report& report) {
  std::vector<std::string> files;
  for (const experiments::Figure& figure : report.figures) {
    files.push_back((std::filesystem::path(request.figures) / figure.file).string());
  }
  if (!request.write.empty()) files.push_back(request.write);
  if (request.json) {
    return print_document(Json{{"command", "reproduce"},
                             {"scenario", report.scenario},
                             {"machine", experiments::this_machine()},
                             {"rows", experiments::to_json(report)},
                             {"notes", report.notes},
                             {"files", files}});
  }
  Lines text = lines_of_own_text(experiments::tables(report) + "\n");
  add_lines(text, report.notes);
  for (const std::string& file : files) text.push_back("written to " + file);
  print_lines(text);
}

int run(ReproduceRequest& request) {
  const ScenarioEntry& scenario = experiments::scenarios().at(request.scenario);
  check_request(request, scenario);
  std::vector<experiments::Dataset> datasets;
  if (scenario.needs_data)
    datasets = experiments::load_datasets(request.datasets, request.data_dir);
  if (!request.figures.empty()) make_folder(request.figures);
  request.options.figures = !request.figures.empty();
  Study study = experiments::open_study(request.study);

  std::optional<Progress> progress(progress_wish(request.quiet, request.progress));
  const experiments::Watch watch{[] { return InterruptGuard::signal() == 0; },
                                 [&](std::size_t done, std::size_t planned, bool found) {
                                   if (found) return;
                                   TrainIteration now;
                                   now.phase = Phase::choosing;
                                   now.iteration = done;
                                   now.total_iterations = planned;
                                   progress->show(now, scenario.name);
                                 }};
  const Report report = scenario.run({datasets, request.options, study, watch});
  progress.reset();
  if (report.stopped) {
    print_remarks(
        {request.study.empty()
             ? "The reproduction was interrupted; with --study FILE the same command could have "
               "resumed it."
             : fmt::format("The reproduction was interrupted; the same command resumes it from {}.",
                           request.study)});
    return 128 + InterruptGuard::signal();
  }
  for (const experiments::Figure& figure : report.figures) {
    write_text(std::filesystem::path(request.figures) / figure.file, figure.svg);
  }
  if (!request.write.empty()) write_page(request, report);
  print(request, report);
  return kDone;
}

void add_number(App app, const std::string& name, const std::string& help,
                const std::function<void(std::size_t)>& take) {
  app.add_option_function(
         "--" + name,
         [name, take](const std::string& text) {
           std::size_t value = 0;
           read_option("--" + name, text, value);
           take(value);
         },
         help)
      .type_name("N");
}

void add_options(App app, ReproduceRequest& request) {
  app.add_option("--datasets", request.datasets, "chemical, california (default: both)")
      .delimiter(',')
      .type_name("NAME,...");
  app.add_option("--data-dir", request.data_dir,
                 "folder with chemical.csv and california_housing.csv (default: data)")
      .type_name("DIR");
  experiments::ExperimentOptions& options = request.options;
  add_number(app, "splits", "random splits of the rows (default: 15)",
             [&](std::size_t n) { options.splits = n; });
  add_number(
      app, "california-splits",
      "splits of California (default: as many as --splits in scenario1, at most 3 otherwise)",
      [&](std::size_t n) { options.california_splits = n; });
  add_number(app, "grid-step", "for scenario2: try every N-th power of 2 (default: 1)",
             [&](std::size_t n) { options.grid_step = n; });
  app.add_flag("--california-extended", options.california_extended,
               "for scenario2: search the extended grid for splines on California too");
  add_number(app, "iterations", "line searches of each training (default: 1500, as in the paper)",
             [&](std::size_t n) { options.iterations = n; });
  add_number(app, "rounds", "for cost: measurements of each network (default: 15)",
             [&](std::size_t n) { options.rounds = n; });
  add_number(app, "threads", "trainings in parallel; 0 for all cores (default: 0)",
             [&](std::size_t n) { options.threads = n; });
  add_isa_option(app);
  app.add_option("--study", request.study,
                 "file that keeps every finished training, so that a stopped run can be resumed")
      .type_name("FILE");
  const std::string group = "Output";
  app.add_option("--write", request.write, "write the results into their part of this page")
      .type_name("FILE")
      .group(group);
  app.add_option("--figures", request.figures, "draw figures (SVG) into this folder")
      .type_name("DIR")
      .group(group);
  app.add_flag("--json", request.json, "print the result as one JSON document").group(group);
  app.add_flag("--progress", request.progress,
               "show progress on standard error even if standard error is not a terminal")
      .group(group);
  app.add_flag("--quiet", request.quiet, "no progress on standard error").group(group);
}

}  // namespace

Command add_reproduce(App program) {
  App app = program.add_subcommand("reproduce", "Repeat the paper's experiments");
  auto request = std::make_shared<ReproduceRequest>();
  request->app = app;
  app.add_option("scenario", request->scenario,
                 fmt::format("which: {}", fmt::join(experiments::scenarios().names(), ", ")))
      .required()
      .type_name("SCENARIO");
  add_options(app, *request);
  std::string list;
  for (const ScenarioEntry& entry : experiments::scenarios().entries()) {
    list += fmt::format("  {:<10} {}\n", entry.name, entry.summary);
  }
  app.footer("Scenarios:\n" + list +
             "\nExamples:\n"
             "  knotwork reproduce scenario1 --datasets chemical\n"
             "  knotwork reproduce scenario2 --study paper.db --write page.md --figures figures\n"
             "  knotwork reproduce ablation --splits 3 --iterations 200\n"
             "  knotwork reproduce cost --json");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
