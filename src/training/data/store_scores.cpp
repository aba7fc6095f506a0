// SPDX-License-Identifier: MIT
#include "training/data/store_scores.hpp"

#include <cmath>

#include "base/fail.hpp"

namespace knotwork::training {
namespace {

[[noreturn]] void refuse_as_far_off(std::size_t count, std::size_t rows) {
  fail(ErrorKind::failed_run,
       "The error of the trained model is not finite for {} of its {} training rows; a lower rate, "
       "fewer iterations, or targets in larger units may help.",
       count, rows);
}

// A row far from the training rows can overflow; its part then has no scores. A model that cannot
// predict its own training rows is unusable.
void look_for_infinite(Summary& summary, std::size_t count, std::size_t rows, Part part) {
  if (count == 0) return;
  if (part == Part::train) refuse_as_far_off(count, rows);
  summary.remarks.push_back(
      fmt::format("{} of {} rows of the {} part {} no finite prediction, so the part has no "
                  "scores; {} inputs may be far outside the training range.",
                  count, rows, part == Part::validation ? "validation" : "test",
                  count == 1 ? "has" : "have", count == 1 ? "its" : "their"));
}

// Where the summary has the scores of a part.
std::optional<Scores>& scores_in(auto& of, Part part) {
  if (part == Part::train) return of.train;
  return part == Part::validation ? of.validation : of.test;
}

}  // namespace

void store_scores(Model& model, const scoring::RowScores& scores, std::size_t rows, Part part) {
  Summary& summary = model.training;
  look_for_infinite(summary, scores.infinite_rows(), rows, part);
  std::vector<Scores> single;
  std::optional<Scores>& all = scores_in(summary, part);
  all = scores.finish(&single);
  if (part == Part::train && std::isinf(all->rmse)) refuse_as_far_off(rows, rows);
  const std::size_t targets = model.targets.size();
  if (targets == 1) return;
  summary.target_scores.resize(targets);
  for (std::size_t t = 0; t < targets; ++t) {
    summary.target_scores[t].column = model.targets[t].column;
    scores_in(summary.target_scores[t], part) = single[t];
  }
}

}  // namespace knotwork::training
