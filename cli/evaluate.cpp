// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/data_source.hpp"
#include "cli/output.hpp"
#include "cli/shared_options.hpp"
#include "model_file/summary_record.hpp"

#include <knotwork/model_file.hpp>

namespace knotwork::cli {
namespace {

struct Request {
  std::string model, data, weight_column;
  TrainOptions options;  // threads and seed
  bool json = false;
};

int run(const Request& request) {
  const Model model = load_model(request.model);
  const Table table = load_table(request.data, request.options.seed);
  const Scores scores = model.evaluate(table, request.options.threads, request.weight_column);
  if (request.json) {
    print_result(Json{{"command", "evaluate"},
                      {"model", request.model},
                      {"data", {{"source", table.source}, {"rows", table.rows()}}},
                      {"test", to_json(scores)},
                      {"parameters_sha256", model.parameters_sha256()}});
  } else {
    print_result(describe(scores) + "\n");
  }
  return kDone;
}

}  // namespace

Command add_evaluate(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("evaluate", "Score a model on a table that has its target");
  auto request = std::make_shared<Request>();
  app->add_option("model", request->model, "a model file")->required()->type_name("MODEL");
  app->add_option("data", request->data, kDataHelp)->required()->type_name("DATA");
  app->add_option("--weight-column", request->weight_column, "column of sample weights")
      ->type_name("COL");
  add_shared_option(*app, "threads", "threads; 0 for all cores", request->options);
  add_shared_option(*app, "seed", "seed of a built-in data set", request->options);
  app->add_flag("--json", request->json, "print the result as one JSON document");
  app->footer(
      "Examples:\n"
      "  knotwork evaluate model.safetensors test.csv\n"
      "  knotwork evaluate model.safetensors builtin:planted --seed 7 --json");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
