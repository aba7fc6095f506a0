// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <knotwork/figures.hpp>

#include "base/fail.hpp"
#include "figures/drawing/label_text.hpp"

namespace knotwork {
namespace {

using namespace figures;

constexpr std::size_t kBetween = 2;  // between two plots

std::size_t width_of(const TitledPlot& plot) {
  std::size_t most = 0;
  for (const std::string& line : plot.lines) most = std::max(most, count_characters(line));
  return most;
}

// Adds a plot to the right of a row of plots; the first line of the row contains the titles.
void append(std::vector<std::string>& row, const TitledPlot& plot) {
  const std::size_t width = width_of(plot);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i == 0) {
      row[i] += centered(clean_text(plot.title), width);
    } else {
      row[i] += left_aligned(i <= plot.lines.size() ? plot.lines[i - 1] : "", width);
    }
    row[i].append(kBetween, ' ');
  }
}

}  // namespace

std::vector<std::string> curves_side_by_side(const std::vector<TitledPlot>& plots,
                                             std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t first = 0, end = 0; first < plots.size(); first = end) {
    std::size_t used = 0, height = 0;
    for (; end < plots.size(); ++end) {
      const std::size_t own = width_of(plots[end]);
      if (own > width) {
        fail(ErrorKind::bad_option,
             "Plot {} ('{}') is {} characters wide and does not fit in {}; draw it narrower.",
             end + 1, clean_text(plots[end].title), own, width);
      }
      if (end > first && used + own > width) break;
      used += own + kBetween;
      height = std::max(height, plots[end].lines.size());
    }
    if (first > 0) lines.emplace_back();
    std::vector<std::string> row(height + 1);
    for (std::size_t i = first; i < end; ++i) append(row, plots[i]);
    for (std::string& line : row) {
      line.erase(line.find_last_not_of(' ') + 1);
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

}  // namespace knotwork
