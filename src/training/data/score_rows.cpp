// SPDX-License-Identifier: MIT
#include "training/data/score_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/any_matrix.hpp"
#include "base/fail.hpp"
#include "model/prediction_pass.hpp"
#include "scoring/row_scores.hpp"

namespace knotwork::training {
namespace {

// Rows are gathered and predicted in windows of so many.
constexpr std::size_t kWindowRows = std::size_t{1} << 16;

[[noreturn]] void refuse_as_far_off(std::size_t count, std::size_t rows) {
  fail(ErrorKind::failed_run,
       "The trained model has no prediction with a finite error for {} of the {} rows that it was "
       "trained on; a lower rate, fewer iterations, or targets in larger units may mend that.",
       count, rows);
}

// A row far from those of training can be too much for the arithmetic; its part has no scores then.
// A model that cannot even predict what it was trained on is none.
void look_for_infinite(Summary& summary, std::size_t count, std::size_t rows, Part part) {
  if (count == 0) return;
  if (part == Part::train) refuse_as_far_off(count, rows);
  summary.remarks.push_back(
      fmt::format("{} of {} rows of the {} part {} no finite prediction, so that the part has no "
                  "scores; {} inputs may lie far from those of training.",
                  count, rows, part == Part::validation ? "validation" : "test",
                  count == 1 ? "has" : "have", count == 1 ? "its" : "their"));
}

// Where the scores of a part stand.
std::optional<Scores>& scores_in(auto& of, Part part) {
  if (part == Part::train) return of.train;
  return part == Part::validation ? of.validation : of.test;
}

// Some of the caller's rows, in windows.
class ChosenRows {
 public:
  ChosenRows(const TrainingData& data, std::span<const std::size_t> rows)
      : data_(data), rows_(rows) {}

  // take(rows, truth, weights)
  template <class Take>
  void for_each_window(const Take& take) const {
    const std::size_t targets = columns_of(data_.targets);
    std::vector<double> truth, weights;
    for (std::size_t first = 0; first < rows_.size(); first += kWindowRows) {
      const auto rows = rows_.subspan(first, std::min(kWindowRows, rows_.size() - first));
      truth.clear();
      weights.clear();
      for (std::size_t t = 0; t < targets; ++t) {
        for (const std::size_t row : rows) truth.push_back(element(data_.targets, row, t));
      }
      if (!data_.weights.empty()) {
        for (const std::size_t row : rows) weights.push_back(data_.weights[row]);
      }
      take(rows, column_major(std::span<const double>(truth), rows.size(), targets),
           std::span<const double>(weights));
    }
  }

 private:
  const TrainingData& data_;
  std::span<const std::size_t> rows_;
};

}  // namespace

void score_rows(Model& model, const TrainingData& data, std::span<const std::size_t> rows,
                std::size_t threads, Part part) {
  const ChosenRows chosen(data, rows);
  using Window = std::span<const std::size_t>;
  using Truth = MatrixView<const double>;
  using Weights = std::span<const double>;
  scoring::RowScores scores(model.targets, rows.size());
  chosen.for_each_window(
      [&](Window, Truth truth, Weights weights) { scores.see_truth(truth, weights); });
  scores.begin_predictions();
  std::vector<double> predictions;
  chosen.for_each_window([&](Window window, Truth truth, Weights weights) {
    const std::size_t count = window.size();
    predictions.resize(count * model.predictions());
    model::predict_rows(
        model, count, threads,
        [&](std::size_t k, std::size_t c) { return element(data.inputs, window[k], c); },
        [&](std::size_t k, std::size_t c, double y) { predictions[c * count + k] = y; });
    scores.see(column_major(std::span<const double>(predictions), count, model.predictions()),
               truth, weights);
  });
  store_scores(model, scores, rows.size(), part);
}

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
