// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/fail.hpp"
#include "cli/commands.hpp"
#include "cli/inspect_text.hpp"
#include "cli/model_source.hpp"
#include "cli/network_text.hpp"
#include "cli/output.hpp"
#include "model_file/record.hpp"
#include "training/model_tensors.hpp"

namespace knotwork::cli {
namespace {

struct Request {
  std::string model, neuron;
  bool json = false;
};

// LAYER:NEURON or NETWORK:LAYER:NEURON, counted from 1.
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
    fail(ErrorKind::bad_option,
         "--neuron must be LAYER:NEURON or NETWORK:LAYER:NEURON, counted from 1, not '{}'.", name);
  }
  const auto check = [&](std::size_t number, std::size_t most, const char* what) {
    if (number == 0 || number > most) {
      fail(ErrorKind::bad_option, "--neuron {} asks for {} {}; the model has 1 to {}.", name, what,
           number, most);
    }
    return number - 1;
  };
  const std::size_t member = check(places[0], model.members.size(), "network");
  const std::vector<Layer>& layers = model.members[member].layers();
  const std::size_t layer = check(places[1], layers.size(), "layer");
  const std::size_t neuron = check(places[2], layers[layer].outputs, "neuron");
  for (MovedActivation& moved : moved_activations(model)) {
    if (moved.member == member && moved.layer == layer && moved.neuron == neuron) {
      return std::move(moved);
    }
  }
  fail(ErrorKind::bad_option, "--neuron {} has the activation {}, which does not learn a curve.",
       name, layers[layer].activation->name());
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

Json to_document(const Request& request, const Model& model) {
  Json document = {{"command", "inspect"},
                   {"model", request.model},
                   {"bytes", std::filesystem::file_size(request.model)},
                   {"parameters_sha256", model.parameters_sha256()}};
  document["record"] = to_record(model);
  document["record"].erase("sha256");  // stands for the file, and is known to fit
  if (const auto bound = bound_on_changes(model)) document["lipschitz_bound"] = *bound;
  document["tensors"] = Json::array();
  for (const ModelTensor& tensor : model_tensors(model)) {
    document["tensors"].push_back(
        {{"name", tensor.name}, {"type", to_string(tensor.precision)}, {"shape", tensor.shape}});
  }
  document["neurons"] = Json::array();
  for (const MovedActivation& neuron : moved_activations(model)) {
    document["neurons"].push_back(neuron_document(neuron, model));
  }
  return document;
}

int run(const Request& request) {
  const Model model = read_model(request.model);
  const std::size_t width = terminal_width(STDOUT_FILENO, 80);
  std::optional<MovedActivation> neuron;
  if (!request.neuron.empty()) neuron = find_neuron(model, request.neuron);
  if (request.json) {
    Json document = to_document(request, model);
    if (neuron) {
      document["neuron"] = neuron_document(*neuron, model);
      document["neuron"]["learned"] = to_json(neuron->learned);
      document["neuron"]["initial"] = to_json(neuron->initial);
    }
    print_result(document);
  } else if (neuron) {
    print_result(fmt::format("neuron {}, moved {:.4f} ({})\n{}\n", neuron_name(*neuron, model),
                             neuron->distance, kPlotKey,
                             fmt::join(plot_neuron(*neuron, width), "\n")));
  } else {
    print_result(describe_model(model, request.model, width));
  }
  return kDone;
}

}  // namespace

Command add_inspect(CLI::App& program) {
  CLI::App* app = program.add_subcommand("inspect", "Show what is in a model file");
  auto request = std::make_shared<Request>();
  app->add_option("model", request->model, kModelHelp)->required()->type_name("MODEL");
  app->add_option("--neuron", request->neuron,
                  "draw the learned curve of one neuron, counted from 1; in an ensemble "
                  "NETWORK:LAYER:NEURON")
      ->type_name("LAYER:NEURON")
      ->group("Output");
  app->add_flag("--json", request->json, "print the result as one JSON document")->group("Output");
  app->footer(
      "A neuron has moved by the mean distance of its learned curve from the initial one, in "
      "parts\n"
      "of the height of the latter.\n\n"
      "Examples:\n"
      "  knotwork inspect model.safetensors\n"
      "  knotwork inspect model.safetensors --neuron 1:3\n"
      "  knotwork inspect model.safetensors --json");
  return {app, [request] { return run(*request); }};
}

}  // namespace knotwork::cli
