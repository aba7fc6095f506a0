// SPDX-License-Identifier: MIT
// RowFrame draws rows on one axis, each with its name above its drawing; it fits a phone screen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/drawing/axis.hpp"
#include "figures/drawing/legend.hpp"

namespace knotwork::figures {

class RowFrame {
 public:
  static constexpr double kRow = 36;     // height; the name uses the upper half
  static constexpr double kMiddle = 25;  // from the top of a row to the middle of its drawing

  RowFrame(std::string_view title, std::string_view label, Axis axis, std::size_t rows,
           std::vector<LegendEntry> entries);

  const Axis& axis() const { return axis_; }
  const Box& box() const { return box_; }  // of all rows
  Box row(std::size_t index) const;
  // A page with the heading and the grid. `kind` is the title of a figure without a title.
  Svg begin(std::string_view kind, std::string_view description) const;
  // Draws the axis and its label on top of everything drawn before.
  std::string finish(Svg svg) const;

 private:
  std::string title_, label_;
  Axis axis_;
  Heading heading_;
  Box box_;
};

// The remark is at the right end.
void draw_row_name(Svg& svg, const Box& row, std::string_view name, std::string_view remark = "");

}  // namespace knotwork::figures
