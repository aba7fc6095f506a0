// SPDX-License-Identifier: MIT
#include "cli/commands/tune/tune_show.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/fail.hpp"
#include "cli/commands/tune/tune_map.hpp"
#include "cli/commands/tune/tune_result.hpp"
#include "cli/output/output.hpp"
#include "cli/program/commands.hpp"
#include "cli/tables/output_place.hpp"
#include "files/file_io.hpp"

namespace knotwork::cli {
namespace {

// The result of a finished search: its winner and the model; null if the search has not finished.
Json stored_result(const Study& study) {
  const std::optional<std::string> text = study.result("", kResultName);
  if (!text) return Json();
  Json result = parse_strange_document(*text).value_or(Json());
  if (!result.is_object() || !result.contains("winner") || !result.contains("model") ||
      !result["model"].is_string()) {
    study.refuse_as_damaged("the stored winner cannot be read");
  }
  return result;
}

// The search knows the order of equally good trials; the study does not.
std::optional<TrialRecord> winner_of(const std::vector<TrialRecord>& trials, const Json& result) {
  if (!result.is_null()) {
    for (const TrialRecord& trial : trials) {
      if (winner_document(trial) == result["winner"]) return trial;
    }
  }
  return best_trial(trials);
}

std::string describe_model(const Json& result) {
  std::string line = "saved in   " + result["model"].get<std::string>();
  for (const auto& [place, name] :
       {std::pair{"/test/pinball", "pinball loss"}, std::pair{"/test/nrmse", "NRMSE"},
        std::pair{"/test/accuracy", "accuracy"}}) {
    const Json::json_pointer score(place);
    if (!result.contains(score) || !result.at(score).is_number()) continue;
    line += fmt::format(" (test {} {:.4g})", name, result.at(score).get<double>());
    break;
  }
  return line;
}

void write_figure(const std::string& path, const std::string& svg) {
  write_text(path, svg);
}

}  // namespace

int show_study(const ShowRequest& request) {
  if (request.svg) {
    files::check_writable(*request.svg);
    check_not_an_input("--svg", *request.svg, {request.study});
    check_place_of_text("--svg", *request.svg);
  }
  const Study study = Study::read(request.study);
  TuneReport report{request.study, stored_search(study, request.study), {}, {}};
  report.trials = stored_trials(study, report.search);
  const Json result = stored_result(study);
  report.winner = winner_of(report.trials, result);
  if (request.svg) write_figure(*request.svg, map_figure(report.search, report.trials));
  if (request.json) {
    Json document = to_document(report);
    if (!result.is_null()) document.update(result);
    print_document(document);
    return kDone;
  }
  Lines text = {"study      " + request.study};
  add_lines(text, describe_search(report, result.is_null() ? "so far" : "winner"));
  if (!result.is_null()) text.push_back(describe_model(result));
  add_lines(text, describe_trials(report, terminal_width(STDOUT_FILENO, 80)));
  print_lines(text);
  return kDone;
}

}  // namespace knotwork::cli
