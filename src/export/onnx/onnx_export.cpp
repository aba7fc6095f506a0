// SPDX-License-Identifier: MIT
#include <knotwork/export_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "export/exportable.hpp"
#include "export/onnx/onnx_parts.hpp"
#include "files/strict_json.hpp"

#include <knotwork/version.hpp>

namespace knotwork {

using namespace exporting;

namespace {

std::string meaning_of(const ExportColumn& column) {
  if (column.levels) return fmt::format("text, one of {} or any other", column.levels->size());
  if (column.text) {
    return fmt::format("text, one of {} categories or none", column.categories.size());
  }
  if (column.date) return "date, in seconds since 1970-01-01 UTC; the smallest int64 if missing";
  if (column.fill == column.fill) return fmt::format("number; NaN counts as {}", column.fill);
  return column.indicated ? "number; NaN where it is missing" : "number";
}

OnnxType type_of(const ExportColumn& column) {
  if (column.date) return OnnxType::whole;
  return column.text ? OnnxType::text : OnnxType::float32;
}

class Outputs {
 public:
  Outputs(OnnxGraph& graph, const Model& model, Monitor* monitor)
      : graph_(graph),
        model_(model),
        work_(monitor, Phase::writing,
              static_cast<double>(model.members.size() * model.members.front().layers().size())) {}

  void build(const OnnxValue& x) {
    OnnxValue sum = 0;
    for (std::size_t m = 0; m < model_.members.size(); ++m) {
      const std::string scope =
          model_.members.size() > 1 ? fmt::format("network{}/", m + 1) : std::string();
      const OnnxValue y = onnx_network(graph_, model_.members[m], x, scope, work_);
      graph_.enter("outputs/");
      sum = sum + meaning(graph_.cast(y, OnnxType::float64));
    }
    const OnnxValue mean = sum / static_cast<double>(model_.members.size());
    if (model_.classifies()) {
      finish_classes(mean);
    } else {
      finish_numbers(mean);
    }
  }

 private:
  // Converts the outputs of one network to scaled numbers or probabilities.
  OnnxValue meaning(const OnnxValue& y) {
    const std::size_t classes = model_.targets.front().classes.size();
    if (classes == 0) return y;
    if (classes > 2) {
      return {graph_, graph_.add("Softmax", {y.name()}, "", {{"axis", std::int64_t{1}}}),
              OnnxType::float64};
    }
    const OnnxValue small = graph_.unary("Exp", -graph_.unary("Abs", y));
    const OnnxValue unlikely = small / (1 + small), likely = 1 / (1 + small);
    const OnnxCondition first = y < 0;
    const OnnxValue pair[] = {graph_.select(first, likely, unlikely),
                              graph_.select(first, unlikely, likely)};
    return {
        graph_,
        graph_.add("Concat", {pair[0].name(), pair[1].name()}, "both", {{"axis", std::int64_t{1}}}),
        OnnxType::float64};
  }

  void finish_classes(const OnnxValue& mean) {
    const std::vector<std::string>& classes = model_.targets.front().classes;
    const std::string likely =
        graph_.add("ArgMax", {mean.name()}, "most_probable",
                   {{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}});
    std::vector<std::int64_t> numbers;
    for (std::size_t k = 0; k < classes.size(); ++k) {
      numbers.push_back(static_cast<std::int64_t>(k));
    }
    graph_.finish_as_float(mean, "probabilities");
    graph_.finish("LabelEncoder", {likely}, "label",
                  {{"keys_int64s", numbers}, {"values_strings", classes}}, "ai.onnx.ml");
  }

  OnnxValue row(const std::string& wish, double Scaling::*which) {
    std::vector<double> values;
    for (const TargetColumn& target : model_.targets) {
      values.insert(values.end(), target.predictions(), target.scaling.*which);
    }
    const auto count = static_cast<std::int64_t>(values.size());
    return {graph_, graph_.numbers(wish, {1, count}, values, OnnxType::float64), OnnxType::float64};
  }

  void finish_numbers(const OnnxValue& mean) {
    OnnxValue y = mean / row("scale", &Scaling::scale) + row("offset", &Scaling::offset);
    const bool several = std::any_of(model_.targets.begin(), model_.targets.end(),
                                     [](const TargetColumn& t) { return t.quantiles.size() > 1; });
    if (several) y = with_sorted_quantiles(y);
    graph_.finish_as_float(y, "prediction");
  }

  OnnxValue with_sorted_quantiles(const OnnxValue& y) {
    std::vector<std::string> parts;
    std::int64_t first = 0;
    for (const TargetColumn& target : model_.targets) {
      std::vector<std::int64_t> places(target.predictions());
      for (std::int64_t& place : places) place = first++;
      const OnnxValue own = model_.targets.size() > 1 ? graph_.columns(y, places, "target") : y;
      parts.push_back(target.quantiles.size() > 1 ? ascending(own, places.size()) : own.name());
    }
    if (parts.size() == 1) return {graph_, parts.front(), OnnxType::float64};
    return {graph_, graph_.add("Concat", parts, "", {{"axis", std::int64_t{1}}}),
            OnnxType::float64};
  }

  std::string ascending(const OnnxValue& y, std::size_t count) {
    const std::int64_t all[] = {static_cast<std::int64_t>(count)};
    const std::string sorted =
        graph_.add("TopK", {y.name(), graph_.whole_numbers("levels", {1}, all)}, "sorted",
                   {{"axis", std::int64_t{1}}, {"largest", std::int64_t{0}}});
    graph_.add_unused_output("sorted_places");
    return sorted;
  }

  OnnxGraph& graph_;
  const Model& model_;
  parallel::WatchedWork work_;
};

void add_metadata(OnnxGraph& graph, const Model& model, const ExportColumns& columns,
                  const std::vector<std::string>& names) {
  using Json = nlohmann::ordered_json;
  Json inputs = Json::array(), targets = Json::array();
  for (std::size_t c = 0; c < columns.columns.size(); ++c) {
    const ExportColumn& column = columns.columns[c];
    Json input = {{"name", names[c]}, {"column", column.name}};
    input["kind"] = column.text ? "text" : column.date ? "date" : "number";
    if (column.levels) {
      input["number_of_texts"] = column.levels->size();
    } else if (column.text) {
      input["categories"] = column.categories;
    }
    if (column.fill == column.fill) input["fill"] = column.fill;
    inputs.push_back(input);
  }
  for (const TargetColumn& target : model.targets) {
    Json entry = {{"column", target.column}};
    if (!target.quantiles.empty()) entry["quantiles"] = target.quantiles;
    if (!target.classes.empty()) entry["classes"] = target.classes;
    targets.push_back(entry);
  }
  const std::pair<const char*, std::string> entries[] = {
      {"knotwork_version", KNOTWORK_VERSION_STRING},
      {"task", model.classifies() ? "classification" : "regression"},
      {"inputs", files::json_text(inputs)},
      {"targets", files::json_text(targets)},
      {"predictions", files::json_text(Json(model.prediction_names()))},
      {"parameters_sha256", model.parameters_sha256()}};
  for (const auto& [key, value] : entries) graph.add_metadata(key, value);
}

}  // namespace

std::vector<std::uint8_t> to_onnx(const Model& model, Monitor* monitor) {
  check_exportable(model);
  const ExportColumns columns = export_columns(model);
  const auto [names, outputs] = onnx_names(model, columns);
  OnnxGraph graph;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const ExportColumn& column = columns.columns[c];
    graph.add_input(names[c], type_of(column), {0, 1}, meaning_of(column));
  }
  graph.add_output(outputs[0], OnnxType::float32,
                   {0, static_cast<std::int64_t>(model.predictions())});
  if (model.classifies()) graph.add_output(outputs[1], OnnxType::text, {0});
  add_metadata(graph, model, columns, names);
  Outputs(graph, model, monitor).build(onnx_inputs(graph, model, columns, names));
  parallel::check_stop(monitor);
  return graph.bytes();
}

}  // namespace knotwork
