// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.hpp"
#include "cli/options/table_request.hpp"
#include "cli/options/training_options.hpp"
#include "cli/output/inspect_text.hpp"
#include "cli/output/layer_use_text.hpp"
#include "cli/output/network_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/output/tensor_text.hpp"
#include "cli/program/commands.hpp"
#include "cli/tables/data_source.hpp"
#include "cli/tables/model_input.hpp"

#include <knotwork/model_file.hpp>
#include <knotwork/predict.hpp>

namespace knotwork::cli {
namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct InspectRequest {
  std::optional<App> app;
  std::string model, neuron, data;
  CsvRequest csv;
  TrainOptions options;  // for threads and seed
  bool full = false;
  bool json = false;
};

// The neuron of a name LAYER:NEURON or NETWORK:LAYER:NEURON, counted from 1.
MovedActivation find_neuron(const Model& model, const std::string& name) {
  std::vector<std::size_t> places;
  bool numbers = true;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(':', begin), name.size());
    const auto [stop, error] =
        std::from_chars(name.data() + begin, name.data() + end, places.emplace_back());
    numbers = numbers && error == std::errc() && stop == name.data() + end;
    begin = end + 1;
  }
  if (places.size() == 2) places.insert(places.begin(), 1);
  if (places.size() != 3 || !numbers) {
    fail(ErrorKind::bad_option, of_option("neuron"),
         "--neuron must be LAYER:NEURON or NETWORK:LAYER:NEURON, counted from 1, not '{}'.", name);
  }
  const auto check = [&](std::size_t number, std::size_t most, const char* what) {
    if (number == 0 || number > most) {
      fail(ErrorKind::bad_option, of_option("neuron"),
           "--neuron {} names {} {}, but the model has only 1 to {}.", name, what, number, most);
    }
    return number - 1;
  };
  const std::size_t member = check(places[0], model.members.size(), "network");
  const std::vector<Layer>& layers = model.members[member].layers();
  const std::size_t layer = check(places[1], layers.size(), "layer");
  const std::size_t neuron = check(places[2], layers[layer].outputs, "neuron");
  for (MovedActivation& moved : moved_activations(model, kAll, program_monitor().get())) {
    if (moved.member == member && moved.layer == layer && moved.neuron == neuron) {
      return std::move(moved);
    }
  }
  fail(ErrorKind::bad_option, of_option("neuron"),
       "--neuron {} has the activation {}, which does not learn a curve.", name,
       layers[layer].activation->name());
}

Json to_json(const FigurePoints& points) {
  Json list = Json::array();
  for (const FigurePoint& point : points) list.push_back({point.x, point.y});
  return list;
}

Json neuron_document(const MovedActivation& neuron, const Model& model) {
  return {{"name", neuron_name(neuron, model)},
          {"distance", neuron.distance},
          {"control_points", to_json(neuron.control_points)}};
}

Json to_document(const InspectRequest& request, const Model& model) {
  Json document = {{"command", "inspect"},
                   {"model", request.model},
                   {"bytes", nullptr},
                   {"parameters_sha256", model.parameters_sha256()}};
  if (const auto bytes = size_of_file(request.model)) document["bytes"] = *bytes;
  document["record"] = parse_document(record_json(model));
  document["record"].erase("sha256");  // a checksum of the file, already checked
  if (const auto bound = bound_on_changes(model)) document["lipschitz_bound"] = *bound;
  document["tensors"] = tensors_document(model, request.full);
  document["neurons"] = Json::array();
  for (const MovedActivation& neuron : moved_activations(model, kAll, program_monitor().get())) {
    document["neurons"].push_back(neuron_document(neuron, model));
  }
  return document;
}

// How the rows of --data use the model's knots; nothing without --data.
std::optional<std::vector<LayerUse>> use_of(const InspectRequest& request, const Model& model) {
  if (request.data.empty()) return std::nullopt;
  const DataSource data(request.data, request.options.seed);
  const Table table = data.read(columns_for(model, csv_options(request.csv, data, model.cells)));
  return layer_use(model, table, {}, request.options.threads, program_monitor().get());
}

int run(const InspectRequest& request) {
  if (request.data.empty()) refuse_options_without_data(*request.app, {"Data", "Run"});
  const Model model = read_model(request.model);
  const std::optional<std::vector<LayerUse>> use = use_of(request, model);
  const std::size_t width = terminal_width(STDOUT_FILENO, 80);
  std::optional<MovedActivation> neuron;
  if (!request.neuron.empty()) neuron = find_neuron(model, request.neuron);
  if (request.json) {
    Json document = to_document(request, model);
    if (use) document["layers"] = layers_document(*use);
    if (neuron) {
      document["neuron"] = neuron_document(*neuron, model);
      document["neuron"]["learned"] = to_json(neuron->learned);
      document["neuron"]["initial"] = to_json(neuron->initial);
    }
    print_document(document);
    return kDone;
  }
  Lines text;
  if (neuron) {
    text.push_back(fmt::format("neuron {}, moved {:.4f} ({})", neuron_name(*neuron, model),
                               neuron->distance, kPlotKey));
    add_lines(text, plot_neuron(*neuron, width));
  } else {
    text = describe_model(model, request.model, width);
  }
  if (use) add_lines(text, section("knots", describe_layers(*use)));
  if (request.full) add_lines(text, describe_tensors(model, width));
  print_lines(text);
  return kDone;
}

}  // namespace

Command add_inspect(App program) {
  App app = program.add_subcommand("inspect", "Show the contents of a model file");
  auto request = std::make_shared<InspectRequest>();
  request->app = app;
  app.add_option("model", request->model, kModelHelp).required().type_name("MODEL");
  app.add_option("--neuron", request->neuron,
                 "draw the learned curve of one neuron, counted from 1; in an ensemble "
                 "NETWORK:LAYER:NEURON")
      .type_name("LAYER:NEURON")
      .group("Output");
  app.add_option("--data", request->data,
                 "show how the rows of this table (at most 16384) use the knots: shares in the "
                 "tails, unused control points, spreads")
      .type_name("DATA")
      .group("Data");
  add_csv_options(app, request->csv);
  app.add_flag("--full", request->full, "also show every number of every tensor").group("Output");
  app.add_flag("--json", request->json, "print the result as one JSON document").group("Output");
  add_training_option(app, option_field(&TrainOptions::threads), "threads; 0 for all cores",
                      request->options);
  add_training_option(app, option_field(&TrainOptions::seed), "seed of a built-in data set",
                      request->options);
  app.footer(
      "The distance that a neuron moved is the mean distance between its learned and its initial "
      "curve,\n"
      "divided by the height of the initial curve.\n"
      "\n"
      "Examples:\n"
      "  knotwork inspect model.safetensors\n"
      "  knotwork inspect model.safetensors --neuron 1:3\n"
      "  knotwork inspect model.safetensors --data table.csv\n"
      "  knotwork inspect model.safetensors --full\n"
      "  knotwork inspect model.safetensors --json");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
