// SPDX-License-Identifier: MIT
#include "cli/commands/train/train_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/output/document.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/layer_use_text.hpp"
#include "cli/output/network_text.hpp"
#include "cli/output/output.hpp"
#include "cli/output/plain_words.hpp"

#include <knotwork/model_file.hpp>
#include <knotwork/options.hpp>

namespace knotwork::cli {
namespace {

const char* compared_score(const Model& model) {
  if (model.classifies()) return knotwork::compared_score(LossKind::classes);
  const bool quantiles = !model.targets.front().quantiles.empty();
  return knotwork::compared_score(quantiles ? LossKind::quantiles : LossKind::number);
}

std::string describe_data(const DataFacts& data, const Summary& summary) {
  std::vector<std::string> parts;
  if (summary.train) parts.push_back(fmt::format("{} to train on", summary.train->rows));
  if (summary.validation) parts.push_back(fmt::format("{} to validate", summary.validation->rows));
  if (summary.test) parts.push_back(fmt::format("{} to test", summary.test->rows));
  std::string text = fmt::format("{}: {} ({}), {}", data.source, count(data.rows, "row"),
                                 fmt::join(parts, ", "), count(data.columns, "column"));
  if (data.text_columns > 0) text += fmt::format(", {} of text", data.text_columns);
  if (data.missing_cells > 0) {
    text += fmt::format(", {} missing", count(data.missing_cells, "cell"));
  }
  return text;
}

std::vector<std::string> target_names(const Model& model) {
  std::vector<std::string> names;
  for (const TargetColumn& target : model.targets) names.push_back(target.column);
  return names;
}

// Whether a chosen value is the usual one, so that it need not be shown; the network and the
// optimizer are always shown.
bool is_usual(const std::string& option, const std::string& value) {
  const TrainOptionField& field = option_field(option);
  const auto is = [&](auto member) { return &field == &option_field(member); };
  return !is(&TrainOptions::hidden) && !is(&TrainOptions::optimizer) &&
         !is(&TrainOptions::iterations) && field.get(TrainOptions{}) == value;
}

// Describes the network and the optimizer that the rule chose, its other unusual choices, and the
// settings that were compared.
std::string describe_choice(const TrainResult& result, std::size_t width) {
  constexpr std::size_t kIndent = 11;
  const std::string next_line = "\n" + std::string(kIndent, ' ');
  const auto& tried = result.model.training.tried;
  if (result.chosen.empty()) return "";
  std::vector<std::string> ruled, compared;
  for (const auto& [name, value] : result.chosen) {
    const bool was_compared =
        !tried.empty() && std::any_of(tried.front().options.begin(), tried.front().options.end(),
                                      [&](const auto& option) { return option.first == name; });
    if (was_compared) {
      compared.push_back(name + " " + value);
    } else if (!is_usual(name, value)) {
      ruled.push_back(name + " " + value);
    }
  }
  const std::size_t count_compared = compared.size();
  ruled.insert(ruled.end(), compared.begin(), compared.end());
  const std::size_t room = width > 2 * kIndent ? width - kIndent : kIndent;
  const std::string text = fmt::format("{}", fmt::join(flow(ruled, room), next_line));
  if (tried.empty()) return text;
  const auto best = std::min_element(
      tried.begin(), tried.end(),
      [](const TriedSetting& a, const TriedSetting& b) { return a.score < b.score; });
  return text + next_line +
         fmt::format("(the last {} chosen by cross-validation of {}: {} {:.4f})",
                     count_compared == 1 ? "one" : fmt::format("{}", count_compared),
                     count(tried.size(), "setting"), compared_score(result.model), best->score);
}

std::string describe_training(const TrainResult& result) {
  const Summary& summary = result.model.training;
  std::string text = fmt::format("{}, {} of {}, stopped {}", duration(summary.seconds),
                                 count(summary.iterations, "iteration"), summary.optimizer,
                                 in_words(summary.reason));
  if (summary.refitted) text += "; then refitted on all rows";
  return text;
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A column of the table of scores.
struct ScoreColumn {
  std::string name;
  std::optional<Scores> TargetScores::*part;
  std::function<double(const Scores&)> number;
  int digits;  // 0: five significant digits
};

std::vector<ScoreColumn> score_columns(const Summary& summary, bool classes, bool quantiles) {
  std::vector<ScoreColumn> columns;
  const auto compared = [=](const Scores& scores) {
    if (quantiles) return scores.pinball->loss;
    return classes ? scores.classes->accuracy : scores.nrmse;
  };
  const std::string name = quantiles ? "pinball loss" : classes ? "accuracy" : "NRMSE";
  const int shown = quantiles ? 0 : 4;
  columns.push_back({"train " + name, &TargetScores::train, compared, shown});
  if (summary.validation) {
    columns.push_back({"valid " + name, &TargetScores::validation, compared, shown});
  }
  if (!summary.test) return columns;
  columns.push_back({"test " + name, &TargetScores::test, compared, shown});
  const auto add = [&](std::string text, int digits, auto read) {
    columns.push_back({std::move(text), &TargetScores::test, read, digits});
  };
  if (quantiles) {
    add("within", 4,
        [](const Scores& scores) { return scores.intervals ? scores.intervals->coverage : kNone; });
    add("mean width", 0,
        [](const Scores& scores) { return scores.intervals ? scores.intervals->width : kNone; });
  } else if (classes) {
    add("test log loss", 4, [](const Scores& scores) { return scores.classes->log_loss; });
    add("test AUC", 4, [](const Scores& scores) { return scores.classes->auc; });
  } else {
    add("test RMSE", 0, [](const Scores& scores) { return scores.rmse; });
    add("test R2", 4, [](const Scores& scores) { return scores.r2; });
  }
  return columns;
}

std::string number(const std::optional<Scores>& scores, const ScoreColumn& column) {
  if (!scores) return "-";
  const double value = column.number(*scores);
  if (!std::isfinite(value)) return "-";
  return column.digits > 0 ? fmt::format("{:.{}f}", value, column.digits)
                           : fmt::format("{:.5g}", value);
}

// A table with the model, its targets if there are several, and the baselines.
std::string score_table(const Model& model) {
  const Summary& summary = model.training;
  std::vector<TargetScores> rows = {{"model", summary.train, summary.validation, summary.test}};
  for (TargetScores target : summary.target_scores) {
    target.column = "  of " + target.column;
    rows.push_back(target);
  }
  for (const Baseline& baseline : summary.baselines) {
    rows.push_back({baseline.name, baseline.train, {}, baseline.test});
  }
  std::size_t width = 0;
  for (const TargetScores& row : rows) width = std::max(width, row.column.size());
  const std::vector<ScoreColumn> columns =
      score_columns(summary, model.classifies(), !model.targets.front().quantiles.empty());
  constexpr std::size_t kNarrowest = 11;
  std::string text(width, ' ');
  for (const ScoreColumn& column : columns) {
    text += fmt::format("  {:>{}}", column.name, kNarrowest);
  }
  text += "\n";
  for (const TargetScores& row : rows) {
    text += fmt::format("{:<{}}", row.column, width);
    for (const ScoreColumn& column : columns) {
      text += fmt::format("  {:>{}}", number(row.*column.part, column),
                          std::max(kNarrowest, column.name.size()));
    }
    text += "\n";
  }
  return text;
}

// The scores of the most important part that the table does not contain.
std::string more_scores(const Model& model) {
  const Summary& summary = model.training;
  const std::optional<Scores>& scores = summary.test ? summary.test : summary.train;
  if (!scores) return "";
  const std::string part = summary.test ? "test" : "training";
  if (scores->intervals && std::isfinite(scores->intervals->width))
    return fmt::format("\n{} part: {}\n", part, describe(*scores->intervals));
  if (!scores->classes) return "";
  const std::string table = confusion_table(*scores->classes, model.targets.front().classes);
  return fmt::format(
      "\nclasses of the {} part{}\n{}", part,
      table.empty() ? ": too many to show; --json contains their confusion matrix" : "", table);
}

std::string plots(const Model& model, std::size_t width) {
  constexpr std::size_t kMost = 3;
  const std::vector<MovedActivation> moved = moved_activations(model, kMost);
  if (moved.empty()) return "";
  return fmt::format("\nthe activations that moved farthest ({})\n{}\n", kPlotKey,
                     fmt::join(plot_neurons(moved, model, width), "\n"));
}

}  // namespace

std::string to_document(const TrainResult& result) {
  const auto& [data, model, out, chosen, interrupted, layers, report] = result;
  Json document = {
      {"command", "train"},
      {"data", {{"source", data.source}, {"rows", data.rows}, {"columns", data.columns}}},
      {"model", out},
      {"task", model.classifies() ? "classification" : "regression"},
      {"targets", target_names(model)}};
  if (model.classifies()) document["classes"] = model.targets.front().classes;
  document["data"]["text_columns"] = data.text_columns;
  document["data"]["missing_cells"] = data.missing_cells;
  const Network& network = model.members.front();
  std::vector<std::size_t> sizes = {network.inputs()};
  Json activations = Json::array();
  for (const Layer& layer : network.layers()) {
    sizes.push_back(layer.outputs);
    activations.push_back(layer.activation->name());
  }
  document["network"] = {{"sizes", sizes},
                         {"activations", activations},
                         {"parameters", count_parameters(model)},
                         {"precision", to_string(model.precision)}};
  document["ensemble"] = model.members.size();
  document["chosen"] = Json::object();
  for (const auto& [name, value] : chosen) document["chosen"][name] = value;
  document.update(parse_document(summary_json(model.training)));
  if (const auto bound = bound_on_changes(model)) document["lipschitz_bound"] = *bound;
  document["remarks"] = remark_texts(model.training.remarks);
  document["layers"] = layers_document(layers);
  document["interrupted"] = interrupted;
  add_to(document, report);
  document["parameters_sha256"] = model.parameters_sha256();
  return document_text(document);
}

std::string to_text(const TrainResult& result, std::size_t width) {
  const Summary& summary = result.model.training;
  std::string text = fmt::format("data       {}\n", describe_data(result.data, summary));
  text += fmt::format("target     {}\n", fmt::join(target_names(result.model), ", "));
  text += fmt::format("network    {}\n", describe_network(result.model));
  const std::string choice = describe_choice(result, width);
  if (!choice.empty()) text += fmt::format("chosen     {}\n", choice);
  text += fmt::format("training   {}\n", describe_training(result));
  const std::string bound = describe_bound(result.model);
  if (!bound.empty()) text += fmt::format("bounds     {}\n", bound);
  const std::string trouble = describe_trouble(result.layers);
  if (!trouble.empty()) text += fmt::format("knots      {}\n", trouble);
  text += fmt::format("saved in   {}\n", result.out);
  for (const std::string& line : describe(result.report)) {
    text += fmt::format("report     {}\n", line);
  }
  text += "\n";
  text += score_table(result.model) + more_scores(result.model);
  return text + plots(result.model, width);
}

}  // namespace knotwork::cli
