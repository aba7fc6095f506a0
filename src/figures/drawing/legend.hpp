// SPDX-License-Identifier: MIT
// The heading above a drawing consists of the title and the legend, whose entries fill as many rows
// as they need.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "figures/drawing/svg.hpp"

#include <knotwork/figures.hpp>

namespace knotwork::figures {

struct LegendEntry {
  std::string name;
  // Draws a sample, kWidth wide, whose left end has its middle at (x, y).
  std::function<void(Svg&, double x, double y)> draw;
  static constexpr double kWidth = 28;
};

class Heading {
 public:
  Heading(std::string_view title, std::vector<LegendEntry> entries, double width);

  double height() const { return height_; }
  void draw(Svg& svg, double left) const;

 private:
  std::string title_;
  std::vector<LegendEntry> entries_;
  std::vector<FigurePoint> places_;  // of the entries, relative to the left end of the heading
  double height_ = 0;
};

// Only entries for what some panel shows.
std::vector<LegendEntry> activation_legend(const std::vector<ActivationPanel>& panels);

}  // namespace knotwork::figures
