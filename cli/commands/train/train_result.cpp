// SPDX-License-Identifier: MIT
#include "cli/commands/train/train_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/output/error_text.hpp"
#include "cli/output/inspect_text.hpp"
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
  if (data.without_target > 0) {
    parts.push_back(fmt::format("{} without a target", data.without_target));
  }
  std::string text = fmt::format("{}: {} x {}", data.source, count(data.rows, "row"),
                                 count(data.columns, "column"));
  if (data.has_header) {
    text += *data.has_header ? ", the first line is the header" : ", without a header";
  }
  text += fmt::format(" ({})", fmt::join(parts, ", "));
  if (data.text_columns > 0) {
    text += fmt::format(", {} of text", count(data.text_columns, "column"));
  }
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
Lines describe_choice(const TrainResult& result, std::size_t width) {
  const auto& tried = result.model.training.tried;
  if (result.chosen.empty()) return {};
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
  Lines lines = flow(ruled, room);
  if (tried.empty()) return lines;
  const auto best = std::min_element(
      tried.begin(), tried.end(),
      [](const TriedSetting& a, const TriedSetting& b) { return a.score < b.score; });
  lines.push_back(fmt::format("(the last {} chosen by cross-validation of {}: {} {:.4f})",
                              count_compared == 1 ? "one" : fmt::format("{}", count_compared),
                              count(tried.size(), "setting"), compared_score(result.model),
                              best->score));
  return lines;
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
Lines score_table(const Model& model) {
  const Summary& summary = model.training;
  std::vector<TargetScores> rows = {{"model", summary.train, summary.validation, summary.test}};
  for (TargetScores target : summary.target_scores) {
    target.column = "  of " + target.column;
    rows.push_back(target);
  }
  for (const Baseline& baseline : summary.baselines) {
    rows.push_back({baseline.name, baseline.train, {}, baseline.test});
  }
  const std::vector<ScoreColumn> columns =
      score_columns(summary, model.classifies(), !model.targets.front().quantiles.empty());
  constexpr std::size_t kNarrowest = 11;
  std::vector<std::vector<std::string>> cells = {{""}};
  for (const ScoreColumn& column : columns) {
    cells.front().push_back(fmt::format("{:>{}}", column.name, kNarrowest));
  }
  for (const TargetScores& row : rows) {
    cells.push_back({row.column});
    for (const ScoreColumn& column : columns) {
      cells.back().push_back(number(row.*column.part, column));
    }
  }
  return aligned(cells, 0);
}

// The scores of the most important part that the table does not contain.
Lines more_scores(const Model& model) {
  const Summary& summary = model.training;
  const std::optional<Scores>& scores = summary.test ? summary.test : summary.train;
  if (!scores) return {};
  const std::string part = summary.test ? "test" : "training";
  if (scores->intervals && std::isfinite(scores->intervals->width))
    return {"", fmt::format("{} part: {}", part, describe(*scores->intervals))};
  if (!scores->classes) return {};
  const Lines table = confusion_table(*scores->classes, model.targets.front().classes);
  const char* const why =
      table.empty() ? ": too many to show; --json contains their confusion matrix" : "";
  Lines lines = {"", fmt::format("classes of the {} part{}", part, why)};
  add_lines(lines, table);
  return lines;
}

Lines plots(const Model& model, std::size_t width) {
  constexpr std::size_t kMost = 3;
  const std::vector<MovedActivation> moved = moved_activations(model, kMost);
  if (moved.empty()) return {};
  Lines lines = {"", fmt::format("the activations that moved farthest ({})", kPlotKey)};
  add_lines(lines, plot_neurons(moved, model, width));
  return lines;
}

}  // namespace

Json to_document(const TrainResult& result) {
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
  document["data"]["without_target"] = data.without_target;
  if (data.has_header) document["data"]["header"] = *data.has_header;
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
  return document;
}

Lines to_text(const TrainResult& result, std::size_t width) {
  const Summary& summary = result.model.training;
  Lines text;
  const auto add = [&](const char* heading, const Lines& lines) {
    add_lines(text, section(heading, lines));
  };
  const auto add_unless_empty = [&](const char* heading, const std::string& line) {
    if (!line.empty()) add(heading, {line});
  };
  add("data", {describe_data(result.data, summary)});
  add("target", {fmt::format("{}", fmt::join(target_names(result.model), ", "))});
  add("network", {describe_network(result.model)});
  add("chosen", describe_choice(result, width));
  add("training", {describe_training(result)});
  add_unless_empty("bounds", describe_bound(result.model));
  add_unless_empty("knots", describe_trouble(result.layers));
  add("saved in", {result.out});
  for (const std::string& line : describe(result.report)) add("report", {line});
  text.emplace_back();
  add_lines(text, score_table(result.model));
  add_lines(text, more_scores(result.model));
  add_lines(text, plots(result.model, width));
  return text;
}

}  // namespace knotwork::cli
