// SPDX-License-Identifier: MIT
// Curves and histograms as plain data: what the analysis of a model computes and figures draw.
#pragma once

#include <vector>

namespace knotwork {

struct FigurePoint {
  double x = 0;
  double y = 0;
};
using FigurePoints = std::vector<FigurePoint>;

// What a neuron really receives. The bar of bin i goes from edges[i] to edges[i + 1] and is as high
// as its share of all counts, whatever its width.
struct InputHistogram {
  std::vector<double> edges;   // ascending, one more than there are counts
  std::vector<double> counts;  // at least 0
};

}  // namespace knotwork
