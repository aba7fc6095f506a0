// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/histogram.hpp"
#include "figures/drawing/labeled_frame.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr std::string_view kBar = "#8ba6c4";

bool is_drawn(const InputHistogram& bars, std::size_t i) {
  return bars.counts[i] > 0 && has_place(bars.edges[i]) && has_place(bars.edges[i + 1]);
}

Frame frame_of(const InputHistogram& bars) {
  std::vector<double> x;
  for (std::size_t i = 0; i < bars.counts.size(); ++i) {
    if (!is_drawn(bars, i)) continue;
    x.push_back(bars.edges[i]);
    x.push_back(bars.edges[i + 1]);
  }
  // Bars begin at the axis, so that it has no margin below them.
  const std::vector<double> y = {0, 105 * share_of_highest(bars)};
  return {LabeledFrame::kMiddle, Axis(AxisKind::linear, x, 0.02), Axis(AxisKind::linear, y)};
}

std::vector<Box> boxes_of(const InputHistogram& bars, const Frame& frame) {
  std::vector<Box> boxes;
  const double percent = 100 * share_of_highest(bars), top = highest(bars);
  for (std::size_t i = 0; i < bars.counts.size(); ++i) {
    if (!is_drawn(bars, i)) continue;
    const FigurePoint from = frame.at({bars.edges[i], percent * (bars.counts[i] / top)});
    const FigurePoint to = frame.at({bars.edges[i + 1], 0});
    // A gap between bars that are wide enough for one.
    const double width = to.x - from.x, gap = width > 3 ? 0.8 : 0;
    boxes.push_back({from.x, from.y, std::max(width - gap, 0.4), to.y - from.y});
  }
  return boxes;
}

std::string description_of(const InputHistogram& bars) {
  const auto most = std::max_element(bars.counts.begin(), bars.counts.end()) - bars.counts.begin();
  const auto bin = static_cast<std::size_t>(most);
  return fmt::format(
      "A histogram of {} bins from {:.4g} to {:.4g}; most, {:.2g}%, are from {:.4g} to {:.4g}.",
      bars.counts.size(), bars.edges.front(), bars.edges.back(), 100 * share_of_highest(bars),
      bars.edges[bin], bars.edges[bin + 1]);
}

}  // namespace

std::string histogram_figure(const HistogramFigure& figure) {
  const InputHistogram& bars = figure.bars;
  if (!is_empty(bars)) check_histogram(bars, "The histogram");
  if (highest(bars) == 0) {
    fail(ErrorKind::bad_data, "A histogram needs at least one bin with a count above 0.");
  }
  const LabeledFrame plot({figure.title, figure.x_label, "share of all (%)"}, frame_of(bars), {});
  Svg svg = plot.begin("Histogram", description_of(bars));
  svg.rectangles(boxes_of(bars, plot.frame()), kBar);
  return plot.finish(std::move(svg));
}

}  // namespace knotwork
