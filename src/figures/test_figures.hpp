// SPDX-License-Identifier: MIT
// This header contains what the tests of figures share, besides the XML reader.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <string>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/figures.hpp>

#include "figures/drawing/test_xml.hpp"

namespace knotwork::figures {

// The sentence of the Error that an action throws.
inline std::string message_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

inline std::vector<std::string> texts_of(const std::string& document) {
  std::vector<std::string> texts;
  for (const Element& one : elements_named(document, "text")) texts.push_back(one.text);
  return texts;
}

inline std::string description_of(const std::string& document) {
  return elements_named(document, "desc").at(0).text;
}

inline double number_of(const Element& element, const std::string& key) {
  return std::stod(element.attributes.at(key));
}

inline std::vector<Element> with_attribute(const std::vector<Element>& elements,
                                           const std::string& key, const std::string& value) {
  std::vector<Element> found;
  for (const Element& one : elements) {
    const auto it = one.attributes.find(key);
    if (it != one.attributes.end() && it->second == value) found.push_back(one);
  }
  return found;
}

// The beginnings of the pieces ("M12,3.4h0 ...") of all paths, in order.
inline FigurePoints beginnings(const std::vector<Element>& paths) {
  FigurePoints points;
  for (const Element& path : paths) {
    const std::string& d = path.attributes.at("d");
    for (std::size_t at = d.find('M'); at != std::string::npos; at = d.find('M', at + 1)) {
      points.push_back({std::stod(d.substr(at + 1)), std::stod(d.substr(d.find(',', at) + 1))});
    }
  }
  return points;
}

// The lightness of "#rrggbb" printed without colors: 0 to 255.
inline double grey_of(const std::string& colour) {
  const auto part = [&](std::size_t at) { return std::stoi(colour.substr(at, 2), nullptr, 16); };
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5);
}

// The rectangle of the axes.
inline Element frame_in(const std::string& document) {
  return with_attribute(elements_named(document, "rect"), "class", "frame").at(0);
}

// Common numbers and all that could break an axis.
inline rc::Gen<double> any_number() {
  return rc::gen::oneOf(rc::gen::arbitrary<double>(),
                        rc::gen::element<double>(0, 1, -1, NAN, INFINITY, -INFINITY, 1e308, -1e308,
                                                 5e-324, 1e100, 1e-100, 1 + 1e-15));
}

inline std::vector<double> any_numbers(std::size_t count) {
  std::vector<double> numbers(count);
  for (double& number : numbers) number = *any_number();
  return numbers;
}

inline FigurePoints any_points() {
  FigurePoints points(*rc::gen::inRange<std::size_t>(0, 6));
  for (FigurePoint& point : points) point = {*any_number(), *any_number()};
  return points;
}

}  // namespace knotwork::figures
