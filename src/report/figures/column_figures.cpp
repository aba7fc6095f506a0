// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/model_figures.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

constexpr std::size_t kMostBars = 30;
// As many means as a reader can tell apart.
constexpr std::size_t kMostMeans = 6;

std::string score_name(const Model& model) {
  if (model.classifies()) return "log loss";
  return model.targets.front().quantiles.empty() ? "NRMSE" : "relative pinball loss";
}

FigurePoints joined(const std::vector<double>& places, const std::vector<double>& values) {
  FigurePoints points;
  for (std::size_t k = 0; k < places.size(); ++k) points.push_back({places[k], values[k]});
  return points;
}

// The shown column of predictions comes first, so that it is included if there are many. The first
// of two classes is left out, because it adds nothing to the second.
std::vector<std::size_t> shown_means(const PartialDependence& one, const Model& model) {
  std::vector<std::size_t> shown = {one.shown};
  if (model.classifies() && model.predictions() == 2) return shown;
  for (std::size_t k = 0; k < model.predictions() && shown.size() < kMostMeans; ++k) {
    if (k != one.shown) shown.push_back(k);
  }
  return shown;
}

void add_means(const PartialDependence& one, const Model& model, DependenceFigure& figure) {
  const bool two_classes = model.classifies() && model.predictions() == 2;
  const std::vector<std::string> names =
      two_classes ? model.prediction_names() : short_prediction_names(model);
  for (const std::size_t k : shown_means(one, model)) {
    figure.means.push_back({names[k], joined(one.places, one.means[k])});
    if (!one.missing.empty()) figure.missing.push_back(one.missing[k]);
  }
}

DependenceFigure figure_of(const PartialDependence& one, const Model& model) {
  DependenceFigure figure{.title = "How predictions depend on " + one.column,
                          .x_label = one.column,
                          .y_label = model.classifies() ? "probability" : "prediction",
                          .strokes = one.deciles,
                           .categories = one.categories,
                           .dates = one.dates};
  add_means(one, model, figure);
  if (figure.means.size() == 1) figure.y_label = "predicted " + figure.means.front().name;
  for (const std::vector<double>& curve : one.curves) {
    figure.single.push_back(joined(one.places, curve));
  }
  return figure;
}

std::string caption_of(const PartialDependence& one, const Model& model) {
  const std::string shown =
      model.predictions() > 1 ? " (" + model.prediction_names()[one.shown] + ")" : "";
  std::string caption = fmt::format("The mean is over {}; {} of these rows are drawn{}.",
                                    count(one.rows, "row"), one.curves.size(), shown);
  if (one.texts > one.categories.size()) {
    caption += fmt::format(" Of {} texts, the figure shows the {} most frequent.", one.texts,
                           one.categories.size());
  }
  if (model.predictions() > kMostMeans) {
    caption += fmt::format(" The figure shows the means of {} of {} predictions.", kMostMeans,
                           model.predictions());
  }
  const auto texts = std::count_if(
      model.inputs.begin(), model.inputs.end(), [&](const InputColumn& input) {
        return input.kind == InputKind::category && input.column == one.column;
      });
  if (one.categories.size() < static_cast<std::size_t>(texts)) {
    caption += fmt::format(" The figure shows the {} texts with the most rows, of {}.",
                           one.categories.size(), texts);
  }
  return caption;
}

}  // namespace

bool has_important_columns(const ModelReport& report) {
  if (!report.importance || report.importance->columns.empty()) return false;
  const double most = report.importance->columns.front().mean;
  return std::isfinite(most) && most > 0;
}

std::optional<PageFigure> importance_figure(const ModelReport& report) {
  if (!has_important_columns(report)) return std::nullopt;
  const Importance& importance = *report.importance;
  BarFigure figure{
      .title = "Importance of the columns",
      .label = fmt::format("increase of the {} by shuffling", score_name(report.model))};
  for (const ColumnImportance& column : importance.columns) {
    if (figure.rows.size() == kMostBars) break;
    figure.rows.push_back({column.column, column.mean, column.deviation});
  }
  std::string caption = fmt::format(
      "The longer the bar, the more the model needs the column. Whiskers are one standard "
      "deviation over {} of {}.",
      count(importance.repeats, "shuffle"), count(importance.rows, "row"));
  if (importance.columns.size() > kMostBars) {
    caption += fmt::format(" The figure shows the {} most important of {} columns.", kMostBars,
                           importance.columns.size());
  }
  return PageFigure{"importance", bar_figure(figure), caption};
}

PageFigures dependence_figures(const ModelReport& report) {
  PageFigures figures;
  for (const PartialDependence& one : report.dependence) {
    figures.push_back({"dependence-" + file_word(one.column),
                       dependence_figure(figure_of(one, report.model)),
                       caption_of(one, report.model)});
  }
  return figures;
}

}  // namespace knotwork::report
