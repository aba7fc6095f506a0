// SPDX-License-Identifier: MIT
// The description of the model: a short one at the top of the page, a full one at the end.
#include <fmt/format.h>

#include <algorithm>

#include <knotwork/version.hpp>

#include "report/html.hpp"
#include "report/model/score_cells.hpp"
#include "report/model/sections.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

std::string target_in_words(const TargetColumn& target) {
  if (!target.classes.empty()) {
    return fmt::format("{}, one of {} classes ({})", target.column, target.classes.size(),
                       listed(target.classes, 6));
  }
  if (!target.quantiles.empty()) {
    std::vector<std::string> levels;
    for (const double level : target.quantiles) levels.push_back(fmt::format("{:g}", level));
    return fmt::format("{}, its quantiles {}", target.column, listed(levels, 9));
  }
  return target.column;
}

std::string targets_in_words(const Model& model) {
  std::vector<std::string> all;
  for (const TargetColumn& target : model.targets) all.push_back(target_in_words(target));
  return listed(all, 6);
}

std::vector<std::string> columns_of(const Model& model) {
  std::vector<std::string> columns;
  for (const InputColumn& input : model.inputs) {
    if (std::find(columns.begin(), columns.end(), input.column) == columns.end()) {
      columns.push_back(input.column);
    }
  }
  return columns;
}

std::string network_in_words(const Model& model) {
  const Network& network = model.members.front();
  std::string text = count(network.inputs(), "input");
  for (const Layer& layer : network.layers()) text += " → " + layer_in_words(layer);
  if (model.members.size() > 1) text += fmt::format(", {} networks", model.members.size());
  return text;
}

std::string baseline_in_words(const Summary& training) {
  const Baseline* best = best_baseline(training);
  if (best == nullptr) return "no baseline";
  const MainScore score = main_score(*best->test);
  return fmt::format("best baseline: {}, {}", best->name,
                     best->test->classes ? percent(score.value) : short_number(score.value));
}

struct Tile {
  std::string value, label, remark;
};

std::string markup_of(const Tile& tile) {
  return fmt::format(
      "<li><span class=\"label\">{}</span> <span class=\"value\">{}</span> "
      "<span class=\"remark\">{}</span></li>\n",
      escaped(tile.label), escaped(tile.value), escaped(tile.remark));
}

std::optional<Tile> score_tile(const ModelReport& report) {
  const Summary& training = report.model.training;
  const auto tile = [](const Scores& scores, const std::string& part, const std::string& remark) {
    const MainScore main = main_score(scores);
    return Tile{scores.classes ? percent(main.value) : short_number(main.value),
                fmt::format("{} {}", main.name, part), remark};
  };
  // A reader who examines the model with other rows wants its scores on these rows.
  if (report.check && !are_known(training, report.check->scores)) {
    return tile(report.check->scores, "on the rows of this report",
                count(report.check->rows, "row"));
  }
  if (training.test) return tile(*training.test, "on test rows", baseline_in_words(training));
  if (training.train) return tile(*training.train, "on training rows", "no test rows");
  return std::nullopt;
}

std::vector<Tile> tiles_of(const ModelReport& report) {
  std::vector<Tile> tiles;
  if (const auto score = score_tile(report)) tiles.push_back(*score);
  const auto dead = std::count_if(report.neurons.begin(), report.neurons.end(),
                                  [](const NeuronReport& neuron) { return neuron.dead; });
  tiles.push_back({std::to_string(report.neurons_in_all), "learned activations",
                   dead > 0 ? fmt::format("{} dead", dead) : network_in_words(report.model)});
  if (has_important_columns(report)) {
    tiles.push_back({report.importance->columns.front().column, "most important column",
                     fmt::format("of {}", columns_of(report.model).size())});
  }
  const Summary& training = report.model.training;
  tiles.push_back({duration(training.seconds), "time of training",
                   count(training.iterations, "iteration") +
                       (training.optimizer.empty() ? "" : " of " + training.optimizer)});
  return tiles;
}

std::string rows_in_words(const Summary& training) {
  std::vector<std::string> parts;
  if (training.train) parts.push_back(fmt::format("{} to train on", training.train->rows));
  if (training.validation)
    parts.push_back(fmt::format("{} to validate", training.validation->rows));
  if (training.test) parts.push_back(fmt::format("{} to test", training.test->rows));
  return parts.empty() ? "unknown" : listed(parts, 3);
}

std::string options_table(const Summary& training) {
  if (training.options.empty()) return "";
  HtmlTable table{.label = "Options of the training",
                  .caption = "All options of the training with their values.",
                  .heads = {"option", "value"},
                  .rows = {},
                  .text_columns = 1};
  for (const auto& [name, value] : training.options) table.rows.push_back({name, value});
  return details(count(training.options.size(), "option"), html_table(table));
}

std::string name_of_table(const Summary& training) {
  if (!training.data.empty()) return training.data;
  return training.is_private ? "left out of the file" : "unknown";
}

}  // namespace

std::string overview(const ModelReport& report) {
  const Summary& training = report.model.training;
  std::string lead = fmt::format("Predicts {} from {}", targets_in_words(report.model),
                                 count(columns_of(report.model).size(), "column"));
  if (!training.data.empty()) lead += fmt::format(" of {}", training.data);
  std::string markup = fmt::format("<p class=\"lead\">{}.</p>\n", escaped(lead));
  if (const std::string text = verdict(training); !text.empty()) markup += paragraph(text);
  markup += "<ul class=\"tiles\">\n";
  for (const Tile& tile : tiles_of(report)) markup += markup_of(tile);
  markup += "</ul>\n";
  if (report.data.empty()) {
    markup += paragraph(
        "No rows were given, so the page does not show predictions, importances and the inputs of "
        "neurons.");
  }
  return markup;
}

std::string making_section(const ModelReport& report) {
  const Model& model = report.model;
  const Summary& training = model.training;
  const std::vector<std::string> columns = columns_of(model);
  Facts facts = {{"Predicts", targets_in_words(model)},
                 {"From", listed(columns, 30)},
                 {"Trained on", name_of_table(training)},
                 {"Rows", rows_in_words(training)}};
  if (!report.data.empty()) facts.emplace_back("Rows of this report", report.data);
  facts.emplace_back("Network", network_in_words(model));
  facts.emplace_back("Learned numbers", std::to_string(model.members.size() *
                                                       model.members.front().parameters().size()));
  facts.emplace_back(
      "Training", fmt::format("{}, {}, {}; stopped {}", training.optimizer,
                              count(training.iterations, "iteration"), duration(training.seconds),
                              in_words(training.reason)));
  facts.emplace_back("Seed", std::to_string(training.seed));
  if (!report.model_name.empty()) facts.emplace_back("Model", report.model_name);
  if (!training.version.empty()) {
    facts.emplace_back("Version",
                       fmt::format("{} ({})", training.version, training.instruction_set));
  }
  std::string markup = definition_list(facts);
  if (training.is_private) {
    markup += paragraph(
        "The model was trained as private: the name of the training table, the ranges of its "
        "columns, the remarks and the hash of its rows were left out of its file.");
  }
  if (!training.remarks.empty()) {
    markup += "<h3>Remarks on the data and the training</h3>\n" +
              bullet_list({training.remarks.begin(), training.remarks.end()});
  }
  if (!report.notes.empty()) {
    markup += "<h3>What was sampled or left out of this page</h3>\n" + bullet_list(report.notes);
  }
  markup += options_table(training);
  if (!report.command.empty()) {
    markup += fmt::format("<h3>Command</h3>\n<pre>{}</pre>\n", escaped(report.command));
  }
  return section("making", "How it was made", markup);
}

}  // namespace knotwork::report
