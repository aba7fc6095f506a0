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

// Lower values are better; both are at least 0.
std::string beside_baseline(const Scores& own, const Baseline& baseline) {
  const double mine = own.to_compare(), other = baseline.test->to_compare();
  if (!std::isfinite(mine) || !std::isfinite(other)) return "";
  const std::string score = compared_score(own);
  if (short_number(mine) == short_number(other)) {
    return fmt::format("On test rows the model is as good as the baseline {}: {} {}.",
                       baseline.name, score, short_number(mine));
  }
  if (mine > other) {
    return fmt::format(
        "The baseline {} is better than this model: on test rows the {} of the baseline is {}, and "
        "that of the model is {}.",
        baseline.name, score, short_number(other), short_number(mine));
  }
  return fmt::format(
      "On test rows the model is better than every baseline: its {} is {}, which is {} lower than "
      "that of the best baseline ({}, {}).",
      score, short_number(mine), percent(1 - mine / other), baseline.name, short_number(other));
}

// A warning if the score on training rows is far better than on test rows, unless both are near 0.
std::string overfitting(const Scores& train, const Scores& test) {
  constexpr double kFarBetter = 0.5, kNothing = 0.01;
  const double seen = train.to_compare(), unseen = test.to_compare();
  if (!(seen < kFarBetter * unseen) || !(unseen > kNothing) || !std::isfinite(unseen)) return "";
  return fmt::format(
      "The model may be overfitted: its {} is {} on training rows and {} on test rows.",
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
