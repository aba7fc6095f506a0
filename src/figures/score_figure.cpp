// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/row_frame.hpp"
#include "figures/drawing/theme.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr double kFarAbove = 20;  // beyond this ratio, differences among small scores would vanish
const std::string kDotColor = "#8a6d00";
const std::string kMeanColor = "#12355b";

Axis axis_of(const ScoreFigure& figure) {
  std::vector<double> values;
  for (const ScoreRow& row : figure.rows) {
    std::copy_if(row.scores.begin(), row.scores.end(), std::back_inserter(values),
                 [](double score) { return has_place(score); });
    if (!has_place(row.mean)) continue;
    values.push_back(row.mean);
  }
  if (values.empty()) return Axis(AxisKind::linear, std::vector<double>{0, 1});
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const bool wide = *low > 0 && *high > kFarAbove * *low;
  // Deviations may reach beyond all scores; on a logarithmic axis down to 0, which has no position.
  const double lowest = wide ? *low / 2 : -std::numeric_limits<double>::infinity();
  for (const ScoreRow& row : figure.rows) {
    if (!has_place(row.mean) || !has_place(row.deviation)) continue;
    values.push_back(std::max(row.mean - row.deviation, lowest));
    values.push_back(row.mean + row.deviation);
  }
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

void draw_row(Svg& svg, const ScoreRow& row, const Axis& axis, const Box& box) {
  const double y = box.top + RowFrame::kMiddle;
  const auto place = [&](double score) {
    // An interval may reach below 0 on a logarithmic axis.
    const double share = axis.share(score);
    return box.left + (std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0)) * box.width;
  };
  const bool failed = !has_place(row.mean);
  draw_row_name(svg, box, failed ? row.name + " (failed)" : row.name);
  if (!failed) {
    svg.line(place(row.mean - row.deviation), y, place(row.mean + row.deviation), y,
             {kMeanColor, 2.5, ""});
  }
  for (const double score : row.scores) {
    if (has_place(score)) svg.marker(Marker::ring, place(score), y, 2.6, kDotColor);
  }
  if (!failed) svg.marker(Marker::diamond, place(row.mean), y, 4, kMeanColor);
}

}  // namespace

std::string score_figure(const ScoreFigure& figure) {
  if (figure.rows.empty()) fail(ErrorKind::bad_data, "A figure of scores needs at least one row.");
  std::vector<LegendEntry> entries = {
      marker_entry("a fold", Marker::ring, 2.6, kDotColor),
      {"mean ± deviation", [](Svg& svg, double x, double y) {
         svg.line(x + 3, y, x + LegendEntry::kWidth - 3, y, {kMeanColor, 2.5, ""});
         svg.marker(Marker::diamond, x + LegendEntry::kWidth / 2, y, 4, kMeanColor);
       }}};
  const RowFrame frame(figure.title, figure.label, axis_of(figure), figure.rows.size(),
                       std::move(entries));
  Svg svg = frame.begin("Scores", description_of(figure));
  if (figure.reference && has_place(figure.rows.at(*figure.reference).mean)) {
    const Box& box = frame.box();
    const double x = box.left + frame.axis().share(figure.rows[*figure.reference].mean) * box.width;
    svg.line(x, box.top, x, box.bottom(), {kMeanColor, 1, "3 3"});
  }
  for (std::size_t r = 0; r < figure.rows.size(); ++r) {
    draw_row(svg, figure.rows[r], frame.axis(), frame.row(r));
  }
  return frame.finish(std::move(svg));
}

}  // namespace knotwork
