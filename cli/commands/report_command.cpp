// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/report_request.hpp"
#include "cli/options/table_request.hpp"
#include "cli/options/training_options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/commands.hpp"
#include "cli/tables/model_input.hpp"

#include <knotwork/predict.hpp>

namespace knotwork::cli {
namespace {

constexpr const char* kUsualPage = "report.html";

struct ReportRequest {
  std::optional<App> app;
  std::string model, data, title, weight_column;
  CsvRequest csv;
  ReportPlaces places;
  TrainOptions options;  // for threads and seed
  bool json = false;
  bool progress = false;
  bool quiet = false;
};

void check_request(const ReportRequest& request) {
  if (request.progress && request.quiet) {
    fail(ErrorKind::bad_option, of_option("progress", "quiet"),
         "--progress and --quiet exclude each other; give only one of them.");
  }
  if (request.data.empty()) refuse_options_without_data(*request.app, {"Data"});
  check_places(request.places, "--out", {request.model, request.data});
}

// Reads the inputs, and the target if the table has it.
Table read_table(const ReportRequest& request, const Model& model) {
  const DataSource data(request.data, request.options.seed);
  const CsvOptions csv = csv_options(request.csv, data, model.cells);
  const std::vector<std::string> names = data.names(csv);
  const bool scored =
      std::all_of(model.targets.begin(), model.targets.end(),
                  [&](const TargetColumn& target) { return contains(names, target.column); });
  return data.read(scored ? scored_columns_for(model, csv, request.weight_column)
                          : columns_for(model, csv));
}

int run(ReportRequest& request) {
  if (!request.places.wanted()) request.places.page = kUsualPage;
  check_request(request);
  program_monitor()->show_progress(progress_wish(request.quiet, request.progress));
  const Model model = read_model(request.model);
  std::optional<Table> table;
  if (!request.data.empty()) table = read_table(request, model);
  ReportOptions options;
  options.title = request.title;
  options.weight_column = request.weight_column;
  options.model_name = std::filesystem::path(request.model).filename().string();
  options.command = command_line(*request.app);
  options.table = table ? &*table : nullptr;
  options.seed = request.options.seed;
  options.threads = request.options.threads;

  options.monitor = program_monitor();
  const WrittenReport written = write_report(model, options, request.places);
  program_monitor()->hide_progress();
  if (table && !request.quiet) print_remarks(remarks_on(*table, model));
  if (request.json) {
    Json document = {{"command", "report"}, {"model", request.model}};
    if (table) document["data"] = {{"source", table->source}, {"rows", table->rows()}};
    add_to(document, written);
    print_document(document);
  } else {
    print_lines(describe(written));
  }
  return kDone;
}

}  // namespace

Command add_report(App program) {
  App app =
      program.add_subcommand("report", "Write a report on a model as an HTML page or as figures");
  auto request = std::make_shared<ReportRequest>();
  request->app = app;
  app.add_option("model", request->model, kModelHelp).required().type_name("MODEL");
  app.add_option("--data", request->data,
                 "table for the parts of the report that need rows: predictions, importance of "
                 "columns, inputs of neurons")
      .type_name("DATA")
      .group("Data");
  app.add_option("--weight-column", request->weight_column,
                 "column of sample weights, for scores and importances")
      .type_name("COL")
      .group("Data");
  add_csv_options(app, request->csv);
  add_report_options(
      app, request->places, "--out",
      fmt::format("file for the page (default: {}, unless --figures is given)", kUsualPage));
  app.add_option("--title", request->title, "title of the page").type_name("TEXT").group("Output");
  app.add_flag("--json", request->json, "print the result as one JSON document").group("Output");
  app.add_flag("--progress", request->progress,
               "show progress on standard error even if standard error is not a terminal")
      .group("Output");
  app.add_flag("--quiet", request->quiet, "no progress and no remarks on standard error")
      .group("Output");
  add_training_option(app, option_field(&TrainOptions::threads), "threads; 0 for all cores",
                      request->options);
  add_isa_option(app);
  add_training_option(app, option_field(&TrainOptions::seed),
                      "seed of the shuffling, and of a built-in data set", request->options);
  app.footer(
      "The page needs no other file and no network. Without --data it shows the training and the\n"
      "curves. Rows that the model was not trained on are the most informative.\n"
      "\n"
      "Examples:\n"
      "  knotwork report model.safetensors\n"
      "  knotwork report model.safetensors --data test.csv --out report.html\n"
      "  knotwork report model.safetensors --data test.csv --figures figures\n"
      "  knotwork train table.csv --target price --snapshots 40 --report report.html");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
