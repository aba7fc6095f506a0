// SPDX-License-Identifier: MIT
#include "figures/drawing/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "figures/drawing/label_text.hpp"

namespace knotwork::figures {
namespace {

constexpr double kNarrowest = 0.38;

// As a share of the font size, for common fonts.
double character_width(char character) {
  constexpr std::string_view kNarrow = " .,:;'|!()[]-ijlftr", kWide = "mwMW%@";
  if (kNarrow.find(character) != std::string_view::npos) return kNarrowest;
  return kWide.find(character) != std::string_view::npos ? 0.95 : 0.63;
}

std::string tenths(double value) {
  return svg_number(std::round(10 * value) / 10);
}

std::string stroke_attributes(const Stroke& stroke) {
  const std::string dashes =
      stroke.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}", stroke.color,
                     svg_number(stroke.width), dashes);
}

// Escaped, with "-" before a number as a minus sign, which is as wide as a plus.
std::string with_minus(std::string_view text) {
  const bool negative = text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9';
  return negative ? "\u2212" + svg_escaped(text.substr(1)) : svg_escaped(text);
}

// Length of an exponent ("-3") at the beginning of the text; 0 if there is none.
std::size_t exponent_length(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", sign), text.size());
  return end > sign ? end : 0;
}

std::string markup_of(std::string_view text) {
  std::string markup;
  bool raised = false;
  const auto add = [&](std::string_view piece) {
    if (piece.empty()) return;
    // Text after an exponent must be lowered again: 0.45 em of the exponent's smaller size.
    markup += raised ? fmt::format("<tspan dy=\"0.34em\">{}</tspan>", with_minus(piece))
                     : with_minus(piece);
    raised = false;
  };
  for (std::size_t caret = text.find('^'); caret != std::string_view::npos;) {
    const std::size_t length = exponent_length(text.substr(caret + 1));
    if (length == 0) {
      caret = text.find('^', caret + 1);
      continue;
    }
    add(text.substr(0, caret));
    markup += fmt::format("<tspan dy=\"-0.45em\" font-size=\"75%\">{}</tspan>",
                          with_minus(text.substr(caret + 1, length)));
    raised = true;
    text.remove_prefix(caret + 1 + length);
    caret = text.find('^');
  }
  add(text);
  return markup;
}

template <class Shorten>
std::string fitting(std::string_view text, double size, double width, const Shorten& shorten) {
  const std::string clean = clean_text(text);
  // A longer text cannot fit, however narrow its characters are, so its width is not measured.
  const auto most = static_cast<std::size_t>(std::max(0.0, width) / (kNarrowest * size)) + 1;
  std::size_t length = count_characters(clean);
  std::string fits = length > most ? shorten(clean, most) : clean;
  for (length = std::min(length, most); length > 0; --length) {
    if (text_width(fits, size) <= width) break;
    fits = shorten(clean, length - 1);
  }
  return fits;
}

}  // namespace

std::string svg_number(double value) {
  std::string number = fmt::format("{:.2f}", value);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number == "-0" ? "0" : number;
}

std::string svg_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  // Bytes that continue a character have no width.
  for (const char c : clean_text(text)) width += is_continuation(c) ? 0 : character_width(c);
  return size * width;
}

std::string fitting_text(std::string_view text, double size, double width) {
  return fitting(text, size, width, shortened);
}

std::string fitting_ends(std::string_view text, double size, double width) {
  return fitting(text, size, width, shortened_inside);
}

Svg::Svg(double width, double height, std::string_view title, std::string_view description) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" font-family=\"sans-serif\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n",
      svg_number(width), svg_number(height), svg_escaped(title), svg_escaped(description));
  rectangle({0, 0, width, height}, "#ffffff");
}

void Svg::line(double x1, double y1, double x2, double y2, const Stroke& stroke) {
  out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", svg_number(x1),
                      svg_number(y1), svg_number(x2), svg_number(y2), stroke_attributes(stroke));
}

void Svg::rectangle(const Box& box, std::string_view fill) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                      svg_number(box.left), svg_number(box.top), svg_number(box.width),
                      svg_number(box.height), fill);
}

void Svg::outline(const Box& box, const Stroke& stroke, std::string_view attributes) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}{}{}/>\n",
                      svg_number(box.left), svg_number(box.top), svg_number(box.width),
                      svg_number(box.height), stroke_attributes(stroke),
                      attributes.empty() ? "" : " ", attributes);
}

void Svg::curve(const FigurePoints& points, const Stroke& stroke, std::string_view name) {
  const auto drawn = [&](std::size_t i) {
    return i < points.size() && std::isfinite(points[i].x) && std::isfinite(points[i].y);
  };
  std::string path;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!drawn(i)) continue;
    const bool begins = i == 0 || !drawn(i - 1);
    if (begins && !drawn(i + 1)) {
      marker(Marker::disc, points[i].x, points[i].y, stroke.width, stroke.color);
    } else {
      path += fmt::format("{}{},{}", begins ? (path.empty() ? "M" : " M") : " L",
                          svg_number(points[i].x), svg_number(points[i].y));
    }
  }
  if (path.empty()) return;
  out_ += fmt::format("<path d=\"{}\" stroke-linejoin=\"round\" {}{}/>\n", path,
                      stroke_attributes(stroke),
                      name.empty() ? "" : fmt::format(" data-name=\"{}\"", svg_escaped(name)));
}

void Svg::marker(Marker marker, double x, double y, double radius, std::string_view color) {
  const auto polygon = [&](const FigurePoints& corners) {
    std::string points;
    for (const FigurePoint& corner : corners) {
      points += fmt::format("{}{},{}", points.empty() ? "" : " ", svg_number(x + radius * corner.x),
                            svg_number(y + radius * corner.y));
    }
    out_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", points, color);
  };
  switch (marker) {
    case Marker::disc:
      out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", svg_number(x),
                          svg_number(y), svg_number(radius), color);
      break;
    case Marker::ring:
      out_ += fmt::format(
          "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#ffffff\" stroke=\"{}\" "
          "stroke-width=\"1.3\"/>\n",
          svg_number(x), svg_number(y), svg_number(radius), color);
      break;
    case Marker::square:
      polygon({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
      break;
    case Marker::triangle:
      polygon({{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}});
      break;
    case Marker::diamond:
      polygon({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
      break;
  }
}

void Svg::markers(Marker marker, const FigurePoints& points, double radius, std::string_view color,
                  double opacity) {
  // A stroke of zero length is a disc with round ends, a square with square ends.
  const bool filled = marker == Marker::triangle || marker == Marker::diamond;
  const double r = radius;
  const std::string shape =
      marker == Marker::triangle
          ? fmt::format("l{},{}h{}z", tenths(1.1 * r), tenths(2 * r), tenths(-2.2 * r))
      : marker == Marker::diamond ? fmt::format("l{0},{0}l-{0},{0}l-{0}-{0}z", tenths(1.3 * r))
                                  : "h0";
  const double up = marker == Marker::triangle ? 1.2 * r : marker == Marker::diamond ? 1.3 * r : 0;
  std::string path;
  for (const FigurePoint& point : points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    path += fmt::format("M{},{}{}", tenths(point.x), tenths(point.y - up), shape);
  }
  if (path.empty()) return;
  const auto add = [&](std::string_view ink, double breadth) {
    const std::string look =
        filled
            ? fmt::format("fill=\"{}\"", ink)
            : fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"{}\"",
                          ink, svg_number(breadth), marker == Marker::square ? "square" : "round");
    out_ += fmt::format("<path d=\"{}\" {}{}/>\n", path, look,
                        opacity < 1 ? fmt::format(" opacity=\"{}\"", svg_number(opacity)) : "");
  };
  add(color, marker == Marker::square ? 1.8 * r : 2 * r);
  if (marker == Marker::ring) add("#ffffff", 2 * r - 2.2);
}

void Svg::rectangles(const std::vector<Box>& boxes, std::string_view fill) {
  std::string path;
  for (const Box& box : boxes) {
    path += fmt::format("M{},{}h{}v{}h{}z", svg_number(box.left), svg_number(box.top),
                        svg_number(box.width), svg_number(box.height), svg_number(-box.width));
  }
  if (!path.empty()) out_ += fmt::format("<path d=\"{}\" fill=\"{}\"/>\n", path, fill);
}

void Svg::text(double x, double y, std::string_view text, const TextStyle& style) {
  // Capitals and digits are about 0.7 em high; not every reader supports named baselines.
  const double down = 0.35 * style.size;
  const std::string place =
      style.upwards ? fmt::format("transform=\"translate({} {}) rotate(-90)\" y=\"{}\"",
                                  svg_number(x), svg_number(y), svg_number(down))
                    : fmt::format("x=\"{}\" y=\"{}\"", svg_number(x), svg_number(y + down));
  const std::string_view anchor = style.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                  : style.anchor == Anchor::end  ? " text-anchor=\"end\""
                                                                 : "";
  out_ += fmt::format("<text {} font-size=\"{}\" fill=\"{}\"{}{}>{}</text>\n", place,
                      svg_number(style.size), style.color, anchor,
                      style.bold ? " font-weight=\"bold\"" : "", markup_of(text));
}

std::string Svg::finish() && {
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace knotwork::figures
