// SPDX-License-Identifier: MIT
// An Axis has the range that the data need, the positions of values and the ticks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/drawing/svg.hpp"

namespace knotwork::figures {

struct Tick {
  double value = 0;  // NaN for a name or a date
  double share = 0;  // position on the axis, as in Axis::share()
  std::string name;
};

// Values of an axis of dates are seconds since 1970-01-01 UTC.
enum class AxisKind { linear, logarithmic, date };

// False for values that are not finite or beyond 1e100; they have no position on any axis.
bool has_place(double value);
bool has_place(const FigurePoint& point);

class Axis {
 public:
  // Spans all values that have a position, plus `margin` on either side. If all values of a
  // logarithmic axis are powers of two, so are the ticks.
  Axis(AxisKind kind, std::span<const double> values, double margin = 0);
  // Positions 0, 1, ... with a tick for each name, which may be empty.
  explicit Axis(std::span<const std::string> names);

  // 0 at the beginning of the axis and 1 at its end; NaN for a value without a position.
  double share(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }
  double widest_name(double size) const;
  // "-2 2 linear": the two ends, for scripts of a page; logarithmic: "0.1 100 log"; dates: "0 86400
  // date".
  std::string extent() const;

 private:
  void add_linear_ticks();
  void add_date_ticks();
  void add_power_ticks(double base);
  void add_ticks_within_decades();
  // Does nothing if the tick is outside.
  void add_tick(double placed, double value, std::string name);

  AxisKind kind_;
  double low_ = 0, high_ = 1;  // logarithms to base 10 on a logarithmic axis
  std::vector<Tick> ticks_;
};

// Two axes around a rectangle.
struct Frame {
  Box box;
  Axis x, y;
  bool turned = false;  // whether the names below are turned to be read from below

  FigurePoint at(const FigurePoint& point) const {
    return {box.left + x.share(point.x) * box.width, box.bottom() - y.share(point.y) * box.height};
  }
  FigurePoints at(const FigurePoints& points) const;
  void draw_grid(Svg& svg) const;
  // Draws the rectangle, the ticks and their names. The rectangle has the class "frame" and the
  // extents of both axes as data-x and data-y, so that scripts can compute positions. The names
  // extend below() downwards and kTick + widest_name() to the left.
  void draw_axes(Svg& svg) const;
  // kBelow, or more if the names are turned.
  double below() const;

  static constexpr double kSize = 11;  // font size of the names
  static constexpr double kTick = 7;
  static constexpr double kBelow = 20;
};

}  // namespace knotwork::figures
