// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "report/axis.hpp"
#include "report/legend.hpp"

namespace knotwork {
namespace {

using namespace report;

constexpr double kWidth = 360;
constexpr double kEdge = 22;
constexpr double kRow = 36;   // height, of which the name takes the upper half
constexpr double kDots = 25;  // from the top of a row
constexpr double kNameSize = 12;
constexpr double kFarAbove = 20;  // from here on differences among small scores would vanish
const std::string kDotColour = "#8a6d00";
const std::string kMeanColour = "#12355b";

bool has_place(double score) {
  return std::isfinite(score) && std::abs(score) < 1e100;
}

Axis axis_of(const ScoreFigure& figure) {
  std::vector<double> values;
  for (const ScoreRow& row : figure.rows) {
    std::copy_if(row.scores.begin(), row.scores.end(), std::back_inserter(values), has_place);
    if (!has_place(row.mean)) continue;
    values.push_back(row.mean);
  }
  if (values.empty()) return Axis(AxisKind::linear, std::vector<double>{0, 1});
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const bool wide = *low > 0 && *high > kFarAbove * *low;
  return Axis(wide ? AxisKind::logarithmic : AxisKind::linear, values, 0.04);
}

std::string description_of(const ScoreFigure& figure) {
  std::string text;
  for (const ScoreRow& row : figure.rows) {
    text += has_place(row.mean) ? fmt::format("{}{}: {:.4g} ± {:.2g}", text.empty() ? "" : "; ",
                                              row.name, row.mean, row.deviation)
                                : fmt::format("{}{}: failed", text.empty() ? "" : "; ", row.name);
  }
  return text + ".";
}

void draw_row(Svg& svg, const ScoreRow& row, const Box& box, const Axis& axis, double top) {
  const double y = top + kDots;
  const auto place = [&](double score) {
    // An interval may reach beyond the scores, and below 0 on a logarithmic axis.
    const double share = axis.share(score);
    return box.left + (std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0)) * box.width;
  };
  const bool failed = !has_place(row.mean);
  const std::string name = failed ? row.name + " (failed)" : row.name;
  svg.text(box.left, top + kNameSize / 2 + 3, fitting_text(name, kNameSize, box.width),
           {.size = kNameSize});
  if (!failed) {
    svg.line(place(row.mean - row.deviation), y, place(row.mean + row.deviation), y,
             {kMeanColour, 2.5, ""});
  }
  for (const double score : row.scores) {
    if (has_place(score)) svg.marker(Marker::ring, place(score), y, 2.6, kDotColour);
  }
  if (!failed) svg.marker(Marker::diamond, place(row.mean), y, 4, kMeanColour);
}

}  // namespace

std::string score_figure(const ScoreFigure& figure) {
  if (figure.rows.empty()) fail(ErrorKind::bad_data, "A figure of scores needs at least one row.");
  const Axis axis = axis_of(figure);
  std::vector<LegendEntry> entries = {
      {"a fold",
       [](Svg& svg, double x, double y) {
         svg.marker(Marker::ring, x + LegendEntry::kWidth / 2, y, 2.6, kDotColour);
       }},
      {"mean ± deviation", [](Svg& svg, double x, double y) {
         svg.line(x + 3, y, x + LegendEntry::kWidth - 3, y, {kMeanColour, 2.5, ""});
         svg.marker(Marker::diamond, x + LegendEntry::kWidth / 2, y, 4, kMeanColour);
       }}};
  const Heading heading(figure.title, std::move(entries), kWidth - 2 * kEdge);
  const Box box{kEdge, heading.height() + 6, kWidth - 2 * kEdge,
                kRow * static_cast<double>(figure.rows.size())};
  const double label = figure.label.empty() ? 0 : 18;
  Svg svg(kWidth, box.bottom() + Frame::kBelow + label + kEdge / 2,
          figure.title.empty() ? "Scores" : figure.title, description_of(figure));
  heading.draw(svg, kEdge);
  for (const Tick& tick : axis.ticks()) {
    const double x = box.left + tick.share * box.width;
    svg.line(x, box.top, x, box.bottom(), {"#dddddd", 1, ""});
    svg.text(x, box.bottom() + Frame::kBelow / 2, tick.name,
             {.size = Frame::kSize, .anchor = Anchor::middle});
  }
  if (figure.reference && has_place(figure.rows.at(*figure.reference).mean)) {
    const double x = box.left + axis.share(figure.rows[*figure.reference].mean) * box.width;
    svg.line(x, box.top, x, box.bottom(), {kMeanColour, 1, "3 3"});
  }
  for (std::size_t r = 0; r < figure.rows.size(); ++r) {
    draw_row(svg, figure.rows[r], box, axis, box.top + kRow * static_cast<double>(r));
  }
  svg.line(box.left, box.bottom(), box.right(), box.bottom(), {});
  if (label > 0) {
    svg.text(box.left + box.width / 2, box.bottom() + Frame::kBelow + label / 2,
             fitting_text(figure.label, 12, box.width), {.size = 12, .anchor = Anchor::middle});
  }
  return std::move(svg).finish();
}

}  // namespace knotwork
