// SPDX-License-Identifier: MIT
#include <knotwork/figures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"

namespace knotwork {

std::vector<std::string> plot_curves(const std::vector<PlotSeries>& series,
                                     const PlotOptions& options) {
  if (options.width < 2 || options.height < 2 || !(options.begin < options.end)) {
    fail(ErrorKind::bad_option, "A plot needs a range and at least 2 by 2 characters.");
  }
  const std::size_t width = options.width, height = options.height;
  std::vector<std::vector<double>> values;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PlotSeries& one : series) {
    auto& row = values.emplace_back();
    for (std::size_t column = 0; column < width; ++column) {
      const double share = static_cast<double>(column) / static_cast<double>(width - 1);
      const double y = one.curve(options.begin + share * (options.end - options.begin));
      row.push_back(y);
      if (!std::isfinite(y)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  if (!(low <= high)) low = 0, high = 0;
  if (low == high) low -= 1, high += 1;

  std::vector<std::string> drawing(height, std::string(width, ' '));
  if (low < 0 && high > 0) {
    const auto zero = std::lround(high / (high - low) * static_cast<double>(height - 1));
    drawing[static_cast<std::size_t>(zero)].assign(width, '-');
  }
  for (std::size_t s = 0; s < series.size(); ++s) {
    for (std::size_t column = 0; column < width; ++column) {
      const double y = values[s][column];
      if (!std::isfinite(y)) continue;
      const auto row = std::lround((high - y) / (high - low) * static_cast<double>(height - 1));
      drawing[static_cast<std::size_t>(row)][column] = series[s].mark;
    }
  }

  std::vector<std::string> lines;
  for (std::size_t row = 0; row < height; ++row) {
    const bool labeled = row == 0 || row == height - 1;
    const std::string label =
        labeled ? fmt::format("{:8.3g}", row == 0 ? high : low) : std::string(8, ' ');
    lines.push_back(label + " |" + drawing[row]);
  }
  const std::string right = fmt::format("{:.3g}", options.end);
  lines.push_back(std::string(10, ' ') +
                  fmt::format("{:<{}}{}", fmt::format("{:.3g}", options.begin),
                              width > right.size() ? width - right.size() : 0, right));
  return lines;
}

}  // namespace knotwork
