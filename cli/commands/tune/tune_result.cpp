// SPDX-License-Identifier: MIT
#include "cli/commands/tune/tune_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/commands/tune/tune_map.hpp"
#include "cli/output/plain_words.hpp"

#include <knotwork/model_file.hpp>

namespace knotwork::cli {
namespace {

constexpr std::size_t kShown = 10;

bool is_ranked(const TrialRecord& trial) {
  return trial.complete && std::isfinite(trial.mean);
}

std::vector<TrialRecord> ranked(const std::vector<TrialRecord>& trials) {
  std::vector<TrialRecord> best;
  std::copy_if(trials.begin(), trials.end(), std::back_inserter(best), is_ranked);
  std::stable_sort(best.begin(), best.end(), [](const TrialRecord& a, const TrialRecord& b) {
    return a.budget != b.budget ? a.budget > b.budget : a.mean < b.mean;
  });
  return best;
}

Json to_json(const Setting& setting) {
  Json json = Json::object();
  for (const auto& [option, value] : setting) json[option] = value;
  return json;
}

std::string describe(const Setting& setting) {
  std::vector<std::string> options;
  for (const auto& [option, value] : setting) options.push_back(option + " " + value);
  return fmt::format("{}", fmt::join(options, ", "));
}

std::string describe_values(const Dimension& dimension, const std::string& strategy) {
  if (!dimension.range || !draws_settings(strategy)) {
    return count(dimension.values.size(), "value");
  }
  return fmt::format("{} to {}", dimension.range->low, dimension.range->high);
}

using Row = std::vector<std::string>;

Lines best_table(const TuneReport& report, const std::vector<TrialRecord>& best) {
  const bool budgets = std::any_of(best.begin(), best.end(),
                                   [](const TrialRecord& trial) { return trial.budget < 1; });
  Row head = {"", report.search.score, "deviation"};
  if (budgets) head.push_back("budget");
  for (const Dimension& dimension : report.search.space) head.push_back(dimension.option);
  std::vector<Row> rows = {head};
  for (std::size_t k = 0; k < std::min(best.size(), kShown); ++k) {
    const TrialRecord& trial = best[k];
    Row row = {fmt::format("{}", k + 1), fmt::format("{:.4f}", trial.mean),
               fmt::format("{:.4f}", trial.deviation)};
    if (budgets) row.push_back(fmt::format("{:.3g}", trial.budget));
    for (std::size_t d = 0; d < trial.setting.size(); ++d) {
      row.push_back(value_name(report.search.space[d], trial.setting[d].second));
    }
    rows.push_back(std::move(row));
  }
  return aligned(rows, std::nullopt);
}

Lines describe_failures(const std::vector<TrialRecord>& trials) {
  std::size_t failed = 0;
  std::string first;
  for (const TrialRecord& trial : trials) {
    const auto score = std::find_if(trial.scores.begin(), trial.scores.end(),
                                    [](const FoldScore& one) { return std::isinf(one.score); });
    if (score == trial.scores.end()) continue;
    if (failed++ == 0) first = describe(trial.setting) + ": " + score->message;
  }
  if (failed == 0) return {};
  return {"", fmt::format("{} failed, first {}", count(failed, "trial"), first)};
}

}  // namespace

std::optional<TrialRecord> best_trial(const std::vector<TrialRecord>& trials) {
  const std::vector<TrialRecord> best = ranked(trials);
  return best.empty() ? std::nullopt : std::optional(best.front());
}

Json winner_document(const TrialRecord& winner) {
  return {{"setting", to_json(winner.setting)}, {"mean", winner.mean}, {"std", winner.deviation}};
}

Json to_document(const TuneReport& report) {
  Json document = {{"command", "tune"},
                   {"study", report.study},
                   {"strategy", report.search.strategy},
                   {"folds", report.search.folds},
                   {"trials", Json::array()},
                   {"winner", nullptr}};
  for (const TrialRecord& trial : report.trials) {
    document["trials"].push_back({{"setting", to_json(trial.setting)},
                                  {"mean", trial.mean},
                                  {"std", trial.deviation},
                                  {"complete", trial.complete},
                                  {"budget", trial.budget}});
  }
  if (report.winner) document["winner"] = winner_document(*report.winner);
  return document;
}

Lines describe_search(const TuneReport& report, const std::string& title) {
  std::vector<std::string> varied;
  for (const Dimension& dimension : report.search.space) {
    varied.push_back(fmt::format("{} ({})", dimension.option,
                                 describe_values(dimension, report.search.strategy)));
  }
  Lines text = {fmt::format("search     {} over {}, {} of {}", report.search.strategy,
                            fmt::join(varied, ", "), count(report.trials.size(), "trial"),
                            count(report.search.folds, "fold"))};
  if (!report.winner) return text;
  text.push_back(fmt::format("{:<10} {}", title, describe(report.winner->setting)));
  text.push_back(fmt::format("           {} {:.4f} \u00B1 {:.4f} in the folds",
                             report.search.score, report.winner->mean, report.winner->deviation));
  return text;
}

Lines describe_trials(const TuneReport& report, std::size_t width) {
  const std::vector<TrialRecord> best = ranked(report.trials);
  Lines text;
  if (!best.empty()) {
    add_lines(text, {"", best.size() > kShown ? "the best trials" : "trials"});
    add_lines(text, best_table(report, best));
  }
  add_lines(text, describe_failures(report.trials));
  const std::vector<std::string> map = map_text(report.search, report.trials, width);
  if (!map.empty()) text.emplace_back();
  add_lines(text, map);
  return text;
}

Json model_document(const Model& model, const std::string& out) {
  Json document;
  const Summary& summary = model.training;
  if (summary.train) document["train"] = parse_document(scores_json(*summary.train));
  if (summary.test) document["test"] = parse_document(scores_json(*summary.test));
  document["model"] = out;
  document["parameters_sha256"] = model.parameters_sha256();
  return document;
}

}  // namespace knotwork::cli
