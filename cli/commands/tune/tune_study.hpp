// SPDX-License-Identifier: MIT
// The identity of a study of tune, which ensures that only the same search continues it.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/tune/tune_space.hpp"

#include <knotwork/search.hpp>
#include <knotwork/training.hpp>

namespace knotwork::cli {

// Whether the strategy draws --trials settings instead of taking a grid.
bool draws_settings(const std::string& strategy);

// Everything that the scores depend on. `score` is the name of the score.
Study::Identity study_identity(const Table& table, const TableTask& task, const TuneSpace& space,
                               const SearchOptions& search, const std::string& score);

// The stored description of a search. Throws bad_file if the study is damaged or not made by tune.
struct StoredSearch {
  std::vector<Dimension> space;
  std::string strategy;
  std::size_t folds = 0;
  std::string score = "NRMSE";  // the score of the trials
};
StoredSearch stored_search(const Study& study, const std::string& path);
// Throws bad_file if their settings do not belong to the search.
std::vector<TrialRecord> stored_trials(const Study& study, const StoredSearch& search);

}  // namespace knotwork::cli
