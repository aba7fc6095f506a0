// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/axis.hpp"
#include "figures/drawing/legend.hpp"
#include "figures/heat_map.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr double kEdge = 12;
constexpr double kLabelHeight = 20;
constexpr double kSize = 11;  // of names
constexpr double kCountSize = 10;
constexpr double kLongestName = 100;
constexpr std::size_t kMostClasses = 100;
constexpr std::size_t kMostWithCounts = 20;
constexpr double kShades = 50;    // number of steps of shade; each step is one element
constexpr std::size_t kTold = 3;  // mistakes that screen readers name

void check(const ConfusionFigure& figure) {
  const std::size_t classes = figure.classes.size();
  if (classes == 0 || classes > kMostClasses) {
    fail(ErrorKind::bad_data, "A figure of confusion has 1 to {} classes, not {}.", kMostClasses,
         classes);
  }
  if (figure.counts.size() != classes) {
    fail(ErrorKind::bad_data,
         "A figure of confusion of {} classes needs a row of counts for each class, not {} rows.",
         classes, figure.counts.size());
  }
  for (std::size_t row = 0; row < classes; ++row) {
    if (figure.counts[row].size() != classes) {
      fail(ErrorKind::bad_data,
           "Row {} of a confusion of {} classes has {} counts; it needs one for each class.",
           row + 1, classes, figure.counts[row].size());
    }
    for (const double count : figure.counts[row]) {
      if (count >= 0 && has_place(count)) continue;
      fail(ErrorKind::bad_data,
           "Row {} of a confusion counts {}; counts must be finite and at least 0.", row + 1,
           count);
    }
  }
}

std::string count_text(double count) {
  return count < 1e6 && count == std::round(count) ? fmt::format("{:.0f}", count)
                                                   : fmt::format("{:.3g}", count);
}

double sum_of(const std::vector<double>& row) {
  double sum = 0;
  for (const double count : row) sum += count;
  return sum;
}

class ConfusionDrawing {
 public:
  explicit ConfusionDrawing(const ConfusionFigure& figure)
      : figure_(figure), classes_(figure.classes.size()) {
    const auto count = static_cast<double>(classes_);
    double widest = 0;
    for (const auto& row : figure.counts) {
      for (const double one : row)
        widest = std::max(widest, text_width(count_text(one), kCountSize));
    }
    for (const std::string& name : figure.classes) {
      names_ = std::max(names_, std::min(text_width(name, kSize), kLongestName));
    }
    const double needed = std::max(widest + 3, kCountSize + 6);
    cell_ = std::clamp(340 / count, 3.6, 56.0);
    if (needed * count <= 440) cell_ = std::max(cell_, needed);
    if ((names_ + 6) * count <= 300) cell_ = std::max(cell_, names_ + 6);
    counts_fit_ = classes_ <= kMostWithCounts && needed <= cell_;
    turned_ = names_ + 6 > cell_;
  }

  std::string draw() {
    const double side = cell_ * static_cast<double>(classes_);
    cells_ = {kEdge + kLabelHeight + names_ + 6, 0, side, side};
    const double width = std::max(cells_.right() + kEdge, 300.0);
    const Heading heading(figure_.title, {shade_entry()}, width - 2 * kEdge);
    cells_.top = heading.height() + 10;
    const double below = (turned_ ? names_ + 8 : 18) + kLabelHeight;
    Svg svg(width, cells_.bottom() + below + kEdge / 2,
            figure_.title.empty() ? "Confusion" : figure_.title, description());
    heading.draw(svg, kEdge);
    draw_shades(svg);
    if (counts_fit_) draw_counts(svg);
    svg.outline(cells_, {"#444444", 1});
    draw_names(svg);
    const TextStyle style{.size = 12, .anchor = Anchor::middle};
    svg.text(label_place(cells_.left + side / 2, "predicted class", width),
             cells_.bottom() + below - kLabelHeight / 2, "predicted class", style);
    TextStyle upwards = style;
    upwards.upwards = true;
    svg.text(kEdge + kLabelHeight / 2 - 4, cells_.top + side / 2,
             fitting_text("true class", 12, side + 20), upwards);
    return std::move(svg).finish();
  }

 private:
  // As close to the middle of the cells as the page allows.
  static double label_place(double middle, std::string_view label, double width) {
    const double half = text_width(label, 12) / 2;
    return std::clamp(middle, half, width - half);
  }

  static LegendEntry shade_entry() {
    return {"0 to 100% of the true class", [](Svg& svg, double x, double y) {
              for (int step = 0; step < 5; ++step) {
                svg.rectangle({x + 5.6 * step, y - 6, 5.6, 12}, shade_color(0.25 * step));
              }
            }};
  }

  double share(std::size_t row, std::size_t column) const {
    const double sum = sum_of(figure_.counts[row]);
    return sum > 0 ? figure_.counts[row][column] / sum : 0;
  }

  Box box_of(std::size_t row, std::size_t column) const {
    return {cells_.left + cell_ * static_cast<double>(column),
            cells_.top + cell_ * static_cast<double>(row), cell_, cell_};
  }

  void draw_shades(Svg& svg) const {
    svg.rectangle(cells_, shade_color(0));
    std::map<double, std::vector<Box>> shades;
    for (std::size_t row = 0; row < classes_; ++row) {
      for (std::size_t column = 0; column < classes_; ++column) {
        const double shade = std::ceil(kShades * share(row, column)) / kShades;
        if (shade > 0) shades[shade].push_back(box_of(row, column));
      }
    }
    for (const auto& [shade, boxes] : shades) svg.rectangles(boxes, shade_color(shade));
    if (cell_ < 8) return;
    for (std::size_t i = 1; i < classes_; ++i) {
      const Box box = box_of(i, i);
      svg.line(box.left, cells_.top, box.left, cells_.bottom(), {"#ffffff", 0.8});
      svg.line(cells_.left, box.top, cells_.right(), box.top, {"#ffffff", 0.8});
    }
  }

  void draw_counts(Svg& svg) const {
    const bool shares = cell_ >= 40;
    for (std::size_t row = 0; row < classes_; ++row) {
      for (std::size_t column = 0; column < classes_; ++column) {
        if (!shares && figure_.counts[row][column] == 0) continue;
        const Box box = box_of(row, column);
        // Above this, white text is easier to read on the shade than black.
        const char* ink = share(row, column) > 0.6 ? "#ffffff" : "#1a1a1a";
        const double x = box.left + cell_ / 2, y = box.top + cell_ / 2;
        svg.text(x, y - (shares ? 7 : 0), count_text(figure_.counts[row][column]),
                 {.size = kCountSize + (shares ? 1 : 0), .anchor = Anchor::middle, .color = ink});
        if (!shares) continue;
        svg.text(x, y + 8, fmt::format("{:.0f}%", 100 * share(row, column)),
                 {.size = kCountSize, .anchor = Anchor::middle, .color = ink});
      }
    }
  }

  // Draws every second, third, ... name if all names do not fit.
  void draw_names(Svg& svg) const {
    const auto every = [&](double needed) {
      return static_cast<std::size_t>(std::ceil(needed / cell_));
    };
    for (std::size_t i = 0; i < classes_; i += every(kSize + 2)) {
      const Box box = box_of(i, i);
      const std::string name = fitting_ends(figure_.classes[i], kSize, kLongestName);
      svg.text(cells_.left - 6, box.top + cell_ / 2, name, {kSize, Anchor::end});
      const double across = box.left + cell_ / 2;
      if (turned_) {
        svg.text(across, cells_.bottom() + 6, name,
                 {.size = kSize, .anchor = Anchor::end, .upwards = true});
      } else {
        svg.text(across, cells_.bottom() + 11, name, {kSize, Anchor::middle});
      }
    }
  }

  std::string description() const {
    struct Mistake {
      double count;
      std::size_t row, column;
    };
    std::vector<Mistake> mistakes;
    double right = 0, all = 0;
    for (std::size_t row = 0; row < classes_; ++row) {
      all += sum_of(figure_.counts[row]);
      right += figure_.counts[row][row];
      for (std::size_t column = 0; column < classes_; ++column) {
        const double count = figure_.counts[row][column];
        if (row != column && count > 0) mistakes.push_back({count, row, column});
      }
    }
    std::stable_sort(mistakes.begin(), mistakes.end(),
                     [](const Mistake& a, const Mistake& b) { return a.count > b.count; });
    if (mistakes.size() > kTold) mistakes.resize(kTold);
    std::string text = fmt::format("{} of {} rows in {} classes are predicted right",
                                   count_text(right), count_text(all), classes_);
    const char* separator = "; most often mistaken: ";
    for (const Mistake& one : mistakes) {
      text += fmt::format("{}{} for {} ({})", separator, figure_.classes[one.row],
                          figure_.classes[one.column], count_text(one.count));
      separator = "; ";
    }
    return text + ".";
  }

  const ConfusionFigure& figure_;
  std::size_t classes_;
  double cell_ = 0;   // side of a square
  double names_ = 0;  // width of the widest name
  bool counts_fit_ = false, turned_ = false;
  Box cells_;
};

}  // namespace

std::string confusion_figure(const ConfusionFigure& figure) {
  check(figure);
  return ConfusionDrawing(figure).draw();
}

}  // namespace knotwork
