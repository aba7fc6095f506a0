// SPDX-License-Identifier: MIT
// What a study of tune is about, so that it is only ever gone on with the same search.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/tune/tune_space.hpp"

#include <knotwork/search.hpp>
#include <knotwork/training.hpp>

namespace knotwork::cli {

// Whether the strategy draws settings, as many as --trials says, instead of taking a grid.
bool draws_settings(const std::string& strategy);

// Everything that the scores depend on. `score` names them.
Study::Identity study_identity(const Table& table, const TableTask& task, const TuneSpace& space,
                               const SearchOptions& search, const std::string& score);

// What was stored about the search. Throws bad_file when the study is damaged or not one of tune.
struct StoredSearch {
  std::vector<Dimension> space;
  std::string strategy;
  std::size_t folds = 0;
  std::string score = "NRMSE";  // what the trials were scored by
};
StoredSearch stored_search(const Study& study, const std::string& path);
// Throws bad_file when their settings are none of the search.
std::vector<TrialRecord> stored_trials(const Study& study, const StoredSearch& search);

}  // namespace knotwork::cli
