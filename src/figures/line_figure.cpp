// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/labeled_frame.hpp"
#include "figures/drawing/theme.hpp"

namespace knotwork {
namespace {

using namespace figures;

std::string description_of(const LineFigure& figure) {
  std::string text = fmt::format("{} against {}", figure.y_label.empty() ? "y" : figure.y_label,
                                 figure.x_label.empty() ? "x" : figure.x_label);
  const char* separator = ": ";
  for (const LineSeries& one : figure.series) {
    text += separator + one.name;
    separator = "; ";
  }
  return text + ".";
}

Frame frame_of(const LineFigure& figure) {
  std::vector<double> x, y;
  for (const LineSeries& one : figure.series) {
    for (const FigurePoint& point : one.points) {
      x.push_back(point.x);
      y.push_back(point.y);
    }
  }
  const auto kind = [](bool logarithmic) {
    return logarithmic ? AxisKind::logarithmic : AxisKind::linear;
  };
  return {LabeledFrame::kWide, Axis(kind(figure.log_x), x, 0.03),
          Axis(kind(figure.log_y), y, 0.06)};
}

}  // namespace

std::string line_figure(const LineFigure& figure) {
  if (figure.series.empty()) {
    fail(ErrorKind::bad_data, "A figure of lines needs at least one series.");
  }
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const std::string& name = figure.series[i].name;
    const Look look = look_of(i);
    entries.push_back(figure.markers ? entry_of(name, look) : line_entry(name, look.stroke));
  }
  const LabeledFrame plot({figure.title, figure.x_label, figure.y_label}, frame_of(figure),
                          std::move(entries));
  Svg svg = plot.begin("Lines", description_of(figure));
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Look look = look_of(i);
    const FigurePoints points = plot.frame().at(figure.series[i].points);
    svg.curve(points, look.stroke, figure.series[i].name);
    for (const FigurePoint& point : figure.markers ? points : FigurePoints()) {
      if (!has_place(point)) continue;
      svg.marker(look.marker, point.x, point.y, 3.4, look.stroke.color);
    }
  }
  return plot.finish(std::move(svg));
}

}  // namespace knotwork
