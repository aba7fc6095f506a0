// SPDX-License-Identifier: MIT
#include "search/study/trial.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/fail.hpp"
#include "files/strict_json.hpp"
#include "parallel/processor_time.hpp"

namespace knotwork::searching {

void summarize(TrialRecord& trial, std::size_t folds) {
  const auto count = static_cast<double>(trial.scores.size());
  trial.complete = trial.scores.size() == folds;
  double sum = 0;
  for (const FoldScore& score : trial.scores) sum += score.score;
  trial.mean = trial.deviation = std::numeric_limits<double>::infinity();
  if (trial.scores.empty() || !std::isfinite(sum)) return;
  trial.mean = sum / count;
  double squares = 0;
  for (const FoldScore& score : trial.scores) squares += std::pow(score.score - trial.mean, 2);
  trial.deviation = trial.scores.size() == 1 ? 0 : std::sqrt(squares / (count - 1));
}

std::optional<FoldScore> evaluate_fold(const Evaluate& evaluate, const FoldTask& task) {
  FoldScore score{task.fold, std::numeric_limits<double>::infinity(), 0, ""};
  const double begin = processor_seconds();
  try {
    const std::optional<double> value = evaluate(task);
    if (!value) return std::nullopt;
    if (std::isfinite(*value)) {
      score.score = *value;
    } else {
      score.message = fmt::format("The score is {}.", *value);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::failed_run) throw;
    score.message = error.what();
  }
  score.seconds = processor_seconds() - begin;
  return score;
}

std::string setting_to_json(const Setting& setting) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [option, value] : setting) json[option] = value;
  try {
    return files::json_text(json);
  } catch (const nlohmann::ordered_json::exception&) {
    fail(ErrorKind::bad_option, "A setting is not UTF-8 text; write it in UTF-8.");
  }
}

std::optional<Setting> setting_from_json(std::string_view text) {
  const auto json = files::parse_strictly<nlohmann::ordered_json>(text);
  if (!json || !json->is_object()) return std::nullopt;
  Setting setting;
  for (const auto& [option, value] : json->items()) {
    if (!value.is_string()) return std::nullopt;
    setting.emplace_back(option, value.get<std::string>());
  }
  return setting;
}

}  // namespace knotwork::searching
