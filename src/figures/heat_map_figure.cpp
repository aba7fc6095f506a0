// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <knotwork/figures.hpp>

#include "figures/drawing/legend.hpp"
#include "figures/heat_map.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr double kEdge = 12;
constexpr double kSize = 11;       // of names
constexpr double kScoreSize = 10;  // of the scores in cells
constexpr double kLabelHeight = 20;
constexpr double kBarWidth = 14;
constexpr double kBarGap = 22;  // between cells and color bar

const Stroke kGrid{"#c8c8c8", 1};
const Stroke kCross{"#7a7a7a", 1.2};

double as_double(std::size_t count) {
  return static_cast<double>(count);
}

double widest(const std::vector<std::string>& names, double size) {
  double most = 0;
  for (const std::string& name : names) most = std::max(most, text_width(name, size));
  return most;
}

void draw_cross(Svg& svg, const Box& box) {
  const double half = std::min(box.width, box.height) * 0.22;
  const double x = box.left + box.width / 2, y = box.top + box.height / 2;
  svg.line(x - half, y - half, x + half, y + half, kCross);
  svg.line(x - half, y + half, x + half, y - half, kCross);
}

// Two frames, one pale and one strong, so that one of them is visible on any shade.
void draw_best(Svg& svg, const Box& box) {
  svg.outline({box.left + 3.5, box.top + 3.5, box.width - 7, box.height - 7}, {"#ffffff", 1.6});
  svg.outline({box.left + 1, box.top + 1, box.width - 2, box.height - 2}, {"#d9480f", 3});
}

class HeatMapDrawing {
 public:
  explicit HeatMapDrawing(const HeatMap& map) : map_(map), scale_(map), best_(best_cell(map)) {
    cell_width_ = std::clamp(440 / as_double(columns()), 12.0, 48.0);
    cell_height_ = std::clamp(260 / as_double(rows()), 12.0, 32.0);
    double most = 0;
    for (const double score : map.scores) {
      if (std::isfinite(score)) most = std::max(most, text_width(scale_.name(score), kScoreSize));
    }
    scores_fit_ = most + 6 <= cell_width_ && cell_height_ >= kScoreSize + 6;
  }

  std::string draw() {
    const double label = map_.y_label.empty() ? 0 : kLabelHeight;
    const double names = std::min(widest(map_.y_names, kSize), 160.0);
    cells_ = {kEdge + label + names + 6, 0, as_double(columns()) * cell_width_,
              as_double(rows()) * cell_height_};
    const double width =
        std::max(cells_.right() + (scale_.empty() ? 0 : bar_width()) + kEdge, 320.0);
    const Heading heading(map_.title, entries(), width - 2 * kEdge);
    cells_.top = heading.height() + 8;
    const double below = map_.x_label.empty() ? 0 : kLabelHeight;
    const double height = std::max(cells_.bottom() + 20 + below, cells_.top + bar_height()) + kEdge;

    Svg svg(width, height, map_.title.empty() ? "Scores" : map_.title, description());
    heading.draw(svg, kEdge);
    draw_cells(svg);
    draw_names(svg);
    if (!scale_.empty()) draw_bar(svg);
    const TextStyle style{.size = 12, .anchor = Anchor::middle};
    if (below > 0) {
      svg.text(cells_.left + cells_.width / 2, cells_.bottom() + 29,
               fitting_text(map_.x_label, 12, cells_.width + 2 * cells_.left), style);
    }
    TextStyle turned = style;
    turned.upwards = true;
    svg.text(kEdge + label / 2 - 4, cells_.top + cells_.height / 2,
             fitting_text(map_.y_label, 12, cells_.height + 20), turned);
    return std::move(svg).finish();
  }

 private:
  std::size_t columns() const { return map_.x_names.size(); }
  std::size_t rows() const { return map_.y_names.size(); }

  Box cell(std::size_t i) const {
    return {cells_.left + as_double(i % columns()) * cell_width_,
            cells_.bottom() - as_double(i / columns() + 1) * cell_height_, cell_width_,
            cell_height_};
  }

  std::size_t count(bool (*is)(double)) const {
    return static_cast<std::size_t>(std::count_if(map_.scores.begin(), map_.scores.end(), is));
  }
  static bool failed(double score) { return std::isinf(score); }
  static bool untried(double score) { return std::isnan(score); }

  std::vector<LegendEntry> entries() const {
    const auto box = [](double x, double y) { return Box{x + 6, y - 7, 18, 14}; };
    std::vector<LegendEntry> list;
    if (best_) {
      list.push_back({"best: " + best_text(map_, scale_), [box](Svg& svg, double x, double y) {
                        svg.rectangle(box(x, y), shade_color(1));
                        draw_best(svg, box(x, y));
                      }});
    }
    if (count(failed) > 0) {
      list.push_back({"failed", [box](Svg& svg, double x, double y) {
                        svg.outline(box(x, y), kGrid);
                        draw_cross(svg, box(x, y));
                      }});
    }
    if (count(untried) > 0) {
      list.push_back(
          {"not tried", [box](Svg& svg, double x, double y) { svg.outline(box(x, y), kGrid); }});
    }
    return list;
  }

  std::string description() const {
    std::string text = fmt::format("{} cells, {} failed, {} not tried", map_.scores.size(),
                                   count(failed), count(untried));
    if (best_) text += "; best: " + best_text(map_, scale_);
    return text + ".";
  }

  void draw_cells(Svg& svg) const {
    for (std::size_t i = 0; i < map_.scores.size(); ++i) {
      const double score = map_.scores[i];
      const Box box = cell(i);
      if (failed(score)) draw_cross(svg, box);
      if (std::isfinite(score)) svg.rectangle(box, shade_color(scale_.share(score)));
      svg.outline(box, std::isfinite(score) ? Stroke{"#ffffff", 0.8} : kGrid);
      if (!std::isfinite(score) || !scores_fit_) continue;
      const char* ink = scale_.share(score) > 0.5 ? "#ffffff" : "#1a1a1a";
      svg.text(box.left + box.width / 2, box.top + box.height / 2, scale_.name(score),
               {.size = kScoreSize, .anchor = Anchor::middle, .color = ink});
    }
    if (best_) draw_best(svg, cell(*best_));
  }

  // Every name, or every second, third, ... name if all names do not fit.
  void draw_names(Svg& svg) const {
    const auto every = [](double needed, double room) {
      return static_cast<std::size_t>(std::ceil(needed / room));
    };
    const double room = 160;
    const std::size_t across = every(std::min(widest(map_.x_names, kSize), room) + 6, cell_width_);
    for (std::size_t x = 0; x < columns(); x += across) {
      svg.text(cells_.left + (as_double(x) + 0.5) * cell_width_, cells_.bottom() + 12,
               fitting_text(map_.x_names[x], kSize, room), {kSize, Anchor::middle});
    }
    for (std::size_t y = 0; y < rows(); y += every(kSize + 2, cell_height_)) {
      svg.text(cells_.left - 6, cells_.bottom() - (as_double(y) + 0.5) * cell_height_,
               fitting_text(map_.y_names[y], kSize, room), {kSize, Anchor::end});
    }
  }

  std::vector<double> bar_scores() const {
    std::vector<double> scores;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double score = scale_.score_at(share);
      if (scores.empty() || scores.back() != score) scores.push_back(score);
    }
    return scores;
  }

  double bar_width() const {
    double most = 0;
    for (const double score : bar_scores()) {
      most = std::max(most, text_width(scale_.name(score), kSize));
    }
    return kBarGap + kBarWidth + 8 + most + kLabelHeight;
  }

  double bar_height() const { return scale_.empty() ? 0 : std::max(cells_.height, 150.0); }

  // The best score is at the top.
  void draw_bar(Svg& svg) const {
    constexpr int kSteps = 60;
    const Box bar{cells_.right() + kBarGap, cells_.top, kBarWidth, bar_height()};
    for (int step = 0; step < kSteps; ++step) {
      // Each step extends below the next, so that no seam is visible.
      const double share = static_cast<double>(step) / kSteps;
      const double height = bar.height * (1 - share);
      svg.rectangle({bar.left, bar.top, bar.width, height}, shade_color(share + 0.5 / kSteps));
    }
    svg.outline(bar, {"#444444", 1});
    for (const double score : bar_scores()) {
      const double y = bar.bottom() - scale_.share(score) * bar.height;
      svg.line(bar.right(), y, bar.right() + 4, y, {"#444444", 1});
      svg.text(bar.right() + 7, y, scale_.name(score), {.size = kSize});
    }
    const std::string label =
        fmt::format("{} ({} is better{})", map_.score_label.empty() ? "score" : map_.score_label,
                    map_.lower_is_better ? "lower" : "higher",
                    map_.shading == Shading::rank ? ", by rank" : "");
    svg.text(cells_.right() + bar_width() - 6, bar.top + bar.height / 2,
             fitting_text(label, 12, bar.height + 20),
             {.size = 12, .anchor = Anchor::middle, .upwards = true});
  }

  const HeatMap& map_;
  ShadeScale scale_;
  std::optional<std::size_t> best_;
  double cell_width_ = 0, cell_height_ = 0;
  bool scores_fit_ = false;
  Box cells_;
};

}  // namespace

std::string heat_map_figure(const HeatMap& map) {
  check_heat_map(map);
  return HeatMapDrawing(map).draw();
}

}  // namespace knotwork
