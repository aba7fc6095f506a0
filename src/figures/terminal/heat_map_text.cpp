// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/label_text.hpp"
#include "figures/heat_map.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr std::size_t kMostName = 12;   // characters of a row's name
constexpr std::size_t kWidestCell = 7;  // a wider cell shows nothing more
constexpr std::size_t kLeastWidth = 20;

using Shades = std::vector<std::string>;

const Shades& shades(bool unicode) {
  static const Shades ascii = {".", ":", "-", "=", "+", "*", "#", "%", "@"};
  static const Shades blocks = {"\u00B7", "\u2591", "\u2592", "\u2593", "\u2588"};
  return unicode ? blocks : ascii;
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// `inner` in the middle of a cell that is otherwise filled with `fill`.
std::string around(const std::string& inner, const std::string& fill, std::size_t width) {
  const std::size_t left = (width - inner.size()) / 2;
  return repeated(fill, left) + inner + repeated(fill, width - left - inner.size());
}

std::vector<std::string> clean(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(clean_text(name));
  return all;
}

std::size_t longest(const std::vector<std::string>& names) {
  std::size_t most = 0;
  for (const std::string& name : names) most = std::max(most, count_characters(name));
  return most;
}

struct Layout {
  std::size_t names = 0;  // width of the names of rows
  std::size_t cell = 0;   // width of a cell
  std::size_t every = 1;  // every how many columns there is a name
};

Layout layout_of(const std::vector<std::string>& x_names, const std::vector<std::string>& y_names,
                 std::size_t width) {
  if (width < kLeastWidth) {
    fail(ErrorKind::bad_option,
         "A heat map does not fit in {} characters; its width must be at least {}.", width,
         kLeastWidth);
  }
  Layout layout;
  layout.names = std::min(longest(y_names), kMostName);
  const std::size_t room = width - layout.names - 2;  // " |" follows the name of a row
  const std::size_t columns = x_names.size();
  if (columns > room) {
    fail(ErrorKind::bad_option,
         "A heat map of {} columns does not fit in {} characters; it needs a width of at least {}.",
         columns, width, columns + layout.names + 2);
  }
  const std::size_t wanted = std::min(longest(x_names), kMostName) + 1;
  layout.cell = std::min({room / columns, std::max<std::size_t>(wanted, 3), kWidestCell});
  layout.every = (wanted + layout.cell - 1) / layout.cell;
  return layout;
}

std::string cell_text(const HeatMap& map, const ShadeScale& scale, const Shades& ramp,
                      std::size_t cell, std::size_t width) {
  const double score = map.scores[cell];
  if (std::isnan(score)) return std::string(width, ' ');
  if (std::isinf(score)) return around("x", " ", width);
  const double last = static_cast<double>(ramp.size() - 1);
  const std::string& shade = ramp[static_cast<std::size_t>(std::lround(scale.share(score) * last))];
  if (cell != best_cell(map)) return repeated(shade, width);
  return around(width < 3 ? "B" : "[B]", shade, width);
}

std::string column_names(const std::vector<std::string>& names, const Layout& layout) {
  std::string line(layout.names + 2, ' ');
  for (std::size_t x = 0; x < names.size(); x += layout.every) {
    const std::size_t cells = std::min(layout.every, names.size() - x);
    // A name is centered in its cell, or begins there if it extends into the next cell.
    line += layout.every == 1 ? centered(names[x], layout.cell)
                              : left_aligned(names[x], cells * layout.cell);
  }
  return line;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::vector<std::string> heat_map_text(const HeatMap& map, const HeatMapTextOptions& options) {
  check_heat_map(map);
  const std::vector<std::string> x_names = clean(map.x_names), y_names = clean(map.y_names);
  const Layout layout = layout_of(x_names, y_names, options.width);
  const ShadeScale scale(map);
  const Shades& ramp = shades(options.unicode);
  const std::size_t columns = x_names.size();

  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) {
    for (std::string& one : wrapped(line, options.width)) {
      lines.push_back(without_trailing_blanks(std::move(one)));
    }
  };
  if (!map.title.empty()) add(clean_text(map.title));
  if (!map.y_label.empty()) add(clean_text(map.y_label));
  for (std::size_t y = y_names.size(); y-- > 0;) {
    std::string line = right_aligned(y_names[y], layout.names) + " |";
    for (std::size_t x = 0; x < columns; ++x) {
      line += cell_text(map, scale, ramp, y * columns + x, layout.cell);
    }
    lines.push_back(without_trailing_blanks(std::move(line)));
  }
  const std::string names = column_names(x_names, layout);
  const std::string x_label = clean_text(map.x_label);
  if (count_characters(names) + 2 + count_characters(x_label) <= options.width) {
    lines.push_back(without_trailing_blanks(names + "  " + x_label));
  } else {
    lines.push_back(without_trailing_blanks(names));
    lines.push_back(right_aligned(x_label, options.width));
  }

  if (!scale.empty()) {
    const std::string label = map.score_label.empty() ? "score" : clean_text(map.score_label);
    add(fmt::format("{}: {} {} (worst) to {} {} (best){}", label, ramp.front(),
                    scale.name(scale.worst()), ramp.back(), scale.name(scale.best()),
                    map.shading == Shading::rank ? ", shaded by rank" : ""));
    add("B best: " + clean_text(best_text(map, scale)));
  }
  const bool failed = std::any_of(map.scores.begin(), map.scores.end(),
                                  [](double score) { return std::isinf(score); });
  const bool untried = std::any_of(map.scores.begin(), map.scores.end(),
                                   [](double score) { return std::isnan(score); });
  if (failed || untried) {
    add(fmt::format("{}{}{}", failed ? "x failed" : "", failed && untried ? ", " : "",
                    untried ? "blank: not tried" : ""));
  }
  return lines;
}

}  // namespace knotwork
