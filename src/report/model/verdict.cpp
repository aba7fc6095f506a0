// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/model/score_cells.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

std::string compared_score(const Scores& scores) {
  if (scores.classes) return "log loss";
  return scores.pinball ? "relative pinball loss" : "NRMSE";
}

// The lower the better, both of them at least 0.
std::string beside_baseline(const Scores& own, const Baseline& baseline) {
  const double mine = own.to_compare(), other = baseline.test->to_compare();
  if (!std::isfinite(mine) || !std::isfinite(other)) return "";
  const std::string score = compared_score(own);
  if (short_number(mine) == short_number(other)) {
    return fmt::format("On test rows the model does as well as the baseline {}: {} {}.",
                       baseline.name, score, short_number(mine));
  }
  if (mine > other) {
    return fmt::format(
        "The baseline {} does better than this model: on test rows its {} is {}, the model's {}.",
        baseline.name, score, short_number(other), short_number(mine));
  }
  return fmt::format(
      "On test rows the model does better than every baseline: its {} is {}, {} lower than that of "
      "the best ({}, {}).",
      score, short_number(mine), percent(1 - mine / other), baseline.name, short_number(other));
}

// What is far better on rows that it has seen. Where both are next to nothing it does not matter.
std::string overfitting(const Scores& train, const Scores& test) {
  constexpr double kFarBetter = 0.5, kNothing = 0.01;
  const double seen = train.to_compare(), unseen = test.to_compare();
  if (!(seen < kFarBetter * unseen) || !(unseen > kNothing) || !std::isfinite(unseen)) return "";
  return fmt::format(
      "It may be overfitted: its {} is {} on the rows that it was trained on and {} on test rows.",
      compared_score(test), short_number(seen), short_number(unseen));
}

}  // namespace

bool are_same(const Scores& a, const Scores& b) {
  constexpr double kRounding = 1e-4;
  const double one = a.to_compare(), other = b.to_compare();
  return a.rows == b.rows &&
         (one == other || std::abs(one - other) <= kRounding * std::max(one, other));
}

bool are_known(const Summary& training, const Scores& scores) {
  const auto same = [&](const std::optional<Scores>& known) {
    return known && are_same(*known, scores);
  };
  return same(training.test) || same(training.validation) || same(training.train);
}

const Baseline* best_baseline(const Summary& training) {
  const Baseline* best = nullptr;
  for (const Baseline& one : training.baselines) {
    if (!one.test || std::isnan(one.test->to_compare())) continue;
    if (best == nullptr || one.test->to_compare() < best->test->to_compare()) best = &one;
  }
  return best;
}

std::string verdict(const Summary& training) {
  if (!training.test) return "";
  std::vector<std::string> sentences;
  if (const Baseline* best = best_baseline(training)) {
    sentences.push_back(beside_baseline(*training.test, *best));
  }
  if (training.train) sentences.push_back(overfitting(*training.train, *training.test));
  std::string text;
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
  }
  return text;
}

}  // namespace knotwork::report
