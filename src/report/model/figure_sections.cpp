// SPDX-License-Identifier: MIT
// Sections that contain little more than their figures.
#include <fmt/format.h>

#include <algorithm>

#include "report/compact_svg.hpp"
#include "report/html.hpp"
#include "report/model/sections.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

std::string stages_table(const Model& model) {
  const auto& stages = model.training.stages;
  if (stages.size() < 2) return "";
  HtmlTable table{.label = "Stages of training",
                  .caption = "Penalties, length and result of each stage.",
                  .heads = {"stage", "λ weights", "λ control points", "iterations", "evaluations",
                            "objective", "best iteration", "stopped", "before it"},
                  .rows = {}};
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const StageSummary& stage = stages[k];
    const std::string name = model.members.size() > 1
                                 ? fmt::format("{}, network {}", k + 1, stage.member + 1)
                                 : std::to_string(k + 1);
    table.rows.push_back({name, short_number(stage.lambda_w), short_number(stage.lambda_q),
                          std::to_string(stage.iterations), std::to_string(stage.evaluations),
                          short_number(stage.objective),
                          stage.best_iteration ? std::to_string(*stage.best_iteration) : "–",
                          std::string(in_words(stage.reason)),
                          stage.step_halved    ? "step of the knots halved"
                          : stage.range_fitted ? "range of the knots fitted"
                                               : ""});
  }
  return details(count(stages.size(), "stage"), html_table(table));
}

std::string importance_table(const Importance& importance) {
  HtmlTable table{
      .label = "Importance of the columns",
      .caption = fmt::format("Increase of the score, which is {} for the unchanged table.",
                             short_number(importance.score)),
      .heads = {"column", "mean", "deviation"},
      .rows = {}};
  for (const ColumnImportance& column : importance.columns) {
    table.rows.push_back(
        {column.column, short_number(column.mean), short_number(column.deviation)});
  }
  return details("The numbers of the figure", html_table(table));
}

std::string layers_table(const Network& network) {
  HtmlTable table{.label = "Layers",
                  .caption = "The kind, activation, size and learned parameters of each layer.",
                  .heads = {"layer", "kind", "activation", "inputs", "neurons", "learned numbers"},
                  .rows = {},
                  .text_columns = 2};
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    std::size_t numbers = 0;
    for (const TensorInfo& tensor : network.tensors()) {
      if (tensor.layer == l && tensor.trained) numbers += tensor.size;
    }
    std::string activation(layer.activation->name());
    if (layer.sharing == Sharing::layer) activation += ", one for the layer";
    if (layer.sharing == Sharing::network) activation += ", one for several layers";
    table.rows.push_back({std::to_string(l + 1),
                          std::string(to_string(layer.kind)) + (layer.residual ? ", residual" : ""),
                          activation, std::to_string(layer.inputs), std::to_string(layer.outputs),
                          std::to_string(numbers)});
  }
  return html_table(table);
}

}  // namespace

std::string gallery(const PageFigures& figures) {
  std::string markup;
  for (const PageFigure& figure : figures) {
    markup += figure_with_caption(compact_svg(figure.svg), figure.caption);
  }
  return markup.empty() ? "" : "<div class=\"gallery\">\n" + markup + "</div>\n";
}

std::string course_section(const ModelReport& report) {
  const std::string markup = gallery(course_figures(report)) + stages_table(report.model);
  return markup.empty() ? "" : section("course", "Course of training", markup);
}

std::string predictions_section(const ModelReport& report) {
  const std::string markup = gallery(prediction_figures(report));
  if (markup.empty()) return "";
  return section("predictions", "Predictions and true values",
                 paragraph(fmt::format("For {}.", report.data)) + markup);
}

std::string columns_section(const ModelReport& report) {
  std::string markup;
  if (const auto figure = importance_figure(report)) {
    markup += gallery({*figure}) + importance_table(*report.importance) +
              paragraph(
                  "If two columns carry the same information, each of them can look unimportant, "
                  "because the model can use the other one.");
  } else if (report.importance && !report.importance->columns.empty()) {
    markup += paragraph(
                  "No column is important: shuffling any of them does not worsen the score, or the "
                  "score is undefined.") +
              importance_table(*report.importance);
  }
  const PageFigures dependences = dependence_figures(report);
  if (!dependences.empty()) {
    markup += "<h3>How predictions depend on a column</h3>\n";
    markup += paragraph(
        "The broad line is the mean prediction if every row had this value of the column; pale "
        "lines are single rows. Where the pale lines are not parallel, the column interacts with "
        "others. A tenth of the rows is between two neighboring marks at the bottom.");
    if (std::any_of(report.dependence.begin(), report.dependence.end(),
                    [](const PartialDependence& one) { return !one.missing.empty(); })) {
      markup += paragraph(
          "A ring on the right is the mean prediction if the cell were missing in every row.");
    }
    markup += gallery(dependences);
  }
  return markup.empty() ? "" : section("columns", "Columns", markup);
}

std::string network_section(const ModelReport& report) {
  return section("network", "The network",
                 "<div class=\"wide\">\n" + gallery({diagram(report)}) + "</div>\n" +
                     layers_table(report.model.members.front()));
}

}  // namespace knotwork::report
