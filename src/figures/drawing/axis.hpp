// SPDX-License-Identifier: MIT
// An axis: the range that the data need, where a value stands in it, and its ticks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/drawing/svg.hpp"

namespace knotwork::figures {

struct Tick {
  double value = 0;  // NaN for a name
  double share = 0;  // where it stands, as Axis::share() says it
  std::string name;
};

enum class AxisKind { linear, logarithmic };

// What is not finite, or beyond 1e100, stands nowhere on any axis.
bool has_place(double value);
bool has_place(const FigurePoint& point);

class Axis {
 public:
  // Spans all values that have a place, and `margin` of that on either side. A logarithmic axis of
  // nothing but powers of two has ticks at such.
  Axis(AxisKind kind, std::span<const double> values, double margin = 0);
  // Places 0, 1, ... with a tick for each name, which may be empty.
  explicit Axis(std::span<const std::string> names);

  // 0 at the beginning of the axis and 1 at its end; NaN for a value that has no place.
  double share(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }
  double widest_name(double size) const;
  // "-2 2 linear": where it begins and ends, for scripts of a page; logarithmic: "0.1 100 log".
  std::string extent() const;

 private:
  void add_linear_ticks();
  void add_power_ticks(double base);
  void add_ticks_within_decades();
  // Does nothing if it is outside.
  void add_tick(double placed, double value, std::string name);

  AxisKind kind_;
  double low_ = 0, high_ = 1;  // of logarithms to base 10 on a logarithmic axis
  std::vector<Tick> ticks_;
};

// Two axes around a rectangle.
struct Frame {
  Box box;
  Axis x, y;
  bool turned = false;  // the names below are to be read from below

  FigurePoint at(const FigurePoint& point) const {
    return {box.left + x.share(point.x) * box.width, box.bottom() - y.share(point.y) * box.height};
  }
  FigurePoints at(const FigurePoints& points) const;
  void draw_grid(Svg& svg) const;
  // The rectangle (of the class "frame", with the extents of both axes as data-x and data-y, so
  // that scripts can tell places apart), the ticks and their names, which reach below() and
  // kTick + widest_name() beyond.
  void draw_axes(Svg& svg) const;
  // kBelow, or more if names are turned.
  double below() const;

  static constexpr double kSize = 11;  // of the names
  static constexpr double kTick = 7;
  static constexpr double kBelow = 20;
};

}  // namespace knotwork::figures
