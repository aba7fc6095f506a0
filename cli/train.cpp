// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "base/fail.hpp"
#include "cli/commands.hpp"
#include "cli/data_source.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "model_file/file_io.hpp"
#include "model_file/summary_record.hpp"
#include "training/option_values.hpp"

#include <knotwork/model_file.hpp>
#include <knotwork/training.hpp>

namespace knotwork::cli {
namespace {

struct Request {
  std::string data;
  std::vector<std::string> targets;
  std::string weight_column;
  std::string preset;
  double test_fraction = 0.3;
  std::string test_rows;
  std::string out = "model.safetensors";
  bool json = false;
  bool progress = false;
  // Of the training options, in the order of their table; those that were given.
  std::vector<std::optional<std::string>> values;
};

std::string describe_network(const Network& network) {
  std::string text = fmt::format("{}", network.inputs());
  std::vector<std::string_view> activations;
  for (const Layer& layer : network.layers()) {
    text += fmt::format("-{}", layer.outputs);
    activations.push_back(layer.activation->name());
  }
  return fmt::format("{} ({}), {} parameters", text, fmt::join(activations, ", "),
                     network.parameters().size());
}

Json to_document(const Request& request, const Table& table, const Model& model, int signal) {
  Json document = {
      {"command", "train"},
      {"data",
       {{"source", table.source}, {"rows", table.rows()}, {"columns", table.columns.size()}}},
      {"model", request.out}};
  for (const ColumnScaling& target : model.targets) document["targets"].push_back(target.column);
  std::vector<std::size_t> sizes = {model.network.inputs()};
  Json activations = Json::array();
  for (const Layer& layer : model.network.layers()) {
    sizes.push_back(layer.outputs);
    activations.push_back(layer.activation->name());
  }
  document["network"] = {{"sizes", sizes},
                         {"activations", activations},
                         {"parameters", model.network.parameters().size()},
                         {"precision", to_string(model.precision)}};
  document.update(to_json(model.training));
  document["interrupted"] = signal != 0;
  document["parameters_sha256"] = model.parameters_sha256();
  return document;
}

std::string to_text(const Request& request, const Table& table, const Model& model) {
  const Summary& summary = model.training;
  std::string text = fmt::format("data       {}: {} rows, {} columns\n", table.source, table.rows(),
                                 table.columns.size());
  std::vector<std::string> targets;
  for (const ColumnScaling& target : model.targets) targets.push_back(target.column);
  text += fmt::format("target     {}\n", fmt::join(targets, ", "));
  text += fmt::format("network    {}\n", describe_network(model.network));
  text += fmt::format("training   {}: {} iterations, {} evaluations, {:.2f} s; stopped by: {}\n",
                      summary.optimizer, summary.iterations, summary.evaluations, summary.seconds,
                      to_string(summary.reason));
  text += fmt::format("objective  {:.6g}\n", summary.objective.value);
  if (summary.train) text += fmt::format("train      {}\n", describe(*summary.train));
  if (summary.validation) text += fmt::format("validation {}\n", describe(*summary.validation));
  if (summary.test) text += fmt::format("test       {}\n", describe(*summary.test));
  text += fmt::format("model      {}\n", request.out);
  return text;
}

TrainOptions read_options(const Request& request) {
  TrainOptions options;
  if (request.preset == "paper") {
    options = paper_options();
  } else if (!request.preset.empty()) {
    throw Error(ErrorKind::bad_option, unknown_name_message("preset", request.preset, {"paper"}));
  }
  const auto& fields = train_option_fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (request.values[k]) fields[k].set(options, *request.values[k]);
  }
  check(options);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const std::string reason = request.values[k] ? fields[k].unused_because(options) : "";
    if (!reason.empty()) {
      fail(ErrorKind::bad_option, "--{} would have no effect: {}.", fields[k].name, reason);
    }
  }
  return options;
}

int run(const Request& request) {
  const TrainOptions options = read_options(request);
  TableTask task;
  task.targets = request.targets;
  task.weight_column = request.weight_column;
  task.test_fraction = request.test_fraction;
  if (!request.test_rows.empty()) task.test_rows = read_row_numbers(request.test_rows);
  check_writable(request.out);
  check_not_an_input(request.out, {request.data, request.test_rows});
  const Table table = load_table(request.data, options.seed);

  const InterruptGuard guard;
  Model model = [&] {
    Progress progress(request.progress);
    return train(table, task, options, [&](const TrainIteration& iteration) {
      progress.show(iteration);
      return InterruptGuard::signal() == 0;
    });
  }();
  save_model(model, request.out);
  const int signal = InterruptGuard::signal();
  if (request.json) {
    print_result(to_document(request, table, model, signal));
  } else {
    print_result(to_text(request, table, model));
  }
  if (signal == 0) return kDone;
  fmt::print(stderr, "knotwork: Training was interrupted; the best model so far is in {}.\n",
             request.out);
  return 128 + signal;
}

}  // namespace

Command add_train(CLI::App& program) {
  CLI::App* app = program.add_subcommand("train", "Train a network on a table");
  auto request = std::make_shared<Request>();
  app->add_option("data", request->data, kDataHelp)->required()->type_name("DATA");
  app->add_option("--target", request->targets,
                  "column to predict (default: the last); repeat it for several")
      ->type_name("COL")
      ->allow_extra_args(false);  // or it would take DATA for another target
  app->add_option("--weight-column", request->weight_column, "column of sample weights")
      ->type_name("COL");
  CLI::Option* fraction = app->add_option_function<std::string>(
                                 "--test-fraction",
                                 [request](const std::string& text) {
                                   read_option("--test-fraction", text, request->test_fraction);
                                 },
                                 "share of the rows kept for testing (default: 0.3)")
                              ->type_name("X");
  app->add_option("--test-rows", request->test_rows,
                  "file with the numbers of the test rows, from 0, one on a line")
      ->type_name("FILE")
      ->excludes(fraction);
  app->add_option("--out", request->out, "where the model goes (default: model.safetensors)")
      ->type_name("FILE");
  app->add_option("--preset", request->preset,
                  "paper: the settings of the paper's experiments; other options still win")
      ->type_name("NAME");
  app->add_flag("--json", request->json, "print the result as one JSON document");
  app->add_flag("--progress", request->progress,
                "show progress on standard error even when it is not a terminal");
  const TrainOptions defaults;
  const auto& fields = train_option_fields();
  request->values.resize(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const TrainOptionField& field = fields[k];
    if (field.value.empty()) {
      app->add_flag_callback(
          "--" + field.name, [request, k] { request->values[k] = "true"; }, field.help);
      continue;
    }
    const std::string standard = field.get(defaults);
    app->add_option("--" + field.name, request->values[k],
                    field.help + (standard.empty() ? "" : " (default: " + standard + ")"))
        ->type_name(field.value);
  }
  app->footer(
      "Examples:\n"
      "  knotwork train table.csv --target price --out price.safetensors\n"
      "  knotwork train table.csv --preset paper --lambda-w 1e-2 --lambda-q 1e-4\n"
      "  knotwork train builtin:planted --hidden 4 --seed 1\n"
      "  knotwork train table.csv --optimizer adam --batch 256 --iterations 100 "
      "--schedule cosine");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
