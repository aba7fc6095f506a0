// SPDX-License-Identifier: MIT
#include "model_file/record.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "model_file/summary_record.hpp"
#include "network/same_structure.hpp"
#include "table/stored/format_record.hpp"

#include <knotwork/model_file.hpp>

namespace knotwork::model_file {
namespace {

Json to_json(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings) {
    std::visit([&](const auto& typed) { json[name] = typed; }, value);
  }
  return json;
}

Settings settings_from(const Json& json) {
  Settings settings;
  for (const auto& [name, value] : json.items()) {
    if (name == "name") continue;
    if (value.is_number()) {
      settings[name] = value.get<double>();
    } else {
      settings[name] = value.get<std::string>();
    }
  }
  return settings;
}

void add_scaling(Json& json, const Scaling& scaling) {
  json["scaling"] = to_string(scaling.kind);
  json["offset"] = scaling.offset;
  json["scale"] = scaling.scale;
}

Scaling scaling_from(const Json& json, const std::string& column) {
  Scaling scaling;
  scaling.kind = from_string<ScalingKind>(json.at("scaling").get<std::string>());
  scaling.offset = json.at("offset").get<double>();
  scaling.scale = json.at("scale").get<double>();
  if (!std::isfinite(scaling.offset) || !std::isfinite(scaling.scale)) {
    fail(ErrorKind::bad_model, "the scaling of column '{}' cannot be used", column);
  }
  return scaling;
}

// The inputs of a column share their levels, which the first of them lists.
bool shares_levels(const InputColumn& input, const InputColumn* previous) {
  return previous && input.has_levels() && previous->has_levels() &&
         previous->column == input.column && previous->levels == input.levels;
}

Json to_json(const InputColumn& input, const InputColumn* previous) {
  Json json = {{"column", input.column}, {"kind", to_string(input.kind)}};
  if (input.kind == InputKind::category) json["category"] = input.category;
  if (input.kind == InputKind::target_mean) json["of"] = input.category;
  if (input.kind == InputKind::date) json["part"] = to_string(input.part);
  if (input.has_levels()) {
    json["unseen"] = input.unseen;
    if (!shares_levels(input, previous)) json["levels"] = *input.levels;
  }
  if (input.kind != InputKind::category && input.kind != InputKind::missing) {
    if (!std::isnan(input.fill)) json["fill"] = input.fill;
    if (input.low <= input.high) json["range"] = {input.low, input.high};
  }
  add_scaling(json, input.scaling);
  return json;
}

// The values of levels are a tensor of the file.
InputColumn input_from(const Json& json, const InputColumn* previous) {
  InputColumn input;
  input.column = json.at("column").get<std::string>();
  input.kind = from_string<InputKind>(json.at("kind").get<std::string>());
  if (input.kind == InputKind::category) input.category = json.at("category").get<std::string>();
  if (input.kind == InputKind::target_mean) input.category = json.at("of").get<std::string>();
  if (input.kind == InputKind::date) {
    input.part = from_string<DatePart>(json.at("part").get<std::string>());
  }
  if (input.has_levels()) {
    input.unseen = json.at("unseen").get<double>();
    if (json.contains("levels")) {
      input.levels = std::make_shared<const std::vector<std::string>>(
          json["levels"].get<std::vector<std::string>>());
    } else if (previous && previous->has_levels() && previous->column == input.column) {
      input.levels = previous->levels;
    } else {
      fail(ErrorKind::bad_model, "the levels of column '{}' are missing", input.column);
    }
  }
  if (json.contains("fill")) input.fill = json["fill"].get<double>();
  if (json.contains("range")) {
    input.low = json["range"].at(0).get<double>();
    input.high = json["range"].at(1).get<double>();
  }
  input.scaling = scaling_from(json, input.column);
  return input;
}

Json to_json(const TargetColumn& target) {
  Json json = {{"column", target.column}};
  add_scaling(json, target.scaling);
  if (!target.quantiles.empty()) json["quantiles"] = target.quantiles;
  if (!target.classes.empty()) json["classes"] = target.classes;
  return json;
}

TargetColumn target_from(const Json& json) {
  TargetColumn target;
  target.column = json.at("column").get<std::string>();
  target.scaling = scaling_from(json, target.column);
  const bool by_quantiles =
      target.scaling.kind == ScalingKind::quantile || target.scaling.kind == ScalingKind::uniform;
  if (target.scaling.scale == 0 || by_quantiles) {
    fail(ErrorKind::bad_model, "the scaling of column '{}' cannot be used", target.column);
  }
  if (json.contains("quantiles")) target.quantiles = json["quantiles"].get<std::vector<double>>();
  if (json.contains("classes")) target.classes = json["classes"].get<std::vector<std::string>>();
  if (!target.is_complete()) {
    fail(ErrorKind::bad_model, "the quantiles or classes of column '{}' cannot be used",
         target.column);
  }
  return target;
}

Json to_json(const CellFormat& cells) {
  Json json = {{"missing", cells.missing},
               {"missing_words", cells.missing_words},
               {"decimal_comma", cells.decimal_comma}};
  if (!cells.columns.empty()) json["columns"] = table::formats_to_json(cells.columns);
  return json;
}

CellFormat cells_from(const Json& json) {
  CellFormat cells{.missing = json.at("missing").get<std::vector<std::string>>(),
                   .missing_words = json.at("missing_words").get<bool>(),
                   .decimal_comma = json.at("decimal_comma").get<bool>()};
  if (json.contains("columns")) {
    std::optional<std::vector<ColumnFormat>> formats = table::formats_from(json["columns"]);
    if (!formats) fail(ErrorKind::bad_model, "the formats of its columns cannot be used");
    cells.columns = std::move(*formats);
  }
  return cells;
}

Json to_json(const Layer& layer) {
  Json activation = {{"name", layer.activation->name()}};
  activation.update(to_json(layer.activation->settings()));
  Json json = {{"inputs", layer.inputs}, {"outputs", layer.outputs}, {"activation", activation}};
  // Omitted if they have the values that older formats always had.
  if (layer.kind != LayerKind::dense) json["kind"] = to_string(layer.kind);
  if (layer.residual) json["residual"] = true;
  if (layer.sharing != Sharing::neuron) json["sharing"] = to_string(layer.sharing);
  return json;
}

// What a private model does not save. Readers need the list of remarks.
void leave_out_table(Json& record) {
  for (Json& input : record["inputs"]) input.erase("range");
  Json& training = record["training"];
  training["remarks"] = Json::array();
  training.erase("trained_on");
  training.erase("rows_sha256");
}

std::shared_ptr<const Activation> activation_from(const Json& json,
                                                  const ActivationTable& activations) {
  return activations.at(json.at("name").get<std::string>()).make(settings_from(json));
}

// Takes `each` numbers for each of `many` items from the remaining numbers. Products are only
// computed when they are known to fit.
void take_numbers(std::size_t many, std::size_t each, std::size_t& left) {
  if (many > left || (each > 0 && many > left / each)) {
    fail(ErrorKind::bad_model, "its layers are larger than its tensors");
  }
  left -= many * each;
}

std::vector<Layer> layers_from(const Json& list, const ActivationTable& activations,
                               std::size_t numbers) {
  std::vector<Layer> layers;
  // Layers without numbers of their own must not take memory either.
  std::shared_ptr<const Activation> shared;
  Json settings_of_shared;
  for (const Json& json : list) {
    Layer& layer = layers.emplace_back();
    layer.inputs = count_from(json.at("inputs"));
    layer.outputs = count_from(json.at("outputs"));
    if (json.contains("kind")) layer.kind = from_string<LayerKind>(json["kind"].get<std::string>());
    if (json.contains("residual")) layer.residual = json["residual"].get<bool>();
    if (json.contains("sharing")) {
      layer.sharing = from_string<Sharing>(json["sharing"].get<std::string>());
    }
    if (layer.inputs > numbers) take_numbers(layer.inputs, 1, numbers);
    take_numbers(layer.outputs, layer.kind == LayerKind::dense ? 1 + layer.inputs : 0, numbers);

    const Json& activation = json.at("activation");
    if (layer.sharing == Sharing::network && shared) {
      if (activation != settings_of_shared) {
        fail(ErrorKind::bad_model, "its layers share an activation, but their activations differ");
      }
      layer.activation = shared;
      continue;
    }
    layer.activation = activation_from(activation, activations);
    if (layer.sharing == Sharing::network) {
      shared = layer.activation;
      settings_of_shared = activation;
    }
    const std::size_t own = layer.sharing == Sharing::neuron ? layer.outputs : 1;
    for (const ActivationTensor& tensor : layer.activation->tensors()) {
      take_numbers(own, tensor.size, numbers);
    }
  }
  return layers;
}

}  // namespace

Json layers_record(const Network& network) {
  Json layers = Json::array();
  for (const Layer& layer : network.layers()) layers.push_back(to_json(layer));
  return layers;
}

Network network_from(const Json& layers, const ActivationTable& activations, std::size_t numbers) {
  return Network(layers_from(layers, activations, numbers));
}

void add_snapshots(const std::vector<Snapshot>& snapshots, Json& record) {
  for (const Snapshot& snapshot : snapshots) {
    record["snapshots"].push_back({{"member", snapshot.member},
                                   {"iteration", snapshot.iteration},
                                   {"layers", layers_record(snapshot.network)}});
  }
}

}  // namespace knotwork::model_file

int knotwork::model_format(const Model& model) {
  const bool has_new_inputs =
      std::any_of(model.inputs.begin(), model.inputs.end(), [](const InputColumn& input) {
        return input.kind == InputKind::date || input.has_levels();
      });
  return has_new_inputs || !model.cells.columns.empty() ? 2 : 1;
}

namespace knotwork::model_file {
namespace {

// A file of format 1 may have keys that are not known, as it always could. What format 2 adds
// changes predictions, so a key that this version does not know is refused.
void check_format(const Json& record) {
  static constexpr std::string_view kKnown[] = {
      "format", "task",    "precision", "members",  "layers",    "inputs",
      "targets", "cells", "training",  "snapshots", "sha256"};
  const std::size_t format = count_from(record.at("format"));
  if (format == 0 || format > kModelFormat) {
    fail(ErrorKind::bad_model, "its format is not one of 1 to {}", kModelFormat);
  }
  if (format == 1) return;
  for (const auto& [key, value] : record.items()) {
    if (std::find(std::begin(kKnown), std::end(kKnown), key) != std::end(kKnown)) continue;
    fail(ErrorKind::bad_model,
         "its record has '{}', which this version of Knotwork does not know; use a newer version",
         key);
  }
}

}  // namespace

Json to_record(const Model& model) {
  Json record;
  record["format"] = model_format(model);
  record["task"] = model.classifies() ? "classification" : "regression";
  record["precision"] = to_string(model.precision);
  record["members"] = model.members.size();
  record["layers"] = layers_record(model.members.at(0));
  record["inputs"] = Json::array();
  const InputColumn* previous = nullptr;
  for (const InputColumn& input : model.inputs) {
    record["inputs"].push_back(to_json(input, previous));
    previous = &input;
  }
  record["targets"] = Json::array();
  for (const TargetColumn& target : model.targets) record["targets"].push_back(to_json(target));
  record["cells"] = to_json(model.cells);
  record["training"] = to_json(model.training);
  if (model.training.is_private) leave_out_table(record);
  add_snapshots(model.training.snapshots, record);
  return record;
}

Model from_record(const Json& record, const ActivationTable& activations, std::size_t numbers) {
  check_format(record);
  const std::string task = record.at("task").get<std::string>();
  if (task != "regression" && task != "classification") {
    fail(ErrorKind::bad_model, "its task '{}' is unknown", task);
  }
  // Every member has its own tensors, so there cannot be more members than numbers.
  const std::size_t members = count_from(record.at("members"));
  if (members > kMaxMembers) {
    fail(ErrorKind::bad_model, "it has {} members, more than the limit of {}", members,
         kMaxMembers);
  }
  if (members == 0 || members > numbers) {
    fail(ErrorKind::bad_model, "it has {} members, but tensors of {} numbers", members, numbers);
  }
  const Network network = network_from(record.at("layers"), activations, numbers / members);
  Model model;
  model.members.assign(members, network);
  model.precision = from_string<Precision>(record.at("precision").get<std::string>());
  for (const Json& input : record.at("inputs")) {
    model.inputs.push_back(input_from(input, model.inputs.empty() ? nullptr : &model.inputs.back()));
  }
  for (const Json& target : record.at("targets")) model.targets.push_back(target_from(target));
  if (model.inputs.size() != network.inputs() || model.outputs() != network.outputs()) {
    fail(ErrorKind::bad_model, "its columns do not fit its network");
  }
  if (model.classifies() && model.targets.size() > 1) {
    fail(ErrorKind::bad_model, "it has other targets besides classes");
  }
  if (model.classifies() != (task == "classification")) {
    fail(ErrorKind::bad_model, "its task is {}, but its targets do not fit this task", task);
  }
  // Older files do not have it.
  if (record.contains("cells")) model.cells = cells_from(record["cells"]);
  model.training = summary_from(record.at("training"));
  return model;
}

std::size_t count_snapshots(const Json& record, std::size_t members) {
  if (!record.contains("snapshots")) return 0;
  const std::size_t count = record["snapshots"].size();
  if (count > kMaxSnapshots * members) {
    fail(ErrorKind::bad_model, "it has {} snapshots, more than the limit of {} for a network",
         count, kMaxSnapshots);
  }
  return count;
}

Snapshot snapshot_from(const Json& record, std::size_t number, const std::vector<Network>& members,
                       const ActivationTable& activations, std::size_t numbers) {
  const Json& json = record.at("snapshots").at(number);
  Snapshot snapshot{count_from(json.at("member")), count_from(json.at("iteration")),
                    network_from(json.at("layers"), activations, numbers)};
  if (snapshot.member >= members.size() || !same_structure(snapshot.network, members.front())) {
    fail(ErrorKind::bad_model, "snapshot {} is not one of its networks", number);
  }
  return snapshot;
}

}  // namespace knotwork::model_file
