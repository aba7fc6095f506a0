// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/axis.hpp"
#include "figures/drawing/histogram.hpp"
#include "figures/drawing/legend.hpp"
#include "figures/drawing/theme.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr double kWidth = 176, kHeight = 132;  // of a panel's rectangle
constexpr double kTitleHeight = 24;
constexpr double kLabelHeight = 20;
constexpr double kBetween = 16;     // between two panels
constexpr double kEdge = 10;        // margin of the figure
constexpr double kShareWidth = 30;  // of the number beside the bars
constexpr double kBars = 0.3;       // share of the height, for the highest bar

const Stroke kLearned{"#12355b", 2.2};
const Stroke kInitial{"#6b6b6b", 1.5, "6 4"};
// The true curve is drawn below the learned curve, so that it does not hide the learned curve. In
// gray, too, it is darker than the bars.
const Stroke kTruth{"#d97f45", 6};
constexpr std::string_view kBar = "#c8c8c8";

Frame frame_of(const ActivationPanel& panel) {
  std::vector<double> x, y;
  for (const FigurePoints* points :
       {&panel.learned, &panel.initial, &panel.truth, &panel.control_points, &panel.room_for}) {
    for (const FigurePoint& point : *points) {
      x.push_back(point.x);
      y.push_back(point.y);
    }
  }
  for (std::size_t i = 0; i < panel.received.counts.size(); ++i) {
    if (panel.received.counts[i] == 0) continue;
    x.push_back(panel.received.edges[i]);
    x.push_back(panel.received.edges[i + 1]);
  }
  return {
      {0, 0, kWidth, kHeight}, Axis(AxisKind::linear, x, 0.02), Axis(AxisKind::linear, y, 0.06)};
}

void draw_bars(Svg& svg, const Frame& frame, const InputHistogram& bars) {
  const double top = highest(bars);
  if (top == 0) return;
  const Box& box = frame.box;
  for (std::size_t i = 0; i < bars.counts.size(); ++i) {
    const double left = frame.at({bars.edges[i], 0}).x;
    const double right = frame.at({bars.edges[i + 1], 0}).x;
    const double height = kBars * box.height * (bars.counts[i] / top);
    if (height == 0 || !std::isfinite(right - left)) continue;
    svg.rectangle({left, box.bottom() - height, std::max(right - left - 0.5, 0.4), height}, kBar);
  }
  const double mark = box.bottom() - kBars * box.height;
  svg.line(box.right(), mark, box.right() + 4, mark, {"#8a8a8a", 1});
  svg.text(box.right() + 6, mark, fmt::format("{:.2g}%", 100 * share_of_highest(bars)),
           {.size = 10, .color = "#5a5a5a"});
}

void draw_panel(Svg& svg, const Frame& frame, const ActivationPanel& panel) {
  if (!panel.title.empty()) {
    svg.text(frame.box.left + frame.box.width / 2, frame.box.top - kTitleHeight / 2 + 2,
             fitting_text(panel.title, 12, frame.box.width + 20),
             {.size = 12, .anchor = Anchor::middle});
  }
  draw_bars(svg, frame, panel.received);
  frame.draw_grid(svg);
  svg.curve(frame.at(panel.truth), kTruth, "true");
  svg.curve(frame.at(panel.initial), kInitial, "initial");
  svg.curve(frame.at(panel.learned), kLearned, "learned");
  for (const FigurePoint& point : frame.at(panel.control_points)) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    svg.marker(Marker::ring, point.x, point.y, 2.8, kLearned.color);
  }
  frame.draw_axes(svg);
}

std::string description_of(const std::vector<ActivationPanel>& panels) {
  std::string text =
      fmt::format("Curves of {} neuron{}", panels.size(), panels.size() == 1 ? "" : "s");
  const char* separator = ": ";
  for (const ActivationPanel& panel : panels) {
    if (panel.title.empty()) continue;
    text += separator + panel.title;
    separator = "; ";
  }
  return text + ".";
}

// Left ends of the rectangles of each column, and at the end the place of a further column; each
// column leaves the room that its numbers need.
std::vector<double> column_places(const std::vector<Frame>& frames, std::size_t columns,
                                  double begin, double after) {
  std::vector<double> places;
  for (std::size_t column = 0; column < columns; ++column) {
    double names = 0;
    for (std::size_t i = column; i < frames.size(); i += columns) {
      names = std::max(names, frames[i].y.widest_name(Frame::kSize));
    }
    places.push_back(begin + Frame::kTick + names);
    begin = places.back() + kWidth + after + kBetween;
  }
  places.push_back(begin);
  return places;
}

}  // namespace

namespace figures {

std::vector<LegendEntry> activation_legend(const std::vector<ActivationPanel>& panels) {
  const auto occurs = [&](const auto& member) {
    return std::any_of(panels.begin(), panels.end(), member);
  };
  using Panel = const ActivationPanel&;
  std::vector<LegendEntry> entries;
  if (occurs([](Panel one) { return !one.learned.empty(); })) {
    entries.push_back(line_entry("learned", kLearned));
  }
  if (occurs([](Panel one) { return !one.initial.empty(); })) {
    entries.push_back(line_entry("initial", kInitial));
  }
  if (occurs([](Panel one) { return !one.truth.empty(); })) {
    entries.push_back(line_entry("true", kTruth));
  }
  if (occurs([](Panel one) { return !one.control_points.empty(); })) {
    entries.push_back(marker_entry("control points", Marker::ring, 2.8, kLearned.color));
  }
  if (occurs([](Panel one) { return highest(one.received) > 0; })) {
    entries.push_back({"inputs (right: tallest bin)", [](Svg& svg, double x, double y) {
                         svg.rectangle({x + 5, y - 1, 8, 6}, kBar);
                         svg.rectangle({x + 14, y - 6, 8, 11}, kBar);
                       }});
  }
  return entries;
}

}  // namespace figures

std::string activation_figure(const std::vector<ActivationPanel>& panels,
                              const ActivationFigureOptions& options) {
  if (panels.empty()) {
    fail(ErrorKind::bad_data, "A figure of activations needs at least one panel.");
  }
  if (options.columns < 1 || options.columns > 3) {
    fail(ErrorKind::bad_option, "A figure of activations cannot have {} columns; it has 1 to 3.",
         options.columns);
  }
  std::vector<Frame> frames;
  bool bars = false;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (!is_empty(panels[i].received)) {
      check_histogram(panels[i].received, fmt::format("The histogram of panel {}", i + 1));
    }
    frames.push_back(frame_of(panels[i]));
    bars = bars || highest(panels[i].received) > 0;
  }

  const std::size_t columns = std::min(options.columns, panels.size());
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  const double label = options.y_label.empty() ? 0 : kLabelHeight;
  const std::vector<double> lefts =
      column_places(frames, columns, kEdge + label, bars ? kShareWidth : 0);
  const bool titled = std::any_of(panels.begin(), panels.end(), [](const ActivationPanel& panel) {
    return !panel.title.empty();
  });
  const double title_height = titled ? kTitleHeight : 0;
  const double cell_height = title_height + kHeight + Frame::kBelow + kBetween / 2;
  const double width = lefts.back() - kBetween + kEdge;
  const Heading heading(options.title,
                        options.legend ? activation_legend(panels) : std::vector<LegendEntry>(),
                        width - 2 * kEdge);
  const double below = options.x_label.empty() ? 0 : kLabelHeight;
  const double height =
      heading.height() + static_cast<double>(rows) * cell_height + below + kEdge / 2;

  Svg svg(width, height, options.title.empty() ? "Activation functions" : options.title,
          description_of(panels));
  heading.draw(svg, kEdge);
  const TextStyle centered{.size = 12, .anchor = Anchor::middle};
  for (std::size_t i = 0; i < panels.size(); ++i) {
    Box& box = frames[i].box;
    box.left = lefts[i % columns];
    box.top = heading.height() + static_cast<double>(i / columns) * cell_height + title_height;
    draw_panel(svg, frames[i], panels[i]);
    if (i % columns == 0 && label > 0) {
      TextStyle upwards = centered;
      upwards.upwards = true;
      svg.text(kEdge + label / 2 - 4, box.top + kHeight / 2,
               fitting_text(options.y_label, 12, cell_height), upwards);
    }
    if (i + columns >= panels.size() && below > 0) {
      svg.text(box.left + kWidth / 2, box.bottom() + Frame::kBelow + 8,
               fitting_text(options.x_label, 12, kWidth + kBetween), centered);
    }
  }
  return std::move(svg).finish();
}

}  // namespace knotwork
