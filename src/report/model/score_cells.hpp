// SPDX-License-Identifier: MIT
// Scores as cells of a table, which depend on what the model predicts.
#pragma once

#include <string>
#include <vector>

#include <knotwork/model.hpp>

namespace knotwork::report {

struct MainScore {
  std::string name;
  double value = 0;
  bool lower_is_better = true;
};
// The score that the page shows first.
MainScore main_score(const Scores& scores);

// Whether two scores of the same rows are equal except for rounding.
bool are_same(const Scores& a, const Scores& b);
// Whether the record of the training already contains these scores.
bool are_known(const Summary& training, const Scores& scores);
// The best baseline with test rows, by the score that compares settings; null if there is none.
const Baseline* best_baseline(const Summary& training);
// One or two sentences on how the model compares to simpler ones, and whether it may have
// overfitted its training rows; empty if neither is known.
std::string verdict(const Summary& training);

std::vector<std::string> score_heads(const Model& model);
std::vector<std::string> score_cells(const Model& model, const Scores& scores);

}  // namespace knotwork::report
