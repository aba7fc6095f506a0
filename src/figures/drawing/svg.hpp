// SPDX-License-Identifier: MIT
// Writing an SVG document: just the elements that our figures are made of.
//
// Lengths are CSS pixels (96 to the inch). No ids are used, so that several figures can stand in
// one page of HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <knotwork/figures.hpp>

namespace knotwork::figures {

struct Box {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct Stroke {
  std::string color = "#222222";
  double width = 1;
  std::string dashes = "";  // as in stroke-dasharray; empty: solid
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::start;
  std::string color = "#222222";
  bool bold = false;
  bool upwards = false;  // turned to be read from below
};

enum class Marker { disc, square, triangle, diamond, ring };

// Two decimals at most, none that say nothing.
std::string svg_number(double value);
std::string svg_escaped(std::string_view text);
// An estimate, on the safe side for common fonts.
double text_width(std::string_view text, double size);
// The text, cut if it would be wider than `width`.
std::string fitting_text(std::string_view text, double size, double width);
// Likewise, cut in the middle.
std::string fitting_ends(std::string_view text, double size, double width);

class Svg {
 public:
  // Title and description are what a screen reader says.
  Svg(double width, double height, std::string_view title, std::string_view description);

  void line(double x1, double y1, double x2, double y2, const Stroke& stroke);
  void rectangle(const Box& box, std::string_view fill);
  // `attributes` are written into the element as they are.
  void outline(const Box& box, const Stroke& stroke, std::string_view attributes = "");
  // Interrupted where a point is not finite; a point alone between two such is a dot. A name is
  // what scripts of a page call it (data-name).
  void curve(const FigurePoints& points, const Stroke& stroke, std::string_view name = "");
  void marker(Marker marker, double x, double y, double radius, std::string_view color);
  // Many as one element, which needs few bytes for each; those not finite are left out. Where they
  // overlap they are one shape, however far one can see through.
  void markers(Marker marker, const FigurePoints& points, double radius, std::string_view color,
               double opacity = 1);
  void rectangles(const std::vector<Box>& boxes, std::string_view fill);
  // `y` is the middle of the line of text. An exponent ("2^-3") is raised.
  void text(double x, double y, std::string_view text, const TextStyle& style);

  std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace knotwork::figures
