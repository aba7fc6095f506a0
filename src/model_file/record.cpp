// SPDX-License-Identifier: MIT
#include "model_file/record.hpp"

#include <cmath>

#include "base/fail.hpp"
#include "model_file/summary_record.hpp"

#include <knotwork/model_file.hpp>

namespace knotwork {
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
  scaling.kind = scaling_from_name(json.at("scaling").get<std::string>());
  scaling.offset = json.at("offset").get<double>();
  scaling.scale = json.at("scale").get<double>();
  if (!std::isfinite(scaling.offset) || !std::isfinite(scaling.scale)) {
    fail(ErrorKind::bad_model, "the scaling of column '{}' cannot be used", column);
  }
  return scaling;
}

Json to_json(const InputColumn& input) {
  Json json = {{"column", input.column}, {"kind", to_string(input.kind)}};
  if (input.kind == InputKind::category) json["category"] = input.category;
  if (input.kind == InputKind::numeric) {
    if (!std::isnan(input.fill)) json["fill"] = input.fill;
    if (input.low <= input.high) json["range"] = {input.low, input.high};
  }
  add_scaling(json, input.scaling);
  return json;
}

InputColumn input_from(const Json& json) {
  InputColumn input;
  input.column = json.at("column").get<std::string>();
  input.kind = input_kind_from_name(json.at("kind").get<std::string>());
  if (input.kind == InputKind::category) input.category = json.at("category").get<std::string>();
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
  return {{"missing", cells.missing},
          {"missing_words", cells.missing_words},
          {"decimal_comma", cells.decimal_comma}};
}

CellFormat cells_from(const Json& json) {
  return {json.at("missing").get<std::vector<std::string>>(), json.at("missing_words").get<bool>(),
          json.at("decimal_comma").get<bool>()};
}

std::size_t count_from(const Json& json) {
  if (!json.is_number_unsigned()) fail(ErrorKind::bad_model, "a size in it is no whole number");
  return json.get<std::size_t>();
}

std::vector<Layer> layers_from(const Json& list, const ActivationTable& activations,
                               std::size_t numbers) {
  std::vector<Layer> layers;
  for (const Json& json : list) {
    const Json& activation = json.at("activation");
    const Layer& layer = layers.emplace_back(Layer{
        count_from(json.at("inputs")), count_from(json.at("outputs")),
        activations.at(activation.at("name").get<std::string>()).make(settings_from(activation))});
    // Sums of a few numbers that are at most `numbers` cannot overflow; products are not formed
    // before they are known to fit.
    bool fits = layer.inputs <= numbers;
    std::size_t each = 1 + layer.inputs;
    for (const ActivationTensor& tensor : layer.activation->tensors()) {
      fits = fits && tensor.size <= numbers;
      each += tensor.size;
    }
    if (!fits || layer.outputs > numbers / each) {
      fail(ErrorKind::bad_model, "its layers are larger than its tensors");
    }
    numbers -= layer.outputs * each;
  }
  return layers;
}

}  // namespace

Json to_record(const Model& model) {
  Json record;
  record["format"] = kModelFormat;
  record["task"] = model.classifies() ? "classification" : "regression";
  record["precision"] = to_string(model.precision);
  record["members"] = model.members.size();
  record["layers"] = Json::array();
  for (const Layer& layer : model.members.at(0).layers()) {
    Json activation = {{"name", layer.activation->name()}};
    activation.update(to_json(layer.activation->settings()));
    record["layers"].push_back(
        {{"inputs", layer.inputs}, {"outputs", layer.outputs}, {"activation", activation}});
  }
  record["inputs"] = Json::array();
  for (const InputColumn& input : model.inputs) record["inputs"].push_back(to_json(input));
  record["targets"] = Json::array();
  for (const TargetColumn& target : model.targets) record["targets"].push_back(to_json(target));
  record["cells"] = to_json(model.cells);
  record["training"] = to_json(model.training);
  record["sha256"] = std::string(64, '0');
  return record;
}

Model from_record(const Json& record, const ActivationTable& activations, std::size_t numbers) {
  if (count_from(record.at("format")) != kModelFormat) {
    fail(ErrorKind::bad_model, "its format is not {}", kModelFormat);
  }
  const std::string task = record.at("task").get<std::string>();
  if (task != "regression" && task != "classification") {
    fail(ErrorKind::bad_model, "its task '{}' is not known", task);
  }
  // Every member has tensors of its own, so their number cannot exceed that of the numbers.
  const std::size_t members = count_from(record.at("members"));
  if (members > kMaxMembers) {
    fail(ErrorKind::bad_model, "it has {} members, more than the {} that are read", members,
         kMaxMembers);
  }
  if (members == 0 || members > numbers) {
    fail(ErrorKind::bad_model, "it has {} members, but tensors of {} numbers", members, numbers);
  }
  const Network network(layers_from(record.at("layers"), activations, numbers / members));
  Model model;
  model.members.assign(members, network);
  model.precision = precision_from_name(record.at("precision").get<std::string>());
  for (const Json& input : record.at("inputs")) model.inputs.push_back(input_from(input));
  for (const Json& target : record.at("targets")) model.targets.push_back(target_from(target));
  if (model.inputs.size() != network.inputs() || model.outputs() != network.outputs()) {
    fail(ErrorKind::bad_model, "its columns do not fit its network");
  }
  if (model.classifies() && model.targets.size() > 1) {
    fail(ErrorKind::bad_model, "it has classes and other targets beside them");
  }
  if (model.classifies() != (task == "classification")) {
    fail(ErrorKind::bad_model, "its task is {}, but its targets are not", task);
  }
  // Files of before there was a choice do not have it.
  if (record.contains("cells")) model.cells = cells_from(record["cells"]);
  model.training = summary_from(record.at("training"));
  return model;
}

}  // namespace knotwork
