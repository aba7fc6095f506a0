// SPDX-License-Identifier: MIT
// Rows one below the other on one axis, each with its name above what is drawn: narrow enough for a
// telephone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/drawing/axis.hpp"
#include "figures/drawing/legend.hpp"

namespace knotwork::figures {

class RowFrame {
 public:
  static constexpr double kRow = 36;     // height, of which the name takes the upper half
  static constexpr double kMiddle = 25;  // from the top of a row to the middle of what is drawn

  RowFrame(std::string_view title, std::string_view label, Axis axis, std::size_t rows,
           std::vector<LegendEntry> entries);

  const Axis& axis() const { return axis_; }
  const Box& box() const { return box_; }  // of all rows
  Box row(std::size_t index) const;
  // A page with the heading and the grid. `kind` is the title of a figure that has none.
  Svg begin(std::string_view kind, std::string_view description) const;
  // Draws the axis and its label, above all that was drawn before.
  std::string finish(Svg svg) const;

 private:
  std::string title_, label_;
  Axis axis_;
  Heading heading_;
  Box box_;
};

// A remark stands at the right end.
void draw_row_name(Svg& svg, const Box& row, std::string_view name, std::string_view remark = "");

}  // namespace knotwork::figures
