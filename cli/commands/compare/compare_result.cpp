// SPDX-License-Identifier: MIT
#include "cli/commands/compare/compare_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/output/plain_words.hpp"
#include "figures/drawing/label_text.hpp"

#include <knotwork/instruction_set.hpp>
#include <knotwork/table.hpp>
#include <knotwork/version.hpp>

namespace knotwork::cli {
namespace {

// The key of a score in JSON results.
std::string score_key(const std::string& name) {
  if (name == "log loss") return "log_loss";
  return name == "NRMSE" ? "nrmse" : "relative_pinball";
}

std::string folds_in_words(const ComparisonOptions& options) {
  std::string text = count(options.folds, "fold");
  if (options.repeats > 1) text += fmt::format(", {} times", options.repeats);
  return text;
}

std::string tuning_in_words(const ComparisonOptions& options) {
  if (options.budget == 0) return "options as given";
  return fmt::format("{} of the penalties for each variant and fold, scored on {}",
                     count(options.budget, "setting"), count(options.inner_folds, "inner fold"));
}

Json to_json(const Setting& setting) {
  Json json = Json::object();
  for (const auto& [option, value] : setting) json[option] = value;
  return json;
}

// A missing number becomes null.
Json to_json(const MeanDeviation& value) {
  if (!std::isfinite(value.mean)) return {{"mean", nullptr}, {"deviation", nullptr}};
  return {{"mean", value.mean}, {"deviation", value.deviation}};
}

Json to_json(const VariantResult& variant, const ComparisonRun& run) {
  Json options = Json::object();
  for (const TrainOptionField& field : train_option_fields()) {
    options[field.name] = field.get(variant.variant.options);
  }
  Json json = {{"name", variant.variant.name},        {"rank", variant.rank},
               {"score", to_json(variant.score)},     {"parameters", variant.parameters},
               {"seconds", to_json(variant.seconds)}, {"tuning_seconds", variant.tuning_seconds}};
  if (variant.accuracy) json["accuracy"] = to_json(*variant.accuracy);
  if (variant.against_first) {
    const PairedTest& test = *variant.against_first;
    json["test"] = {{"difference", test.difference},
                    {"t", std::isfinite(test.t) ? Json(test.t) : Json(nullptr)},
                    {"degrees_of_freedom", test.degrees},
                    {"p", test.p},
                    {"adjusted_p", *variant.adjusted_p}};
  }
  json["tuned"] = variant.variant.tuned;
  json["folds"] = Json::array();
  for (std::size_t r = 0; r < variant.rounds.size(); ++r) {
    const RoundResult& round = variant.rounds[r];
    Json fold = {{"repeat", r / run.options.folds + 1},
                 {"fold", r % run.options.folds + 1},
                 {"score", std::isfinite(round.score) ? Json(round.score) : Json(nullptr)},
                 {"seconds", round.seconds},
                 {"tuning_seconds", round.tuning_seconds},
                 {"chosen", to_json(round.chosen)}};
    if (round.accuracy) fold["accuracy"] = *round.accuracy;
    if (!round.failure.empty()) fold["failure"] = round.failure;
    json["folds"].push_back(std::move(fold));
  }
  json["options"] = options;
  return json;
}

std::string first_failure(const VariantResult& variant) {
  for (const RoundResult& round : variant.rounds) {
    if (!round.failure.empty()) return round.failure;
  }
  return "";
}

}  // namespace

Lines to_text(const ComparisonResult& result, const ComparisonRun& run) {
  constexpr std::size_t kNames = 1;  // the column of names
  Lines text = {fmt::format("{}: {}, {}; {}", run.data, count(result.rows, "row"),
                            folds_in_words(run.options), tuning_in_words(run.options)),
                ""};
  add_lines(text, aligned(comparison_cells(result), kNames));
  text.emplace_back();
  for (const VariantResult& variant : result.variants) {
    const std::string why = first_failure(variant);
    if (!why.empty()) text.push_back(fmt::format("{} failed: {}", variant.variant.name, why));
  }
  add_lines(text, figures::wrapped(explain_test(result), 100));
  return text;
}

Json to_document(const ComparisonResult& result, const ComparisonRun& run) {
  Json document = {{"command", "compare"},
                   {"data", run.data},
                   {"targets", run.targets},
                   {"task", result.classes ? "classification" : "regression"},
                   {"rows", result.rows},
                   {"folds", run.options.folds},
                   {"repeats", run.options.repeats},
                   {"budget", run.options.budget},
                   {"inner_folds", run.options.inner_folds},
                   {"seed", run.options.seed},
                   {"score", score_key(result.score_name)},
                   {"reference", result.variants.front().variant.name},
                   {"trainings", result.trainings},
                   {"variants", Json::array()}};
  for (const VariantResult& variant : result.variants) {
    document["variants"].push_back(to_json(variant, run));
  }
  document["remarks"] = run.remarks;
  document["seconds"] = run.seconds;
  document["instruction_set"] = instruction_set();
  document["version"] = KNOTWORK_VERSION_STRING;
  document["command_line"] = run.command;
  return document;
}

std::string to_csv(const ComparisonResult& result, const ComparisonRun& run) {
  Table table{.source = "", .names = {"variant", "repeat", "fold", "score"}, .columns = {}};
  if (result.classes) table.names.emplace_back("accuracy");
  for (const char* name : {"seconds", "tuning_seconds"}) table.names.emplace_back(name);
  for (const std::string& penalty : penalty_options()) table.names.push_back(penalty);
  table.columns.resize(table.names.size());
  table.labels.resize(table.names.size());
  std::vector<std::string>& labels = table.labels.front();
  for (const VariantResult& variant : result.variants) labels.push_back(variant.variant.name);
  std::sort(labels.begin(), labels.end());
  for (const VariantResult& variant : result.variants) {
    const auto label = std::lower_bound(labels.begin(), labels.end(), variant.variant.name);
    for (std::size_t r = 0; r < variant.rounds.size(); ++r) {
      const RoundResult& round = variant.rounds[r];
      constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
      std::vector<double> cells = {static_cast<double>(label - labels.begin()),
                                   static_cast<double>(r / run.options.folds + 1),
                                   static_cast<double>(r % run.options.folds + 1),
                                   std::isfinite(round.score) ? round.score : kMissing};
      if (result.classes) cells.push_back(round.accuracy.value_or(kMissing));
      cells.insert(cells.end(), {round.seconds, round.tuning_seconds});
      TrainOptions options = variant.variant.options;
      for (const auto& [option, value] : round.chosen) set_option(options, option, value);
      cells.insert(cells.end(), {options.lambda_w, options.lambda_q, options.lambda_slope,
                                 options.lambda_curvature});
      for (std::size_t c = 0; c < cells.size(); ++c) table.columns[c].push_back(cells[c]);
    }
  }
  return knotwork::to_csv(table);
}

std::string to_page(const ComparisonResult& result, const ComparisonRun& run) {
  return comparison_page(
      result, {.title = fmt::format("{} on {}", count(result.variants.size(), "variant"), run.data),
               .command = run.command,
               .facts = {{"data", run.data},
                         {"rows", fmt::format("{}", result.rows)},
                         {"target", fmt::format("{}", fmt::join(run.targets, ", "))},
                         {"folds", folds_in_words(run.options)},
                         {"tuning", tuning_in_words(run.options)},
                         {"trainings", fmt::format("{}", result.trainings)},
                         {"seed", fmt::format("{}", run.options.seed)},
                         {"time", duration(run.seconds)}}});
}

}  // namespace knotwork::cli
