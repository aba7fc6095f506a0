// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/data_source.hpp"
#include "cli/output.hpp"
#include "cli/shared_options.hpp"
#include "model_file/file_io.hpp"

#include <knotwork/model_file.hpp>

namespace knotwork::cli {
namespace {

struct Request {
  std::string model, data, out;
  TrainOptions options;  // threads and seed
  bool json = false;
};

int run(const Request& request) {
  const Model model = load_model(request.model);
  if (!request.out.empty()) {
    check_writable(request.out);
    check_not_an_input(request.out, {request.model, request.data});
  }
  const Table table = load_table(request.data, request.options.seed);
  Table predictions;
  predictions.source = "predictions";
  predictions.columns = model.predict(table, request.options.threads);
  for (const ColumnScaling& target : model.targets) {
    predictions.names.push_back(model.targets.size() == 1 ? "prediction"
                                                          : "prediction_" + target.column);
  }
  const std::string csv = to_csv(predictions);
  if (!request.out.empty()) {
    write_file_atomically(request.out,
                          {reinterpret_cast<const std::uint8_t*>(csv.data()), csv.size()});
  }
  if (request.json) {
    Json document = {{"command", "predict"},
                     {"model", request.model},
                     {"data", {{"source", table.source}, {"rows", table.rows()}}}};
    if (request.out.empty()) {
      for (std::size_t c = 0; c < predictions.names.size(); ++c) {
        document["predictions"][predictions.names[c]] = predictions.columns[c];
      }
    } else {
      document["out"] = request.out;
    }
    print_result(document);
  } else if (request.out.empty()) {
    print_result(csv);
  } else {
    print_result(fmt::format("{} predictions in {}\n", table.rows(), request.out));
  }
  return kDone;
}

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* app = program.add_subcommand("predict", "Predict the rows of a table with a model");
  auto request = std::make_shared<Request>();
  app->add_option("model", request->model, "a model file")->required()->type_name("MODEL");
  app->add_option("data", request->data, kDataHelp)->required()->type_name("DATA");
  app->add_option("--out", request->out, "CSV file for the predictions (default: print them)")
      ->type_name("FILE");
  add_shared_option(*app, "threads", "threads; 0 for all cores", request->options);
  add_shared_option(*app, "seed", "seed of a built-in data set", request->options);
  app->add_flag("--json", request->json, "print the result as one JSON document");
  app->footer(
      "Examples:\n"
      "  knotwork predict model.safetensors new.csv --out predictions.csv\n"
      "  cat new.csv | knotwork predict model.safetensors -");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
