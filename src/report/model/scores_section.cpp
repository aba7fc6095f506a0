// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/html.hpp"
#include "report/model/score_cells.hpp"
#include "report/model/sections.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

using Row = std::vector<std::string>;

Row row_of(const Model& model, const std::string& name, const std::string& part,
           const Scores& scores) {
  Row row = {name, part};
  const Row cells = score_cells(model, scores);
  row.insert(row.end(), cells.begin(), cells.end());
  return row;
}

Row heads(const Model& model, const Row& first) {
  Row all = first;
  const Row scores = score_heads(model);
  all.insert(all.end(), scores.begin(), scores.end());
  return all;
}

const char* kThisModel = "this model";

// Test rows come first, because they matter most. In each part, the model is above its baselines.
HtmlTable scores_table(const ModelReport& report) {
  const Model& model = report.model;
  const Summary& training = model.training;
  HtmlTable table{.label = "Scores",
                  .caption = "The model and simpler models that were trained on the same rows.",
                  .heads = heads(model, {"model", "part"}),
                  .rows = {},
                  .text_columns = 1,
                  .stacks = true};
  if (training.baselines.empty()) table.caption = "Scores of the model on each part of the rows.";
  const auto add = [&](const std::string& name, const char* part,
                       const std::optional<Scores>& scores) {
    if (scores) table.rows.push_back(row_of(model, name, part, *scores));
  };
  if (report.check && !are_known(training, report.check->scores)) {
    add(kThisModel, "rows of this report", report.check->scores);
  }
  if (training.test) table.reference = table.rows.size();
  add(kThisModel, "test", training.test);
  for (const Baseline& baseline : training.baselines) add(baseline.name, "test", baseline.test);
  add(kThisModel, "validation", training.validation);
  add(kThisModel, "training", training.train);
  for (const Baseline& baseline : training.baselines)
    add(baseline.name, "training", baseline.train);
  return table;
}

std::string members_table(const ModelReport& report) {
  if (!report.check || report.check->members.size() < 2) return "";
  HtmlTable table{
      .label = "Scores of the networks",
      .caption =
          "The scores of each network of the ensemble on the rows of this report. The mean "
          "prediction of the networks is usually better than that of any single network.",
      .heads = heads(report.model, {"network"}),
      .rows = {},
      .stacks = true};
  const auto add = [&](const std::string& name, const Scores& scores) {
    Row row = {name};
    const Row cells = score_cells(report.model, scores);
    row.insert(row.end(), cells.begin(), cells.end());
    table.rows.push_back(row);
  };
  add("all together", report.check->scores);
  table.reference = 0;
  for (std::size_t m = 0; m < report.check->members.size(); ++m) {
    add(fmt::format("network {}", m + 1), report.check->members[m]);
  }
  return html_table(table);
}

std::string targets_table(const ModelReport& report) {
  HtmlTable table{.label = "Scores of each target",
                  .caption = "The scores of each target separately.",
                  .heads = heads(report.model, {"target", "part"}),
                  .rows = {},
                  .text_columns = 1,
                  .stacks = true};
  const auto add = [&](const TargetScores& target, const char* part,
                       const std::optional<Scores>& scores) {
    if (scores) table.rows.push_back(row_of(report.model, target.column, part, *scores));
  };
  if (report.check && !are_known(report.model.training, report.check->scores)) {
    for (const TargetScores& one : report.check->targets) add(one, "rows of this report", one.test);
  }
  for (const TargetScores& one : report.model.training.target_scores) {
    add(one, "test", one.test);
    add(one, "validation", one.validation);
    add(one, "training", one.train);
  }
  return table.rows.empty() ? "" : html_table(table);
}

// All settings have the same options, which are the first columns.
std::string tried_table(const ModelReport& report) {
  const auto& tried = report.model.training.tried;
  if (tried.empty()) return "";
  HtmlTable table{.label = "Settings that were tried",
                  .caption = "Mean score over the folds of cross-validation; lower is better.",
                  .heads = {"setting", "score"},
                  .rows = {},
                  .text_columns = 0};
  for (const TriedSetting& setting : tried) {
    std::vector<std::string> options;
    for (const auto& [name, value] : setting.options) options.push_back(name + " = " + value);
    table.rows.push_back({listed(options, options.size()), short_number(setting.score)});
  }
  return details(fmt::format("{} compared by cross-validation", count(tried.size(), "setting")),
                 html_table(table));
}

std::string meaning(const Model& model) {
  if (model.classifies()) {
    return "Accuracy is the share of rows whose most probable class is the true class. The log "
           "loss also depends on how confident the model is (lower is better). AUC measures how "
           "well the model ranks rows (1 is best, 0.5 is chance).";
  }
  if (!model.targets.front().quantiles.empty()) {
    return "The pinball loss is the loss for training quantiles (lower is better); the relative "
           "pinball loss is divided by the standard deviation of the target. The share of rows "
           "within the interval should equal the nominal share.";
  }
  return "NRMSE is the error relative to that of always predicting the mean: 1 is as good as the "
         "mean, 0 is perfect. RMSE and MAE are in the units of the target; R² is the share of the "
         "variance that is explained.";
}

}  // namespace

std::string scores_section(const ModelReport& report) {
  const HtmlTable table = scores_table(report);
  const std::string others = members_table(report) + targets_table(report) + tried_table(report);
  if (table.rows.empty() && others.empty()) return "";
  std::string markup = paragraph(meaning(report.model));
  if (!table.rows.empty()) markup += html_table(table);
  if (report.model.training.refitted) {
    markup +=
        paragraph("After these scores were computed, the model was trained again on all rows.");
  }
  return section("scores", "Scores", markup + others);
}

}  // namespace knotwork::report
