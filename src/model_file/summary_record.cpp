// SPDX-License-Identifier: MIT
#include "model_file/summary_record.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"

namespace knotwork::model_file {

using Json = nlohmann::ordered_json;

namespace {

// JSON has no infinity: such a number is written as null.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
double number_from(const Json& json, double null = std::numeric_limits<double>::infinity()) {
  return json.is_null() ? null : json.get<double>();
}

}  // namespace

std::size_t count_from(const Json& json) {
  if (!json.is_number_unsigned()) {
    fail(ErrorKind::bad_model, "one of its counts is not a whole number");
  }
  return json.get<std::size_t>();
}

Json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
  Json json = Json::object();
  for (const auto& [name, text] : list) json[name] = text;
  return json;
}
std::vector<std::pair<std::string, std::string>> pairs_from(const Json& json) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto& [name, text] : json.items()) list.emplace_back(name, text.get<std::string>());
  return list;
}

Json to_json(const std::vector<TriedSetting>& tried) {
  Json json = Json::array();
  for (const TriedSetting& setting : tried) {
    json.push_back({{"options", pairs(setting.options)}, {"score", number(setting.score)}});
  }
  return json;
}
std::vector<TriedSetting> tried_from(const Json& json) {
  std::vector<TriedSetting> tried;
  for (const Json& entry : json) {
    tried.push_back({pairs_from(entry.at("options")), number_from(entry.at("score"))});
  }
  return tried;
}

namespace {

// If targets do not vary, nrmse is infinite and r2 minus infinity; if there was nothing to score,
// all scores were NaN.
Scores scores_from(const Json& json) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto rows = json.at("rows").get<std::size_t>();
  if (json.contains("accuracy")) {
    Scores scores{rows, kNone, kNone, kNone, kNone};
    scores.classes = {number_from(json["accuracy"], kNone), number_from(json.at("log_loss"), kNone),
                      number_from(json.at("auc"), kNone),
                      json.at("confusion").get<std::vector<std::vector<double>>>()};
    return scores;
  }
  const bool scored = !json.at("rmse").is_null();
  Scores scores{rows, number_from(json.at("rmse"), kNone),
                number_from(json.at("nrmse"), scored ? kInfinity : kNone),
                number_from(json.at("mae"), kNone),
                number_from(json.at("r2"), scored ? -kInfinity : kNone)};
  if (json.contains("pinball")) {
    scores.pinball = {number_from(json["pinball"], kNone),
                      number_from(json.at("target_deviation"), kNone)};
  }
  if (json.contains("interval")) {
    const Json& interval = json["interval"];
    scores.intervals = {interval.at("share").get<double>(),
                        number_from(interval.at("coverage"), kNone),
                        number_from(interval.at("width"), kNone)};
  }
  return scores;
}

std::optional<Scores> optional_scores(const Json& json, const char* name) {
  return json.contains(name) ? std::optional(scores_from(json[name])) : std::nullopt;
}

StopReason reason_from(const std::string& name) {
  for (int k = 0; k <= static_cast<int>(StopReason::early_stopping); ++k) {
    if (to_string(static_cast<StopReason>(k)) == name) return static_cast<StopReason>(k);
  }
  fail(ErrorKind::bad_model, "its stop reason '{}' is unknown", name);
}

// A figure needs no more digits, and 400 points with all digits would dominate a small file.
Json rounded(double value) {
  if (!std::isfinite(value)) return number(value);
  // Not std::stod, which refuses the smallest numbers and uses the locale's decimal sign.
  const std::string digits = fmt::format("{:.6g}", value);
  double shorter = value;
  fast_float::from_chars(digits.data(), digits.data() + digits.size(), shorter);
  return number(shorter);
}

// Column by column: each quantity at all points.
Json to_json(const History& history) {
  Json json;
  json["parts"] = history.parts;
  for (const char* column : {"member", "stage", "iteration", "objective"}) {
    json[column] = Json::array();
  }
  json["values"] = Json(history.parts.size(), Json::array());
  const bool validated = std::any_of(history.points.begin(), history.points.end(),
                                     [](const HistoryPoint& p) { return p.validation; });
  for (const HistoryPoint& point : history.points) {
    json["member"].push_back(point.member);
    json["stage"].push_back(point.stage);
    json["iteration"].push_back(point.iteration);
    json["objective"].push_back(rounded(point.objective));
    for (std::size_t k = 0; k < point.parts.size(); ++k) {
      json["values"].at(k).push_back(rounded(point.parts[k]));
    }
    if (validated) {
      json["validation"].push_back(
          rounded(point.validation.value_or(std::numeric_limits<double>::infinity())));
    }
  }
  return json;
}

History history_from(const Json& json) {
  History history;
  history.parts = json.at("parts").get<std::vector<std::string>>();
  const std::size_t points = json.at("iteration").size();
  if (json.at("values").size() != history.parts.size()) {
    fail(ErrorKind::bad_model, "its history is not complete");
  }
  constexpr std::size_t kMostParts = 100;
  constexpr std::size_t kMostPoints = kHistoryPoints + 20 * kMaxMembers;
  if (history.parts.size() > kMostParts || points > kMostPoints) {
    fail(ErrorKind::bad_model, "its history, with {} points and {} parts, is too long", points,
         history.parts.size());
  }
  for (std::size_t p = 0; p < points; ++p) {
    HistoryPoint point{count_from(json.at("member").at(p)),
                       count_from(json.at("stage").at(p)),
                       count_from(json.at("iteration").at(p)),
                       number_from(json.at("objective").at(p)),
                       {}};
    for (const Json& column : json.at("values")) point.parts.push_back(number_from(column.at(p)));
    if (json.contains("validation") && !json["validation"].at(p).is_null()) {
      point.validation = json["validation"].at(p).get<double>();
    }
    history.points.push_back(std::move(point));
  }
  return history;
}

}  // namespace

Json to_json(const Scores& scores) {
  if (scores.classes) {
    const ClassScores& classes = *scores.classes;
    return {{"rows", scores.rows},
            {"accuracy", number(classes.accuracy)},
            {"log_loss", number(classes.log_loss)},
            {"auc", number(classes.auc)},
            {"confusion", classes.confusion}};
  }
  Json json = {{"rows", scores.rows},
               {"nrmse", number(scores.nrmse)},
               {"rmse", number(scores.rmse)},
               {"mae", number(scores.mae)},
               {"r2", number(scores.r2)}};
  if (scores.pinball) {
    json["pinball"] = number(scores.pinball->loss);
    json["target_deviation"] = number(scores.pinball->deviation);
  }
  if (scores.intervals) {
    json["interval"] = {{"share", scores.intervals->share},
                        {"coverage", number(scores.intervals->coverage)},
                        {"width", number(scores.intervals->width)}};
  }
  return json;
}

Json to_json(const Summary& summary) {
  Json json = {{"version", summary.version},       {"seed", summary.seed},
               {"optimizer", summary.optimizer},   {"stopped", to_string(summary.reason)},
               {"iterations", summary.iterations}, {"evaluations", summary.evaluations},
               {"seconds", summary.seconds},       {"objective", number(summary.objective.value)}};
  json["objective_parts"] = Json::object();
  for (const auto& [name, part] : summary.objective.parts) {
    json["objective_parts"][name] = number(part);
  }
  json["stages"] = Json::array();
  for (const StageSummary& stage : summary.stages) {
    json["stages"].push_back({{"member", stage.member},
                              {"lambda_w", stage.lambda_w},
                              {"lambda_q", stage.lambda_q},
                              {"iterations", stage.iterations},
                              {"evaluations", stage.evaluations},
                              {"objective", number(stage.objective)},
                              {"stopped", to_string(stage.reason)}});
    if (stage.best_iteration) json["stages"].back()["best_iteration"] = *stage.best_iteration;
    if (stage.step_halved) json["stages"].back()["step_halved"] = true;
    if (stage.range_fitted) json["stages"].back()["range_fitted"] = true;
  }
  json["options"] = pairs(summary.options);
  if (summary.train) json["train"] = to_json(*summary.train);
  if (summary.validation) json["validation"] = to_json(*summary.validation);
  if (summary.test) json["test"] = to_json(*summary.test);
  if (!summary.target_scores.empty()) {
    json["target_scores"] = Json::array();
    for (const TargetScores& target : summary.target_scores) {
      Json& entry = json["target_scores"].emplace_back(Json{{"column", target.column}});
      if (target.train) entry["train"] = to_json(*target.train);
      if (target.validation) entry["validation"] = to_json(*target.validation);
      if (target.test) entry["test"] = to_json(*target.test);
    }
  }
  if (!summary.history.points.empty()) json["history"] = to_json(summary.history);
  json["refitted"] = summary.refitted;
  json["baselines"] = Json::array();
  for (const Baseline& baseline : summary.baselines) {
    Json& entry = json["baselines"].emplace_back(Json{{"name", baseline.name}});
    if (baseline.train) entry["train"] = to_json(*baseline.train);
    if (baseline.test) entry["test"] = to_json(*baseline.test);
  }
  json["tried"] = to_json(summary.tried);
  json["remarks"] = std::vector<std::string>(summary.remarks.begin(), summary.remarks.end());
  if (!summary.data.empty()) json["trained_on"] = summary.data;
  if (!summary.instruction_set.empty()) json["instruction_set"] = summary.instruction_set;
  if (!summary.rows_sha256.empty()) json["rows_sha256"] = summary.rows_sha256;
  if (summary.is_private) json["private"] = true;
  return json;
}

Summary summary_from(const Json& json) {
  Summary summary;
  summary.version = json.at("version").get<std::string>();
  summary.instruction_set = json.value("instruction_set", "");
  summary.seed = json.at("seed").get<std::uint64_t>();
  summary.optimizer = json.at("optimizer").get<std::string>();
  summary.reason = reason_from(json.at("stopped").get<std::string>());
  summary.iterations = json.at("iterations").get<std::size_t>();
  summary.evaluations = json.at("evaluations").get<std::size_t>();
  summary.seconds = json.at("seconds").get<double>();
  summary.objective.value = number_from(json.at("objective"));
  for (const auto& [name, part] : json.at("objective_parts").items()) {
    summary.objective.parts.emplace_back(name, number_from(part));
  }
  summary.options = pairs_from(json.at("options"));
  for (const Json& stage : json.at("stages")) {
    summary.stages.push_back(
        {stage.at("member").get<std::size_t>(), stage.at("lambda_w").get<double>(),
         stage.at("lambda_q").get<double>(), stage.at("iterations").get<std::size_t>(),
         stage.at("evaluations").get<std::size_t>(), number_from(stage.at("objective")),
         reason_from(stage.at("stopped").get<std::string>())});
    if (stage.contains("best_iteration")) {
      summary.stages.back().best_iteration = stage["best_iteration"].get<std::size_t>();
    }
    summary.stages.back().step_halved = stage.value("step_halved", false);
    summary.stages.back().range_fitted = stage.value("range_fitted", false);
  }
  summary.train = optional_scores(json, "train");
  summary.validation = optional_scores(json, "validation");
  summary.test = optional_scores(json, "test");
  if (json.contains("target_scores")) {
    for (const Json& target : json["target_scores"]) {
      summary.target_scores.push_back(
          {target.at("column").get<std::string>(), optional_scores(target, "train"),
           optional_scores(target, "validation"), optional_scores(target, "test")});
    }
  }
  if (json.contains("history")) summary.history = history_from(json["history"]);
  summary.refitted = json.at("refitted").get<bool>();
  for (const Json& baseline : json.at("baselines")) {
    summary.baselines.push_back({baseline.at("name").get<std::string>(),
                                 optional_scores(baseline, "train"),
                                 optional_scores(baseline, "test")});
  }
  summary.tried = tried_from(json.at("tried"));
  const auto remarks = json.at("remarks").get<std::vector<std::string>>();
  summary.remarks.assign(remarks.begin(), remarks.end());
  summary.rows_sha256 = json.value("rows_sha256", "");
  summary.data = json.value("trained_on", "");
  summary.is_private = json.value("private", false);
  return summary;
}

}  // namespace knotwork::model_file
