// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/row_frame.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr double kThickness = 12;
constexpr std::string_view kBar = "#9fb6d1";
const Stroke kZero{"#444444", 1};
const Stroke kInterval{"#12355b", 1.6};
constexpr std::size_t kTold = 3;  // bars that screen readers name

bool has_interval(const BarRow& row) {
  return row.deviation > 0 && has_place(row.value - row.deviation) &&
         has_place(row.value + row.deviation);
}

std::string value_text(const BarRow& row) {
  if (!has_place(row.value)) return "no value";
  if (!has_interval(row)) return fmt::format("{:.3g}", row.value);
  return fmt::format("{:.3g} \u00B1 {:.2g}", row.value, row.deviation);
}

Axis axis_of(const BarFigure& figure) {
  std::vector<double> values = {0};
  for (const BarRow& row : figure.rows) {
    values.push_back(row.value);
    if (!has_interval(row)) continue;
    values.push_back(row.value - row.deviation);
    values.push_back(row.value + row.deviation);
  }
  return Axis(AxisKind::linear, values);
}

std::string description_of(const BarFigure& figure) {
  std::vector<const BarRow*> longest;
  for (const BarRow& row : figure.rows) {
    if (has_place(row.value)) longest.push_back(&row);
  }
  std::stable_sort(longest.begin(), longest.end(), [](const BarRow* a, const BarRow* b) {
    return std::abs(a->value) > std::abs(b->value);
  });
  const bool all = longest.size() <= kTold;
  if (!all) longest.resize(kTold);
  std::string text =
      fmt::format("{} bar{}", figure.rows.size(), figure.rows.size() == 1 ? "" : "s");
  const char* separator = all ? ": " : "; the longest: ";
  for (const BarRow* row : longest) {
    text += fmt::format("{}{}, {}", separator, row->name, value_text(*row));
    separator = "; ";
  }
  return text + ".";
}

void draw_row(Svg& svg, const BarRow& row, const Axis& axis, const Box& box) {
  draw_row_name(svg, box, row.name, value_text(row));
  if (!has_place(row.value)) return;
  const auto place = [&](double value) { return box.left + axis.share(value) * box.width; };
  const double y = box.top + RowFrame::kMiddle;
  const double left = place(std::min(row.value, 0.0)), right = place(std::max(row.value, 0.0));
  svg.rectangle({left, y - kThickness / 2, right - left, kThickness}, kBar);
  svg.line(place(0), y - kThickness / 2 - 2, place(0), y + kThickness / 2 + 2, kZero);
  if (!has_interval(row)) return;
  const double from = place(row.value - row.deviation), to = place(row.value + row.deviation);
  svg.line(from, y, to, y, kInterval);
  for (const double end : {from, to}) svg.line(end, y - 3, end, y + 3, kInterval);
}

std::vector<LegendEntry> legend_of(const BarFigure& figure) {
  if (std::none_of(figure.rows.begin(), figure.rows.end(), has_interval)) return {};
  return {{"\u00B1 one deviation", [](Svg& svg, double x, double y) {
             svg.line(x + 3, y, x + LegendEntry::kWidth - 3, y, kInterval);
             for (const double end : {x + 3, x + LegendEntry::kWidth - 3}) {
               svg.line(end, y - 3, end, y + 3, kInterval);
             }
           }}};
}

}  // namespace

std::string bar_figure(const BarFigure& figure) {
  if (figure.rows.empty()) fail(ErrorKind::bad_data, "A figure of bars needs at least one row.");
  const RowFrame frame(figure.title, figure.label, axis_of(figure), figure.rows.size(),
                       legend_of(figure));
  Svg svg = frame.begin("Bars", description_of(figure));
  for (std::size_t i = 0; i < figure.rows.size(); ++i) {
    draw_row(svg, figure.rows[i], frame.axis(), frame.row(i));
  }
  return frame.finish(std::move(svg));
}

}  // namespace knotwork
