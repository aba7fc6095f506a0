// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <cmath>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "report/axis.hpp"
#include "report/legend.hpp"

namespace knotwork {
namespace {

using namespace report;

constexpr double kWidth = 460, kHeight = 270;
constexpr double kEdge = 12;
constexpr double kLabelHeight = 20;

struct Look {
  Stroke stroke;
  Marker marker;
};

// Lists of different lengths, so that two series share a colour, a dash or a marker, but hardly
// ever all three.
Look look_of(std::size_t series) {
  static const std::array<std::string, 6> colours = {"#12355b", "#c2551b", "#1d8a6e",
                                                     "#7a3d8f", "#8f7300", "#4d4d4d"};
  static const std::array<std::string, 4> dashes = {"", "7 4", "2 3", "9 3 2 3"};
  constexpr std::array markers = {Marker::disc, Marker::square, Marker::triangle, Marker::diamond,
                                  Marker::ring};
  return {{colours[series % colours.size()], 1.8, dashes[series % dashes.size()]},
          markers[series % markers.size()]};
}

LegendEntry entry_of(const std::string& name, const Look& look) {
  return {name, [look](Svg& svg, double x, double y) {
            svg.line(x, y, x + LegendEntry::kWidth, y, look.stroke);
            svg.marker(look.marker, x + LegendEntry::kWidth / 2, y, 3.4, look.stroke.colour);
          }};
}

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

}  // namespace

std::string line_figure(const LineFigure& figure) {
  if (figure.series.empty()) {
    fail(ErrorKind::bad_data, "A figure of lines needs at least one series.");
  }
  std::vector<double> x, y;
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    entries.push_back(entry_of(figure.series[i].name, look_of(i)));
    for (const FigurePoint& point : figure.series[i].points) {
      x.push_back(point.x);
      y.push_back(point.y);
    }
  }
  const auto kind = [](bool logarithmic) {
    return logarithmic ? AxisKind::logarithmic : AxisKind::linear;
  };
  Frame frame{{0, 0, kWidth, kHeight},
              Axis(kind(figure.log_x), x, 0.03),
              Axis(kind(figure.log_y), y, 0.06)};

  const double label = figure.y_label.empty() ? 0 : kLabelHeight;
  frame.box.left = kEdge + label + Frame::kTick + frame.y.widest_name(Frame::kSize);
  const double width = frame.box.right() + 2 * kEdge;
  const Heading heading(figure.title, std::move(entries), width - 2 * kEdge);
  frame.box.top = heading.height() + 10;
  const double below = figure.x_label.empty() ? 0 : kLabelHeight;
  const double height = frame.box.bottom() + Frame::kBelow + below + kEdge / 2;

  Svg svg(width, height, figure.title.empty() ? "Lines" : figure.title, description_of(figure));
  heading.draw(svg, kEdge);
  frame.draw_grid(svg);
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Look look = look_of(i);
    const FigurePoints points = frame.at(figure.series[i].points);
    svg.curve(points, look.stroke);
    for (const FigurePoint& point : points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      svg.marker(look.marker, point.x, point.y, 3.4, look.stroke.colour);
    }
  }
  frame.draw_axes(svg);
  if (label > 0) {
    svg.text(kEdge + label / 2 - 4, frame.box.top + kHeight / 2,
             fitting_text(figure.y_label, 12, kHeight),
             {.size = 12, .anchor = Anchor::middle, .upwards = true});
  }
  if (below > 0) {
    svg.text(frame.box.left + kWidth / 2, frame.box.bottom() + Frame::kBelow + 10,
             fitting_text(figure.x_label, 12, kWidth), {.size = 12, .anchor = Anchor::middle});
  }
  return std::move(svg).finish();
}

}  // namespace knotwork
