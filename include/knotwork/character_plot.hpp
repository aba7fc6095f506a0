// SPDX-License-Identifier: MIT
// Curves drawn in characters, for terminals.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <knotwork/export.hpp>

namespace knotwork {

struct PlotSeries {
  char mark = '*';
  std::function<double(double)> curve;
};

struct PlotOptions {
  double begin = -1;
  double end = 1;
  std::size_t width = 48;  // of the drawing area, in characters; at least 2
  std::size_t height = 11;
};

// Lines of equal length: the drawing with its scale of y to the left and of x below. Where series
// meet, the later one is seen. Values that are not finite are left out.
KNOTWORK_API std::vector<std::string> plot_curves(const std::vector<PlotSeries>& series,
                                                  const PlotOptions& options);

struct TitledPlot {
  std::string title;
  std::vector<std::string> lines;  // as plot_curves() makes them
};

// Small multiples: as many plots in a row as fit in `width` characters, each below its title, and
// an empty line between the rows.
KNOTWORK_API std::vector<std::string> curves_side_by_side(const std::vector<TitledPlot>& plots,
                                                          std::size_t width);

}  // namespace knotwork
