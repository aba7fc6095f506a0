// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/labeled_frame.hpp"
#include "figures/drawing/theme.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr double kSmallest = 2.2, kLargest = 8;  // radii
const Stroke kDiagonal{"#8a8a8a", 1};            // not dashed, unlike some curves
const std::string kSampleColor = "#444444";

void check(const ReliabilityFigure& figure) {
  if (figure.series.empty()) {
    fail(ErrorKind::bad_data, "A figure of reliability needs at least one series.");
  }
  for (const ReliabilitySeries& one : figure.series) {
    if (one.rows.size() == one.points.size()) continue;
    fail(ErrorKind::bad_data,
         "The reliability of '{}' has {} points and {} numbers of rows; it needs one for each "
         "point.",
         one.name, one.points.size(), one.rows.size());
  }
}

// Probabilities and shares are from 0 to 1; other values are left out.
FigurePoints probabilities(FigurePoints points) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto valid = [](double value) { return value >= 0 && value <= 1; };
  for (FigurePoint& point : points) {
    if (!valid(point.x) || !valid(point.y)) point = {kNone, kNone};
  }
  return points;
}

double most_rows(const ReliabilityFigure& figure) {
  double most = 0;
  for (const ReliabilitySeries& one : figure.series) {
    for (const double rows : one.rows) most = has_place(rows) ? std::max(most, rows) : most;
  }
  return most;
}

// Areas are proportional to the numbers of rows.
double radius_of(double rows, double most) {
  const double share = rows > 0 && most > 0 ? std::min(rows / most, 1.0) : 0;
  return std::max(kSmallest, kLargest * std::sqrt(share));
}

std::string description_of(const ReliabilityFigure& figure) {
  std::string text = "Observed share against predicted probability, and the line of equal values";
  const char* separator = ": ";
  for (const ReliabilitySeries& one : figure.series) {
    const FigurePoints points = probabilities(one.points);
    double rows = 0, apart = 0;
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!has_place(points[i])) continue;
      const double weight = has_place(one.rows[i]) ? std::max(one.rows[i], 0.0) : 0;
      rows += weight;
      apart += weight * std::abs(points[i].y - points[i].x);
      ++drawn;
    }
    text += fmt::format("{}{}{}{} bins", separator, one.name, one.name.empty() ? "" : ", ", drawn);
    if (rows > 0) text += fmt::format(", on average {:.2g} apart", apart / rows);
    separator = "; ";
  }
  return text + ".";
}

void draw_series(Svg& svg, const Frame& frame, const ReliabilitySeries& series, const Look& look,
                 double most) {
  const FigurePoints points = frame.at(probabilities(series.points));
  svg.curve(points, {look.stroke.color, 1.4, look.stroke.dashes}, series.name);
  for (std::size_t i = 0; i < points.size(); ++i) {
    svg.markers(look.marker, {points[i]}, radius_of(series.rows[i], most), look.stroke.color, 0.7);
  }
}

}  // namespace

std::string reliability_figure(const ReliabilityFigure& figure) {
  check(figure);
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const std::string& name = figure.series[i].name;
    if (figure.series.size() == 1 && name.empty()) break;
    entries.push_back(entry_of(name, look_of(i)));
  }
  entries.push_back({"more rows", [](Svg& svg, double x, double y) {
                       svg.marker(Marker::disc, x + 5, y, 2.2, kSampleColor);
                       svg.marker(Marker::disc, x + 18, y, 6, kSampleColor);
                     }});
  const Axis axis(AxisKind::linear, std::vector<double>{0, 1}, 0.03);
  const LabeledFrame plot({figure.title, "predicted probability", "observed share"},
                          {LabeledFrame::kSquare, axis, axis}, std::move(entries));
  Svg svg = plot.begin("Reliability", description_of(figure));
  const FigurePoint from = plot.frame().at({0, 0}), to = plot.frame().at({1, 1});
  svg.line(from.x, from.y, to.x, to.y, kDiagonal);
  const double most = most_rows(figure);
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    draw_series(svg, plot.frame(), figure.series[i], look_of(i), most);
  }
  return plot.finish(std::move(svg));
}

}  // namespace knotwork
