// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/labeled_frame.hpp"
#include "figures/drawing/theme.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr std::size_t kMany =
    150;  // number of points in a group from which on single points may blend
constexpr std::size_t kLayers = 6;
const Stroke kGuide{"#444444", 1.2, "6 4"};

FigurePoints placed_points(const LineSeries& group) {
  FigurePoints points;
  std::copy_if(group.points.begin(), group.points.end(), std::back_inserter(points),
               [](const FigurePoint& point) { return has_place(point); });
  return points;
}

std::size_t count_points(const ScatterFigure& figure) {
  std::size_t count = 0;
  for (const LineSeries& group : figure.groups) count += placed_points(group).size();
  return count;
}

Frame frame_of(const ScatterFigure& figure) {
  std::vector<double> x, y;
  for (const LineSeries& group : figure.groups) {
    for (const FigurePoint& point : placed_points(group)) {
      x.push_back(point.x);
      y.push_back(point.y);
    }
  }
  if (figure.guide == GuideLine::zero) y.push_back(0);
  if (figure.guide != GuideLine::diagonal) {
    return {LabeledFrame::kMiddle, Axis(AxisKind::linear, x, 0.03),
            Axis(AxisKind::linear, y, 0.06)};
  }
  x.insert(x.end(), y.begin(), y.end());
  const Axis both(AxisKind::linear, x, 0.04);
  return {LabeledFrame::kSquare, both, both};
}

void draw_guide(Svg& svg, const Frame& frame, GuideLine guide) {
  const Box& box = frame.box;
  if (guide == GuideLine::diagonal) svg.line(box.left, box.bottom(), box.right(), box.top, kGuide);
  if (guide == GuideLine::zero) {
    const double y = frame.at({0, 0}).y;
    svg.line(box.left, y, box.right(), y, kGuide);
  }
}

// Many points are divided among transparent layers, so that dense regions are darker.
void draw_group(Svg& svg, const FigurePoints& points, const Look& look) {
  if (points.size() < kMany) {
    svg.markers(look.marker, points, 2.6, look.stroke.color, 0.75);
    return;
  }
  std::vector<FigurePoints> layers(kLayers);
  for (std::size_t i = 0; i < points.size(); ++i) layers[i % kLayers].push_back(points[i]);
  for (const FigurePoints& layer : layers) {
    svg.markers(look.marker, layer, 2, look.stroke.color, 0.4);
  }
}

std::string description_of(const ScatterFigure& figure) {
  std::string text = fmt::format("{} points, {} against {}", count_points(figure),
                                 figure.y_label.empty() ? "y" : figure.y_label,
                                 figure.x_label.empty() ? "x" : figure.x_label);
  if (figure.guide == GuideLine::diagonal) text += ", and the line of equal values";
  if (figure.guide == GuideLine::zero) text += ", and the line at 0";
  const char* separator = ": ";
  for (const LineSeries& group : figure.groups) {
    if (group.name.empty()) continue;
    text += fmt::format("{}{} {}", separator, placed_points(group).size(), group.name);
    separator = "; ";
  }
  return text + ".";
}

}  // namespace

std::string scatter_figure(const ScatterFigure& figure) {
  if (figure.groups.empty()) {
    fail(ErrorKind::bad_data, "A figure of points needs at least one group.");
  }
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < figure.groups.size(); ++i) {
    const Look look = look_of(i);
    const std::string& name = figure.groups[i].name;
    if (figure.groups.size() == 1 && name.empty()) break;
    entries.push_back(marker_entry(name, look.marker, 3.2, look.stroke.color));
  }
  const LabeledFrame plot({figure.title, figure.x_label, figure.y_label}, frame_of(figure),
                          std::move(entries));
  Svg svg = plot.begin("Points", description_of(figure));
  for (std::size_t i = 0; i < figure.groups.size(); ++i) {
    draw_group(svg, plot.frame().at(placed_points(figure.groups[i])), look_of(i));
  }
  draw_guide(svg, plot.frame(), figure.guide);
  return plot.finish(std::move(svg));
}

}  // namespace knotwork
