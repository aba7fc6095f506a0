// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/axis.hpp"
#include "figures/drawing/theme.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kEdge = 12;
constexpr double kWidth = 480;  // the intended width; many layers need more
constexpr double kNameSize = 11;
constexpr double kLongestName = 120;
constexpr double kNearest = 44, kFarthest = 190;  // distance of two columns
constexpr double kLine = 15;                      // height of a line of text below the nodes
constexpr std::size_t kCurvePoints = 24;
const Stroke kNode{"#12355b", 1.3};

// Weights are drawn in this many strengths; each is one element for each sign.
constexpr int kStrengths = 5;
constexpr std::array kAbove = {"#d5dee8", "#aebfd2", "#7f9ab8", "#45698f", "#12355b"};
constexpr std::array kBelow = {"#f3ddd0", "#e7bfa6", "#d99a72", "#cd7843", "#b84a10"};

Stroke stroke_of(int strength, bool above) {
  const auto shade = static_cast<std::size_t>(strength - 1);
  return {above ? kAbove[shade] : kBelow[shade], 0.5 + 0.4 * strength, above ? "" : "5 3"};
}

void check(const NetworkFigure& figure) {
  if (figure.layers.empty()) fail(ErrorKind::bad_data, "A figure of a network needs layers.");
  if (figure.most_nodes == 0) {
    fail(ErrorKind::bad_option,
         "A figure of a network must draw at least 1 node of a layer, not 0.");
  }
  std::size_t before = 0;
  for (std::size_t l = 0; l < figure.layers.size(); ++l) {
    const NetworkLayer& layer = figure.layers[l];
    const std::size_t nodes = layer.nodes.size();
    if (nodes == 0) fail(ErrorKind::bad_data, "Layer {} of a figure has no nodes.", l + 1);
    if (!layer.curves.empty() && layer.curves.size() != nodes) {
      fail(ErrorKind::bad_data,
           "Layer {} of a figure has {} nodes and {} curves; it needs one for each or none.", l + 1,
           nodes, layer.curves.size());
    }
    const bool fits = std::all_of(layer.weights.begin(), layer.weights.end(),
                                  [&](const auto& row) { return row.size() == before; });
    if (!layer.weights.empty() && (l == 0 || layer.weights.size() != nodes || !fits)) {
      fail(ErrorKind::bad_data,
           "The weights of layer {} of a figure must have a row for each of its {} nodes, with one "
           "weight for each of the {} nodes of the layer before.",
           l + 1, nodes, before);
    }
    before = nodes;
  }
}

// The strength of each line of a layer, from 1 to kStrengths, in proportion to the largest drawn
// weight.
class Strengths {
 public:
  Strengths(const NetworkLayer& layer, std::size_t drawn, std::size_t drawn_before) {
    for (std::size_t to = 0; to < std::min(drawn, layer.weights.size()); ++to) {
      for (std::size_t from = 0; from < drawn_before; ++from) {
        const double weight = layer.weights[to][from];
        if (!is_drawn(weight)) continue;
        smallest_ = std::min(smallest_, std::abs(weight));
        largest_ = std::max(largest_, std::abs(weight));
      }
    }
  }

  static bool is_drawn(double weight) { return has_place(weight) && weight != 0; }

  // For a drawn weight. If all weights are equal, as in a bank of splines, none should be
  // emphasized.
  int of(double weight) const {
    if (smallest_ == largest_) return kStrengths - 2;
    const double part = std::ceil(kStrengths * (std::abs(weight) / largest_));
    return std::clamp(static_cast<int>(part), 1, kStrengths);
  }

 private:
  double smallest_ = std::numeric_limits<double>::infinity(), largest_ = 0;
};

double widest(const NetworkLayer& layer, std::size_t drawn) {
  double most = 0;
  for (std::size_t i = 0; i < drawn; ++i) {
    most = std::max(most, text_width(layer.nodes[i], kNameSize));
  }
  return std::min(most, kLongestName);
}

class NetworkDrawing {
 public:
  explicit NetworkDrawing(const NetworkFigure& figure) : figure_(figure) {
    for (const NetworkLayer& layer : figure.layers) {
      if (!layer.curves.empty()) pitch_ = 34;
      tallest_ = std::max(tallest_, drawn(layer));
      more_ = more_ || drawn(layer) < in_all(layer);
    }
    const auto gaps = static_cast<double>(figure.layers.size() - 1);
    left_ = kEdge + widest(figure.layers.front(), drawn(figure.layers.front())) + 6 + kBroadest;
    // A single column has its names at the left.
    const double names = gaps > 0 ? widest(figure.layers.back(), drawn(figure.layers.back())) : 0;
    right_ = kBroadest + 6 + names + kEdge;
    distance_ = gaps > 0 ? std::clamp((kWidth - left_ - right_) / gaps, kNearest, kFarthest) : 0;
    for (const NetworkLayer& layer : figure.layers) {
      names_staggered_ = names_staggered_ || text_width(layer.name, kNameSize) > distance_ - 6;
    }
  }

  std::string draw() {
    const double columns = distance_ * static_cast<double>(figure_.layers.size() - 1);
    width_ = std::max(left_ + columns + right_, 300.0);
    aside_ = (width_ - left_ - columns - right_) / 2;
    const Heading heading(figure_.title, legend(), width_ - 2 * kEdge);
    top_ = heading.height() + 8;
    const double below = (more_ ? kLine : 0) + (names_staggered_ ? 2 : 1) * kLine;
    Svg svg(width_, bottom() + below + kEdge, figure_.title.empty() ? "Network" : figure_.title,
            description());
    heading.draw(svg, kEdge);
    for (std::size_t l = 1; l < figure_.layers.size(); ++l) draw_weights(svg, l);
    for (std::size_t l = 0; l < figure_.layers.size(); ++l) draw_column(svg, l);
    draw_node_names(svg);
    return std::move(svg).finish();
  }

 private:
  static constexpr double kBroadest = 13;  // radius of a node with a curve
  static constexpr double kNarrow = 6;

  std::size_t drawn(const NetworkLayer& layer) const {
    return std::min(layer.nodes.size(), figure_.most_nodes);
  }
  static std::size_t in_all(const NetworkLayer& layer) {
    return std::max(layer.nodes_in_all, layer.nodes.size());
  }
  double radius(std::size_t l) const {
    return figure_.layers[l].curves.empty() ? kNarrow : kBroadest;
  }
  double bottom() const { return top_ + pitch_ * static_cast<double>(tallest_); }

  // Columns are centered.
  FigurePoint at(std::size_t l, std::size_t node) const {
    const auto unused = static_cast<double>(tallest_ - drawn(figure_.layers[l]));
    return {aside_ + left_ + distance_ * static_cast<double>(l),
            top_ + pitch_ * (unused / 2 + static_cast<double>(node) + 0.5)};
  }

  // Draws the weakest first, so that the strongest are on top.
  void draw_weights(Svg& svg, std::size_t l) const {
    const NetworkLayer& layer = figure_.layers[l];
    std::map<std::pair<int, bool>, FigurePoints> lines;
    const Strengths strengths(layer, drawn(layer), drawn(figure_.layers[l - 1]));
    for (std::size_t to = 0; to < (layer.weights.empty() ? 0 : drawn(layer)); ++to) {
      for (std::size_t from = 0; from < drawn(figure_.layers[l - 1]); ++from) {
        const double weight = layer.weights[to][from];
        if (!Strengths::is_drawn(weight)) continue;
        FigurePoint begin = at(l - 1, from), end = at(l, to);
        begin.x += radius(l - 1);
        end.x -= radius(l);
        FigurePoints& line = lines[{strengths.of(weight), weight > 0}];
        line.insert(line.end(), {begin, end, {kNone, kNone}});
      }
    }
    for (const auto& [look, line] : lines) svg.curve(line, stroke_of(look.first, look.second));
  }

  void draw_column(Svg& svg, std::size_t l) const {
    const NetworkLayer& layer = figure_.layers[l];
    for (std::size_t i = 0; i < drawn(layer); ++i) {
      const FigurePoint middle = at(l, i);
      svg.marker(Marker::ring, middle.x, middle.y, radius(l), kNode.color);
      if (!layer.curves.empty()) draw_curve(svg, middle, layer.curves[i]);
    }
    const double x = at(l, 0).x;
    const std::size_t hidden = in_all(layer) - drawn(layer);
    if (hidden > 0) {
      svg.text(x, bottom() + kLine / 2, fmt::format("+{} more", hidden),
               {.size = kNameSize, .anchor = Anchor::middle, .color = "#5a5a5a"});
    }
    draw_layer_name(svg, l, x);
  }

  void draw_layer_name(Svg& svg, std::size_t l, double x) const {
    const double row = (more_ ? 1.5 : 0.5) + (names_staggered_ && l % 2 == 1 ? 1 : 0);
    const double between = std::max((names_staggered_ ? 2 : 1) * distance_ - 6, 2 * kBroadest);
    // Names of the outermost columns must stay on the page, too.
    const double room = std::min(distance_ > 0 ? between : width_, 2 * std::min(x, width_ - x));
    svg.text(x, bottom() + row * kLine + 4, fitting_text(figure_.layers[l].name, kNameSize, room),
             {.size = kNameSize, .anchor = Anchor::middle, .bold = true});
  }

  // Draws into the largest rectangle that looks good within the circle.
  static void draw_curve(Svg& svg, const FigurePoint& middle, const FigurePoints& curve) {
    FigurePoints some;
    const std::size_t step =
        std::max<std::size_t>((curve.size() + kCurvePoints - 1) / kCurvePoints, 1);
    for (std::size_t i = 0; i < curve.size(); i += step) some.push_back(curve[i]);
    if (!curve.empty() && (curve.size() - 1) % step != 0) some.push_back(curve.back());
    std::vector<double> x, y;
    for (const FigurePoint& point : some) {
      if (!has_place(point)) continue;
      x.push_back(point.x);
      y.push_back(point.y);
    }
    const double width = 1.4 * kBroadest, height = 1.2 * kBroadest;
    const Frame frame{{middle.x - width / 2, middle.y - height / 2, width, height},
                      Axis(AxisKind::linear, x),
                      Axis(AxisKind::linear, y)};
    FigurePoints placed = frame.at(some);
    for (FigurePoint& point : placed) {
      point = {std::round(10 * point.x) / 10, std::round(10 * point.y) / 10};
    }
    svg.curve(placed, {kNode.color, 1.6});
  }

  void draw_node_names(Svg& svg) const {
    const auto draw_names = [&](std::size_t l, Anchor anchor, double aside) {
      const NetworkLayer& layer = figure_.layers[l];
      for (std::size_t i = 0; i < drawn(layer); ++i) {
        if (layer.nodes[i].empty()) continue;
        const FigurePoint middle = at(l, i);
        svg.text(middle.x + aside * (radius(l) + 5), middle.y,
                 fitting_ends(layer.nodes[i], kNameSize, kLongestName), {kNameSize, anchor});
      }
    };
    draw_names(0, Anchor::end, -1);
    if (figure_.layers.size() > 1) draw_names(figure_.layers.size() - 1, Anchor::start, 1);
  }

  std::vector<LegendEntry> legend() const {
    bool above = false, below = false;
    for (std::size_t l = 1; l < figure_.layers.size(); ++l) {
      const NetworkLayer& layer = figure_.layers[l];
      for (std::size_t to = 0; to < std::min(drawn(layer), layer.weights.size()); ++to) {
        for (std::size_t from = 0; from < drawn(figure_.layers[l - 1]); ++from) {
          const double weight = layer.weights[to][from];
          above = above || (Strengths::is_drawn(weight) && weight > 0);
          below = below || (Strengths::is_drawn(weight) && weight < 0);
        }
      }
    }
    std::vector<LegendEntry> entries;
    if (above) entries.push_back(line_entry("weight above 0", stroke_of(4, true)));
    if (below) entries.push_back(line_entry("weight below 0", stroke_of(4, false)));
    return entries;
  }

  std::string description() const {
    std::string text = "A network from left to right";
    const char* separator = ": ";
    for (const NetworkLayer& layer : figure_.layers) {
      text += fmt::format("{}{}{}{} node{}", separator, layer.name, layer.name.empty() ? "" : ", ",
                          in_all(layer), in_all(layer) == 1 ? "" : "s");
      separator = "; ";
    }
    return text + ". Within a layer, larger weights have broader lines.";
  }

  const NetworkFigure& figure_;
  double pitch_ = 24;  // from one node to the next
  std::size_t tallest_ = 1;
  bool more_ = false;             // not all nodes are drawn
  bool names_staggered_ = false;  // names of layers are in two rows
  double left_ = 0, right_ = 0;   // middles of the outermost columns
  double distance_ = 0;           // between two columns
  double width_ = 0, top_ = 0, aside_ = 0;
};

}  // namespace

std::string network_figure(const NetworkFigure& figure) {
  check(figure);
  return NetworkDrawing(figure).draw();
}

}  // namespace knotwork
