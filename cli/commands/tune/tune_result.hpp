// SPDX-License-Identifier: MIT
// What tune tells about a study, as a document or as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/tune/tune_study.hpp"
#include "cli/output/document.hpp"

#include <knotwork/model.hpp>

namespace knotwork::cli {

struct TuneReport {
  std::string study;  // its file
  StoredSearch search;
  std::vector<TrialRecord> trials;
  std::optional<TrialRecord> winner;  // or the best so far
};

// A trial of the largest budget with the lowest mean, the first of equals; none if none is complete
// without a failed fold.
std::optional<TrialRecord> best_trial(const std::vector<TrialRecord>& trials);

Json winner_document(const TrialRecord& winner);
Json to_document(const TuneReport& report);
// What the search found: a line on the search, one on the winner called as `title` says.
std::string describe_search(const TuneReport& report, const std::string& title);
// The best trials below each other, then the map if there is one.
std::string describe_trials(const TuneReport& report, std::size_t width);

// Of the winner trained on all training rows, for a document and to be kept in the study.
Json model_document(const Model& model, const std::string& out);

}  // namespace knotwork::cli
