// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/figures/model_figures.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

constexpr std::size_t kMostConfused = 40;      // as many classes as a reader can read
constexpr std::size_t kMostReliabilities = 6;  // as many series as can be told apart
constexpr std::size_t kFewestRows = 5;         // in a bin

std::string level_name(double level) {
  return fmt::format("quantile {:g}", level);
}

// One group for each level of quantiles.
std::vector<LineSeries> against_truth(const PredictedTarget& target) {
  std::vector<LineSeries> groups;
  for (std::size_t level = 0; level < target.predicted.size(); ++level) {
    LineSeries& group = groups.emplace_back();
    if (!target.levels.empty()) group.name = level_name(target.levels[level]);
    for (std::size_t k = 0; k < target.truth.size(); ++k) {
      group.points.push_back({target.truth[k], target.predicted[level][k]});
    }
  }
  return groups;
}

LineSeries residuals_of(const PredictedTarget& target) {
  const std::size_t middle = target.levels.empty() ? 0 : middle_level(target.levels);
  LineSeries residuals;
  for (std::size_t k = 0; k < target.truth.size(); ++k) {
    const double predicted = target.predicted[middle][k];
    residuals.points.push_back({predicted, target.truth[k] - predicted});
  }
  return residuals;
}

std::string how_many(const PredictedTarget& target, std::size_t rows) {
  return target.truth.size() < rows
             ? fmt::format(" The figure shows {} of {} rows.", target.truth.size(), rows)
             : "";
}

void add_target(PageFigures& figures, const PredictedTarget& target, std::size_t rows,
                const std::string& suffix) {
  const bool quantiles = !target.levels.empty();
  const std::string of_which = suffix.empty() ? "" : ": " + target.column;
  figures.push_back({"predicted-against-true" + suffix,
                     scatter_figure({.title = "Predicted against true" + of_which,
                                     .x_label = "true " + target.column,
                                     .y_label = "predicted " + target.column,
                                     .groups = against_truth(target),
                                     .guide = GuideLine::diagonal}),
                     (quantiles ? "A good low quantile has most of its dots below the diagonal, a "
                                  "good high quantile most of its dots above it."
                                : "Every dot is a row. On the diagonal a prediction is exact.") +
                         how_many(target, rows)});
  figures.push_back({"residuals" + suffix,
                     scatter_figure({.title = "Residuals" + of_which,
                                     .x_label = "predicted " + target.column,
                                     .y_label = "true \u2212 predicted",
                                     .groups = {residuals_of(target)},
                                     .guide = GuideLine::zero}),
                     "The errors of the model. A good model leaves a band around 0 without a "
                     "pattern; a bend or a funnel is a pattern that the model has not learned." +
                         how_many(target, rows)});
  if (target.residual_counts.empty()) return;
  figures.push_back({"residual-histogram" + suffix,
                     histogram_figure({.title = "Sizes of the residuals" + of_which,
                                       .x_label = "true \u2212 predicted " + target.column,
                                       .bars = {target.residual_edges, target.residual_counts}}),
                     fmt::format("Residuals of all {}. The narrower around 0, the better; a long "
                                 "tail is a few rows with large errors.",
                                 count(rows, "row"))});
}

// The indices of the `most` largest numbers, ascending.
std::vector<std::size_t> largest(const std::vector<double>& numbers, std::size_t most) {
  std::vector<std::size_t> places(numbers.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] > numbers[b]; });
  places.resize(std::min(places.size(), most));
  std::sort(places.begin(), places.end());
  return places;
}

void add_confusion(PageFigures& figures, const ModelReport& report) {
  const auto& scores = report.check->scores.classes;
  if (!scores || scores->confusion.empty()) return;
  const std::vector<std::string>& classes = report.model.targets.front().classes;
  std::vector<double> rows;
  for (const std::vector<double>& counts : scores->confusion) {
    rows.push_back(std::accumulate(counts.begin(), counts.end(), 0.0));
  }
  ConfusionFigure figure{.title = "Predicted and true classes"};
  const std::vector<std::size_t> shown = largest(rows, kMostConfused);
  for (const std::size_t own : shown) {
    figure.classes.push_back(classes[own]);
    std::vector<double>& counts = figure.counts.emplace_back();
    for (const std::size_t other : shown) counts.push_back(scores->confusion[own][other]);
  }
  std::string caption =
      "Rows are true classes, columns are predicted classes. Everything off the diagonal is an "
      "error.";
  if (shown.size() < classes.size()) {
    caption += fmt::format(
        " The figure shows the {} most frequent of {} classes; rows that were predicted as another "
        "class are not counted.",
        shown.size(), classes.size());
  }
  figures.push_back({"confusion", confusion_figure(figure), caption});
}

// How many rows have the class.
double rows_of(const Reliability& one) {
  double rows = 0;
  for (const ReliabilityBin& bin : one.bins) rows += bin.observed * static_cast<double>(bin.rows);
  return rows;
}

// The reliabilities in `all` with the indices `shown`. Bins with few rows are left out, because
// they show chance more than the model.
ReliabilityFigure reliability_of(const std::vector<Reliability>& all,
                                 const std::vector<std::size_t>& shown, std::size_t fewest) {
  ReliabilityFigure figure{.title = "Reliability of the probabilities"};
  for (const std::size_t place : shown) {
    ReliabilitySeries series{.name = all[place].label, .points = {}, .rows = {}};
    for (const ReliabilityBin& bin : all[place].bins) {
      if (bin.rows < fewest) continue;
      series.points.push_back({bin.predicted, bin.observed});
      series.rows.push_back(static_cast<double>(bin.rows));
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  return figure;
}

std::size_t bins_of(const ReliabilityFigure& figure) {
  std::size_t bins = 0;
  for (const ReliabilitySeries& series : figure.series) bins += series.points.size();
  return bins;
}

void add_reliability(PageFigures& figures, const ModelReport& report) {
  const std::vector<Reliability>& all = report.check->reliability;
  if (all.empty()) return;
  std::vector<double> rows;
  for (const Reliability& one : all) rows.push_back(rows_of(one));
  const std::vector<std::size_t> shown = largest(rows, kMostReliabilities);
  const ReliabilityFigure every_bin = reliability_of(all, shown, 0);
  ReliabilityFigure figure = reliability_of(all, shown, kFewestRows);
  if (figure.series.empty()) figure = every_bin;
  std::string caption =
      "Of the rows with a predicted probability of 70 %, about 70 % should have the class. Dots "
      "are then on the diagonal; below it the model is too confident.";
  if (shown.size() < all.size()) {
    caption += fmt::format(" The figure shows the {} most frequent of {} classes.", shown.size(),
                           all.size());
  }
  if (bins_of(figure) < bins_of(every_bin)) {
    caption += fmt::format(" Dots of fewer than {} rows are left out.", kFewestRows);
  }
  figures.push_back({"reliability", reliability_figure(figure), caption});
}

}  // namespace

PageFigures prediction_figures(const ModelReport& report) {
  PageFigures figures;
  if (!report.check) return figures;
  const auto& numbers = report.check->numbers;
  for (const PredictedTarget& target : numbers) {
    add_target(figures, target, report.check->rows,
               numbers.size() == 1 ? "" : fmt::format("-{}", file_word(target.column)));
  }
  add_confusion(figures, report);
  add_reliability(figures, report);
  return figures;
}

}  // namespace knotwork::report
