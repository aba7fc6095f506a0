// SPDX-License-Identifier: MIT
#include "report/compact_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace knotwork::report {
namespace {

// An element split into the attributes of its place, in a fixed order, and the rest.
struct Placed {
  std::string_view name;
  std::vector<std::string_view> place;  // values of the attributes
  std::string_view rest;                // attributes that neighbors may share
  std::string_view content;             // of a text element, with its end tag
};

struct Kind {
  std::string_view name;
  std::vector<std::string_view> place;  // attributes
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{"line", {"x1", "y1", "x2", "y2"}},
                                        {"rect", {"x", "y", "width", "height"}},
                                        {"circle", {"cx", "cy", "r"}},
                                        {"text", {"x", "y"}}};
  return all;
}

// Takes `key="value"` and the blank after it from the front of the text.
std::optional<std::string_view> take_attribute(std::string_view& text, std::string_view key) {
  if (!text.starts_with(key) || !text.substr(key.size()).starts_with("=\"")) return std::nullopt;
  const std::size_t begin = key.size() + 2;
  const std::size_t end = text.find('"', begin);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view value = text.substr(begin, end - begin);
  text.remove_prefix(end + 1);
  if (text.starts_with(' ')) text.remove_prefix(1);
  return value;
}

std::optional<Placed> read(std::string_view line) {
  for (const Kind& kind : kinds()) {
    if (!line.starts_with('<') || !line.substr(1).starts_with(kind.name)) continue;
    std::string_view rest = line.substr(1 + kind.name.size());
    if (!rest.starts_with(' ')) continue;
    rest.remove_prefix(1);
    Placed element{kind.name, {}, {}, {}};
    for (const std::string_view key : kind.place) {
      const std::optional<std::string_view> value = take_attribute(rest, key);
      if (!value) return std::nullopt;
      element.place.push_back(*value);
    }
    const std::size_t end = rest.find(kind.name == "text" ? ">" : "/>");
    if (end == std::string_view::npos) return std::nullopt;
    element.rest = rest.substr(0, end);
    if (kind.name == "text") element.content = rest.substr(end + 1);
    const bool single = element.rest.find("opacity") != std::string_view::npos ||
                        element.rest.find("class=") != std::string_view::npos;
    if (single) return std::nullopt;
    return element;
  }
  return std::nullopt;
}

bool are_alike(const Placed& a, const Placed& b) {
  return a.name == b.name && a.rest == b.rest;
}

std::string path_of(const Placed& element) {
  const auto& p = element.place;
  if (element.name == "rect") return fmt::format("M{0},{1}h{2}v{3}h-{2}z", p[0], p[1], p[2], p[3]);
  if (p[1] == p[3]) return fmt::format("M{},{}H{}", p[0], p[1], p[2]);
  if (p[0] == p[2]) return fmt::format("M{},{}V{}", p[0], p[1], p[3]);
  return fmt::format("M{},{}L{},{}", p[0], p[1], p[2], p[3]);
}

std::string member_of_group(const Placed& element) {
  const auto& p = element.place;
  if (element.name == "text") {
    return fmt::format("<text x=\"{}\" y=\"{}\">{}", p[0], p[1], element.content);
  }
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>", p[0], p[1], p[2]);
}

std::string joined(const std::vector<Placed>& run) {
  const bool path = run.front().name == "line" || run.front().name == "rect";
  std::string inner;
  for (const Placed& element : run) inner += path ? path_of(element) : member_of_group(element);
  return path ? fmt::format("<path d=\"{}\" {}/>\n", inner, run.front().rest)
              : fmt::format("<g {}>{}</g>\n", run.front().rest, inner);
}

}  // namespace

std::string compact_svg(std::string_view svg) {
  constexpr std::string_view kGround = "<rect x=\"0\" y=\"0\" ";
  std::string compact;
  compact.reserve(svg.size());
  std::vector<Placed> run;
  std::string_view first_of_run;
  bool grounded = true;
  const auto end_run = [&] {
    if (run.size() == 1) compact.append(first_of_run).append("\n");
    if (run.size() > 1) compact += joined(run);
    run.clear();
  };
  while (!svg.empty()) {
    const std::size_t end = std::min(svg.find('\n'), svg.size());
    const std::string_view line = svg.substr(0, end);
    svg.remove_prefix(std::min(end + 1, svg.size()));
    if (grounded && line.starts_with(kGround)) {
      grounded = false;
      continue;
    }
    std::optional<Placed> element = read(line);
    if (run.empty() || !element || !are_alike(run.front(), *element)) end_run();
    if (element) {
      if (run.empty()) first_of_run = line;
      run.push_back(*std::move(element));
    } else {
      compact.append(line).append("\n");
    }
  }
  end_run();
  return compact;
}

}  // namespace knotwork::report
