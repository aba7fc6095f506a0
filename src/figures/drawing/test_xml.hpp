// SPDX-License-Identifier: MIT
// This small XML reader can tell whether a figure is well formed, and find its elements.
#pragma once

#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork::figures {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // of this element and its children, with entities unchanged
};

class XmlReader {
 public:
  // All elements in document order; throws if the document is not well formed.
  static std::vector<Element> read(std::string_view document) {
    XmlReader reader(document);
    while (!reader.rest_.empty()) reader.step();
    if (!reader.open_.empty()) throw std::runtime_error("not closed: " + reader.innermost().name);
    return reader.elements_;
  }

 private:
  explicit XmlReader(std::string_view document) : rest_(document) {}

  Element& innermost() { return elements_[open_.back()]; }

  std::string take_until(std::string_view stop) {
    const std::size_t at = rest_.find(stop);
    if (at == std::string_view::npos) throw std::runtime_error("no " + std::string(stop));
    std::string taken(rest_.substr(0, at));
    rest_.remove_prefix(at + stop.size());
    return taken;
  }

  static void check_text(const std::string& text) {
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n') throw std::runtime_error("control");
    }
    for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
      const std::string entity = text.substr(at, text.find(';', at) - at);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot") {
        throw std::runtime_error("entity " + entity);
      }
    }
    if (text.find('<') != std::string::npos) throw std::runtime_error("< within " + text);
  }

  void step() {
    if (rest_[0] != '<') {
      const std::string text(rest_.substr(0, rest_.find('<')));
      rest_.remove_prefix(text.size());
      check_text(text);
      if (open_.empty() && text.find_first_not_of('\n') != std::string::npos) {
        throw std::runtime_error("text outside: " + text);
      }
      for (const std::size_t index : open_) elements_[index].text += text;
    } else if (rest_.starts_with("</")) {
      rest_.remove_prefix(2);
      const std::string name = take_until(">");
      if (open_.empty() || innermost().name != name) throw std::runtime_error("closes " + name);
      open_.pop_back();
    } else {
      rest_.remove_prefix(1);
      begin_element();
    }
  }

  void begin_element() {
    if (open_.empty() && !elements_.empty()) throw std::runtime_error("a second root");
    Element element;
    element.name = std::string(rest_.substr(0, rest_.find_first_of(" />")));
    rest_.remove_prefix(element.name.size());
    while (rest_.starts_with(' ')) {
      rest_.remove_prefix(1);
      const std::string key = take_until("=\"");
      const std::string value = take_until("\"");
      check_text(value);
      if (!element.attributes.emplace(key, value).second) throw std::runtime_error("twice " + key);
    }
    elements_.push_back(element);
    if (rest_.starts_with("/>")) {
      rest_.remove_prefix(2);
    } else if (rest_.starts_with(">")) {
      rest_.remove_prefix(1);
      open_.push_back(elements_.size() - 1);
    } else {
      throw std::runtime_error("within <" + element.name);
    }
  }

  std::string_view rest_;
  std::vector<Element> elements_;
  std::vector<std::size_t> open_;
};

inline std::vector<Element> elements_named(std::string_view document, std::string_view name) {
  std::vector<Element> found;
  for (Element& one : XmlReader::read(document)) {
    if (one.name == name) found.push_back(std::move(one));
  }
  return found;
}

// Throws if a coordinate is not a finite number or lies outside the page.
inline void check_page(std::string_view document) {
  const std::vector<Element> elements = XmlReader::read(document);
  const auto size = [&](const char* key) { return std::stod(elements.at(0).attributes.at(key)); };
  const double largest = std::max(size("width"), size("height"));
  for (const Element& element : elements) {
    for (const auto& [key, value] : element.attributes) {
      static const std::string keys = " x y x1 y1 x2 y2 cx cy r width height d points transform ";
      if (keys.find(" " + key + " ") == std::string::npos) continue;
      if (value.find("nan") != std::string::npos || value.find("inf") != std::string::npos) {
        throw std::runtime_error(element.name + " " + key + "=" + value);
      }
      const char* at = value.c_str();
      while (*at != '\0') {
        char* end = nullptr;
        const double number = std::strtod(at, &end);
        if (end != at && !(std::abs(number) <= largest + 1)) {
          throw std::runtime_error(element.name + " " + key + "=" + value);
        }
        at = end == at ? at + 1 : end;
      }
    }
  }
}

}  // namespace knotwork::figures
