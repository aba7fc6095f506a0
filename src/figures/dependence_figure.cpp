// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <knotwork/columns.hpp>
#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/labeled_frame.hpp"
#include "figures/drawing/theme.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kRug = 7;            // height of the strokes
constexpr double kLongestName = 110;  // of a category
constexpr std::size_t kTold = 6;      // categories that screen readers name
const Stroke kSingle{"#b9c4d2", 0.8};
const Stroke kStroke{"#555555", 0.8};

bool is_of_texts(const DependenceFigure& figure) {
  return !figure.categories.empty();
}

constexpr double kRing = 4.2;  // radius of the mark for missing cells

// The place of missing cells: a place of its own after the texts, or right of all numbers.
double missing_place(const DependenceFigure& figure) {
  if (is_of_texts(figure)) return static_cast<double>(figure.categories.size());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto see = [&](const FigurePoints& points) {
    for (const FigurePoint& point : points) {
      if (!has_place(point)) continue;
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  };
  for (const LineSeries& mean : figure.means) see(mean.points);
  for (const FigurePoints& points : figure.single) see(points);
  if (low > high) return 0;
  constexpr double kAside = 0.06;
  return low < high ? high + kAside * (high - low) : high + 1;
}

// The names below the axis: of the texts, and of missing cells.
std::vector<std::string> names_below(const DependenceFigure& figure) {
  std::vector<std::string> names = figure.categories;
  if (!figure.missing.empty()) names.emplace_back("(missing)");
  return names;
}

std::string name_of(const DependenceFigure& figure, std::size_t mean) {
  const std::string& name = figure.means[mean].name;
  return name.empty() && figure.means.size() == 1 ? "mean" : name;
}

Look mean_look(const DependenceFigure& figure, std::size_t mean) {
  Look look = look_of(mean);
  if (figure.means.size() == 1) look.stroke.width = 2.8;
  return look;
}

// Shortened, and only every second, third, ... name if all names do not fit.
std::vector<std::string> shown_names(const std::vector<std::string>& names, double room) {
  const auto every = static_cast<std::size_t>(std::ceil((Frame::kSize + 2) / room));
  std::vector<std::string> shown(names.size());
  for (std::size_t i = 0; i < names.size(); i += every) {
    shown[i] = fitting_ends(names[i], Frame::kSize, kLongestName);
  }
  return shown;
}

Frame frame_of(const DependenceFigure& figure) {
  std::vector<double> x, y;
  const auto add = [&](const FigurePoints& points) {
    for (const FigurePoint& point : points) {
      if (!has_place(point)) continue;
      x.push_back(point.x);
      y.push_back(point.y);
    }
  };
  for (const LineSeries& mean : figure.means) add(mean.points);
  for (const FigurePoints& points : figure.single) add(points);
  for (const double mean : figure.missing) add({{missing_place(figure), mean}});
  const Axis vertical(AxisKind::linear, y, 0.07);
  if (!is_of_texts(figure)) {
    const AxisKind kind = figure.dates ? AxisKind::date : AxisKind::linear;
    return {LabeledFrame::kMiddle, Axis(kind, x, 0.02), vertical};
  }
  const std::vector<std::string> all = names_below(figure);
  const double room = LabeledFrame::kMiddle.width / static_cast<double>(all.size());
  const Axis names(shown_names(all, room));
  return {LabeledFrame::kMiddle, names, vertical, names.widest_name(Frame::kSize) + 6 > room};
}

bool is_within(const Box& box, double x) {
  return x >= box.left - 0.01 && x <= box.right() + 0.01;
}

// The positions of points on the page; points outside of the categories have no position.
FigurePoints placed(const Frame& frame, const FigurePoints& points) {
  FigurePoints all = frame.at(points);
  for (FigurePoint& point : all) {
    if (!is_within(frame.box, point.x)) point = {kNone, kNone};
  }
  return all;
}

// Joins all curves into one with gaps. A precision of a tenth of a pixel is enough, because readers
// do not take values from these lines.
FigurePoints joined_with_gaps(const Frame& frame, const std::vector<FigurePoints>& lines) {
  FigurePoints all;
  const auto rounded = [](double value) { return std::round(10 * value) / 10; };
  for (const FigurePoints& line : lines) {
    for (const FigurePoint& point : placed(frame, line)) {
      all.push_back({rounded(point.x), rounded(point.y)});
    }
    all.push_back({kNone, kNone});
  }
  return all;
}

// Strokes of rows of the same category are side by side, so more rows need more room.
std::vector<double> stroke_places(const DependenceFigure& figure, const Frame& frame) {
  std::map<double, double> counts;
  double most = 1;
  for (const double value : figure.strokes) {
    if (has_place(value)) most = std::max(most, ++counts[value]);
  }
  const double slot =
      frame.box.width / static_cast<double>(std::max<std::size_t>(names_below(figure).size(), 1));
  std::set<double> places;  // many are equal after rounding
  for (const auto& [value, count] : counts) {
    const double middle = frame.at({value, 0}).x;
    if (!is_within(frame.box, middle)) continue;
    const double copies = is_of_texts(figure) ? count : 1;
    for (double i = 0; i < copies; ++i) {
      const double aside = (i - (copies - 1) / 2) * 0.8 * slot / most;
      places.insert(std::round(2 * (middle + (copies > 1 ? aside : 0))) / 2);
    }
  }
  return {places.begin(), places.end()};
}

void draw_strokes(Svg& svg, const DependenceFigure& figure, const Frame& frame) {
  FigurePoints all;
  const double bottom = frame.box.bottom();
  for (const double x : stroke_places(figure, frame)) {
    all.insert(all.end(), {{x, bottom}, {x, bottom - kRug}, {kNone, kNone}});
  }
  svg.curve(all, kStroke);
}

// The means for missing cells, side by side if there are several.
void draw_missing(Svg& svg, const DependenceFigure& figure, const Frame& frame) {
  const auto count = static_cast<double>(figure.missing.size());
  const double step = count > 1 ? 2 * kRing / (count - 1) : 0;
  for (std::size_t i = 0; i < figure.missing.size(); ++i) {
    const FigurePoint point = frame.at({missing_place(figure), figure.missing[i]});
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    const double aside = step * (static_cast<double>(i) - (count - 1) / 2);
    svg.marker(Marker::ring, point.x + aside, point.y, kRing, look_of(i).stroke.color);
  }
}

// Nothing lies between two categories, so their dots are not joined; the means of several outputs
// are side by side.
void draw_dots(Svg& svg, const DependenceFigure& figure, const Frame& frame) {
  svg.markers(Marker::disc, joined_with_gaps(frame, figure.single), 1.8, kSingle.color);
  const double slot = frame.box.width / static_cast<double>(names_below(figure).size());
  const auto count = static_cast<double>(figure.means.size());
  const double step = std::min(9.0, 0.7 * slot / count);
  for (std::size_t i = 0; i < figure.means.size(); ++i) {
    const Look look = look_of(i);
    FigurePoints points = placed(frame, figure.means[i].points);
    for (FigurePoint& point : points) point.x += step * (static_cast<double>(i) - (count - 1) / 2);
    svg.markers(look.marker, points, 4.2, look.stroke.color);
  }
}

void draw_lines(Svg& svg, const DependenceFigure& figure, const Frame& frame) {
  svg.curve(joined_with_gaps(frame, figure.single), kSingle);
  for (std::size_t i = 0; i < figure.means.size(); ++i) {
    svg.curve(frame.at(figure.means[i].points), mean_look(figure, i).stroke, name_of(figure, i));
  }
}

std::vector<LegendEntry> legend_of(const DependenceFigure& figure) {
  std::vector<LegendEntry> entries;
  const bool dots = is_of_texts(figure);
  for (std::size_t i = 0; i < figure.means.size(); ++i) {
    const Look look = mean_look(figure, i);
    entries.push_back(dots ? marker_entry(name_of(figure, i), look.marker, 4.2, look.stroke.color)
                           : line_entry(name_of(figure, i), look.stroke));
  }
  if (!figure.single.empty()) {
    entries.push_back(dots ? marker_entry("single rows", Marker::disc, 1.8, kSingle.color)
                           : line_entry("single rows", {kSingle.color, 1.4}));
  }
  if (!figure.missing.empty()) {
    entries.push_back(
        marker_entry("cell is missing", Marker::ring, kRing, look_of(0).stroke.color));
  }
  if (!figure.strokes.empty()) {
    entries.push_back({"where rows lie", [](Svg& svg, double x, double y) {
                         for (const double at : {6.0, 9.0, 14.0, 16.0, 22.0}) {
                           svg.line(x + at, y - kRug / 2, x + at, y + kRug / 2, kStroke);
                         }
                       }});
  }
  return entries;
}

std::string text_of_line(const FigurePoints& points, bool dates) {
  FigurePoints known;
  std::copy_if(points.begin(), points.end(), std::back_inserter(known),
               [](const FigurePoint& point) { return has_place(point); });
  if (known.empty()) return "no values";
  const auto text = [&](const FigurePoint& point) {
    return fmt::format("{:.4g} at {}", point.y,
                       dates ? short_date(point.x) : fmt::format("{:.4g}", point.x));
  };
  const auto [low, high] =
      std::minmax_element(known.begin(), known.end(),
                          [](const FigurePoint& a, const FigurePoint& b) { return a.y < b.y; });
  return fmt::format("from {} to {}, lowest {}, highest {}", text(known.front()),
                     text(known.back()), text(*low), text(*high));
}

std::string text_of_dots(const FigurePoints& points, const std::vector<std::string>& categories) {
  std::string text;
  std::size_t told = 0;
  for (const FigurePoint& point : points) {
    const double place = std::round(point.x);
    const bool known =
        has_place(point) && place >= 0 && place < static_cast<double>(categories.size());
    if (!known) continue;
    if (told++ == kTold) return text + ", ...";
    text += fmt::format("{}{} {:.4g}", told == 1 ? "" : ", ",
                        categories[static_cast<std::size_t>(place)], point.y);
  }
  return text.empty() ? "no values" : text;
}

std::string description_of(const DependenceFigure& figure) {
  std::string text = fmt::format("{} against {}", figure.y_label.empty() ? "y" : figure.y_label,
                                 figure.x_label.empty() ? "x" : figure.x_label);
  for (std::size_t i = 0; i < figure.means.size(); ++i) {
    const FigurePoints& points = figure.means[i].points;
    text += fmt::format(
        "; {}: {}", name_of(figure, i),
        is_of_texts(figure) ? text_of_dots(points, figure.categories)
                            : text_of_line(points, figure.dates));
    if (i < figure.missing.size()) {
      text += fmt::format(", {:.4g} where the cell is missing", figure.missing[i]);
    }
  }
  if (!figure.single.empty()) text += fmt::format("; {} single rows", figure.single.size());
  return text + ".";
}

}  // namespace

std::string dependence_figure(const DependenceFigure& figure) {
  if (figure.means.empty() && figure.single.empty()) {
    fail(ErrorKind::bad_data, "A figure of dependence needs at least one mean or single row.");
  }
  if (!figure.missing.empty() && figure.missing.size() != figure.means.size()) {
    fail(ErrorKind::bad_data, "There are {} means, but {} means for missing cells.",
         figure.means.size(), figure.missing.size());
  }
  const LabeledFrame plot({figure.title, figure.x_label, figure.y_label}, frame_of(figure),
                          legend_of(figure));
  Svg svg = plot.begin("Dependence", description_of(figure));
  (is_of_texts(figure) ? draw_dots : draw_lines)(svg, figure, plot.frame());
  draw_missing(svg, figure, plot.frame());
  draw_strokes(svg, figure, plot.frame());
  return plot.finish(std::move(svg));
}

}  // namespace knotwork
