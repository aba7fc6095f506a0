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

Json to_json(const ColumnScaling& column, bool input) {
  Json json = {{"column", column.column}};
  if (input) json["kind"] = "numeric";
  json["scaling"] = to_string(column.scaling.kind);
  json["offset"] = column.scaling.offset;
  json["scale"] = column.scaling.scale;
  return json;
}

ColumnScaling column_from(const Json& json, bool input) {
  ColumnScaling column;
  column.column = json.at("column").get<std::string>();
  if (input && json.at("kind").get<std::string>() != "numeric") {
    fail(ErrorKind::bad_model, "input '{}' is of a kind that this version does not know",
         column.column);
  }
  column.scaling.kind = scaling_from_name(json.at("scaling").get<std::string>());
  column.scaling.offset = json.at("offset").get<double>();
  column.scaling.scale = json.at("scale").get<double>();
  const bool by_quantiles =
      column.scaling.kind == ScalingKind::quantile || column.scaling.kind == ScalingKind::uniform;
  if (!std::isfinite(column.scaling.offset) || !std::isfinite(column.scaling.scale) ||
      (!input && (column.scaling.scale == 0 || by_quantiles))) {
    fail(ErrorKind::bad_model, "the scaling of column '{}' cannot be used", column.column);
  }
  return column;
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
  record["task"] = "regression";
  record["precision"] = to_string(model.precision);
  record["layers"] = Json::array();
  for (const Layer& layer : model.network.layers()) {
    Json activation = {{"name", layer.activation->name()}};
    activation.update(to_json(layer.activation->settings()));
    record["layers"].push_back(
        {{"inputs", layer.inputs}, {"outputs", layer.outputs}, {"activation", activation}});
  }
  record["inputs"] = Json::array();
  for (const ColumnScaling& column : model.inputs)
    record["inputs"].push_back(to_json(column, true));
  record["targets"] = Json::array();
  for (const ColumnScaling& column : model.targets) {
    record["targets"].push_back(to_json(column, false));
  }
  record["training"] = to_json(model.training);
  record["sha256"] = std::string(64, '0');
  return record;
}

Model from_record(const Json& record, const ActivationTable& activations, std::size_t numbers) {
  if (count_from(record.at("format")) != kModelFormat) {
    fail(ErrorKind::bad_model, "its format is not {}", kModelFormat);
  }
  if (record.at("task").get<std::string>() != "regression") {
    fail(ErrorKind::bad_model, "its task '{}' is not known", record.at("task").get<std::string>());
  }
  Model model{Network(layers_from(record.at("layers"), activations, numbers)),
              precision_from_name(record.at("precision").get<std::string>()),
              {},
              {},
              {}};
  for (const Json& column : record.at("inputs")) model.inputs.push_back(column_from(column, true));
  for (const Json& column : record.at("targets")) {
    model.targets.push_back(column_from(column, false));
  }
  if (model.inputs.size() != model.network.inputs() ||
      model.targets.size() != model.network.outputs()) {
    fail(ErrorKind::bad_model, "its columns do not fit its network");
  }
  model.training = summary_from(record.at("training"));
  return model;
}

}  // namespace knotwork
