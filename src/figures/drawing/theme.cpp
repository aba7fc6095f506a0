// SPDX-License-Identifier: MIT
#include "figures/drawing/theme.hpp"

#include <array>
#include <utility>

namespace knotwork::figures {

Look look_of(std::size_t series) {
  // Lists of different lengths, and as many dashes as figures have lines.
  static const std::array<std::string, 6> colors = {"#12355b", "#c2551b", "#1d8a6e",
                                                    "#7a3d8f", "#8f7300", "#4d4d4d"};
  static const std::array<std::string, 7> dashes = {"",     "7 4",         "2 3", "9 3 2 3",
                                                    "17 5", "9 3 2 3 2 3", "3 8"};
  constexpr std::array markers = {Marker::disc, Marker::square, Marker::triangle, Marker::diamond,
                                  Marker::ring};
  return {{colors[series % colors.size()], 1.8, dashes[series % dashes.size()]},
          markers[series % markers.size()]};
}

LegendEntry line_entry(std::string name, const Stroke& stroke) {
  return {std::move(name), [stroke](Svg& svg, double x, double y) {
            svg.line(x, y, x + LegendEntry::kWidth, y, stroke);
          }};
}

LegendEntry marker_entry(std::string name, Marker marker, double radius, std::string color) {
  return {std::move(name), [=](Svg& svg, double x, double y) {
            svg.marker(marker, x + LegendEntry::kWidth / 2, y, radius, color);
          }};
}

LegendEntry entry_of(std::string name, const Look& look) {
  return {std::move(name), [look](Svg& svg, double x, double y) {
            svg.line(x, y, x + LegendEntry::kWidth, y, look.stroke);
            svg.marker(look.marker, x + LegendEntry::kWidth / 2, y, 3.4, look.stroke.color);
          }};
}

}  // namespace knotwork::figures
