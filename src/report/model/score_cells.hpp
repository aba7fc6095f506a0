// SPDX-License-Identifier: MIT
// Scores as cells of a table: which ones there are depends on what a model predicts.
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
// The one that people look at first.
MainScore main_score(const Scores& scores);

// Scores of the same rows, but for rounding?
bool are_same(const Scores& a, const Scores& b);
// Does the record of the training tell these already?
bool are_known(const Summary& training, const Scores& scores);
// The best of those with test rows, by the score that settings are compared by; may be none.
const Baseline* best_baseline(const Summary& training);
// How good the model is beside simpler ones, and whether it may have learned its training rows by
// heart: a sentence or two, empty where nothing is known.
std::string verdict(const Summary& training);

std::vector<std::string> score_heads(const Model& model);
std::vector<std::string> score_cells(const Model& model, const Scores& scores);

}  // namespace knotwork::report
