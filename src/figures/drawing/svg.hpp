// SPDX-License-Identifier: MIT
// Svg writes an SVG document with just the elements that the figures of the library use.
//
// Lengths are CSS pixels (96 to the inch). No ids are used, so that one HTML page can contain
// several figures.
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
  std::string dashes = "";  // value of stroke-dasharray; empty: solid
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::start;
  std::string color = "#222222";
  bool bold = false;
  bool upwards = false;  // turned, to be read from below
};

enum class Marker { disc, square, triangle, diamond, ring };

// At most two decimals, without trailing zeros.
std::string svg_number(double value);
std::string svg_escaped(std::string_view text);
// An estimate, at least the true width in common fonts.
double text_width(std::string_view text, double size);
// The text, cut if it is wider than `width`.
std::string fitting_text(std::string_view text, double size, double width);
// Like fitting_text(), but the text is cut in the middle.
std::string fitting_ends(std::string_view text, double size, double width);

class Svg {
 public:
  // Screen readers read the title and the description.
  Svg(double width, double height, std::string_view title, std::string_view description);

  void line(double x1, double y1, double x2, double y2, const Stroke& stroke);
  void rectangle(const Box& box, std::string_view fill);
  // `attributes` are written into the element unchanged.
  void outline(const Box& box, const Stroke& stroke, std::string_view attributes = "");
  // Has a gap where a point is not finite; a single point between two gaps becomes a dot. Scripts
  // of a page find the curve by its name (data-name).
  void curve(const FigurePoints& points, const Stroke& stroke, std::string_view name = "");
  void marker(Marker marker, double x, double y, double radius, std::string_view color);
  // Many markers as one element, with few bytes for each; points that are not finite are left out.
  // Overlapping markers form one shape even if they are transparent.
  void markers(Marker marker, const FigurePoints& points, double radius, std::string_view color,
               double opacity = 1);
  void rectangles(const std::vector<Box>& boxes, std::string_view fill);
  // `y` is the vertical middle of the text. An exponent ("2^-3") is raised.
  void text(double x, double y, std::string_view text, const TextStyle& style);

  std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace knotwork::figures
