// SPDX-License-Identifier: MIT
// The output of tune about a study, as a JSON document or as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/tune/tune_study.hpp"
#include "cli/output/printing.hpp"

#include <knotwork/model.hpp>

namespace knotwork::cli {

struct TuneReport {
  std::string study;  // the file's name
  StoredSearch search;
  std::vector<TrialRecord> trials;
  std::optional<TrialRecord> winner;  // or the best trial so far
};

// The trial with the lowest mean at the largest budget; the first of equal trials. Empty if no
// trial is complete without a failed fold.
std::optional<TrialRecord> best_trial(const std::vector<TrialRecord>& trials);

Json winner_document(const TrialRecord& winner);
Json to_document(const TuneReport& report);
// The result of the search: a line about the search, and a line about the winner, which begins with
// `title`.
Lines describe_search(const TuneReport& report, const std::string& title);
// A table of the best trials, then the map if there is one.
Lines describe_trials(const TuneReport& report, std::size_t width);

// The winner, trained on all training rows, for the JSON document and the study.
Json model_document(const Model& model, const std::string& out);

}  // namespace knotwork::cli
