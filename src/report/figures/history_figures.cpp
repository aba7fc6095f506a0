// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "report/figures/model_figures.hpp"

namespace knotwork::report {
namespace {

// As many series as a reader can tell apart.
constexpr std::size_t kMostNetworks = 6;

// One value at each history point of a member; missing values are left out.
template <class Read>
LineSeries series_of(const History& history, std::size_t member, std::string name,
                     const Read& read) {
  LineSeries series{std::move(name), {}};
  for (const HistoryPoint& point : history.points) {
    if (point.member != member) continue;
    if (const std::optional<double> value = read(point)) {
      series.points.push_back({static_cast<double>(point.iteration), *value});
    }
  }
  return series;
}

std::optional<double> objective_of(const HistoryPoint& point) {
  return point.objective;
}

bool all_positive(const std::vector<LineSeries>& all) {
  return std::all_of(all.begin(), all.end(), [](const LineSeries& series) {
    return std::all_of(series.points.begin(), series.points.end(),
                       [](const FigurePoint& point) { return point.y > 0; });
  });
}

LineFigure lines(std::string title, std::string y_label, std::vector<LineSeries> series) {
  return {.title = std::move(title),
          .x_label = "iteration",
          .y_label = std::move(y_label),
          .log_y = all_positive(series),
          .series = std::move(series),
          .markers = false};
}

// The objective of a network and its parts. Parts that are 0 throughout are left out.
std::vector<LineSeries> with_parts(const History& history, std::size_t member) {
  std::vector<LineSeries> all = {series_of(history, member, "objective", objective_of)};
  for (std::size_t part = 0; part < history.parts.size(); ++part) {
    LineSeries series = series_of(history, member, history.parts[part],
                                  [&](const HistoryPoint& point) -> std::optional<double> {
                                    if (part < point.parts.size()) return point.parts[part];
                                    return std::nullopt;
                                  });
    const bool says_something = std::any_of(series.points.begin(), series.points.end(),
                                            [](const FigurePoint& point) { return point.y != 0; });
    if (says_something) all.push_back(std::move(series));
  }
  return all;
}

// One line for each network.
template <class Read>
std::vector<LineSeries> by_network(const ModelReport& report, const Read& read) {
  const std::size_t members = report.model.members.size();
  std::vector<LineSeries> all;
  for (std::size_t member = 0; member < std::min(members, kMostNetworks); ++member) {
    const std::string name = members == 1 ? "validation" : fmt::format("network {}", member + 1);
    LineSeries series = series_of(report.model.training.history, member, name, read);
    if (!series.points.empty()) all.push_back(std::move(series));
  }
  return all;
}

// "6 of 8 networks", also for titles, because figures are used separately too. Empty if all are
// shown.
std::string of_how_many(const ModelReport& report) {
  const std::size_t members = report.model.members.size();
  return members > kMostNetworks ? fmt::format("{} of {} networks", kMostNetworks, members) : "";
}

}  // namespace

PageFigures course_figures(const ModelReport& report) {
  const History& history = report.model.training.history;
  if (history.points.empty()) return {};
  PageFigures figures;
  const bool ensemble = report.model.members.size() > 1;
  const std::string some = of_how_many(report);
  const std::string shown = some.empty() ? "" : fmt::format(" The figure shows {}.", some);
  if (ensemble) {
    figures.push_back({"objective-networks",
                       line_figure(lines("Objective of " + (some.empty() ? "the networks" : some),
                                         "objective", by_network(report, objective_of))),
                       "The objective that training minimizes, for each network of the ensemble. A "
                       "line that is flat at its end has converged." +
                           shown});
  }
  figures.push_back(
      {"objective",
       line_figure(
           lines(ensemble ? "Objective of network 1 and its parts" : "Objective and its parts",
                 "objective", with_parts(history, history.points.front().member))),
       "The objective that training minimizes is the loss plus the penalties. If a line still "
       "falls at its right end, more iterations could help."});
  std::vector<LineSeries> validation =
      by_network(report, [](const HistoryPoint& point) { return point.validation; });
  if (!validation.empty()) {
    figures.push_back({"validation",
                       line_figure(lines("Loss of the validation rows" +
                                             (some.empty() ? "" : fmt::format(" ({})", some)),
                                         "validation loss", std::move(validation))),
                       "Training does not use these rows. Where the line rises again, the network "
                       "begins to overfit its training rows." +
                           shown});
  }
  return figures;
}

}  // namespace knotwork::report
