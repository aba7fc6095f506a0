// SPDX-License-Identifier: MIT
// This header defines curves and histograms as plain data, which the analysis computes and figures
// draw.
#pragma once

#include <vector>

namespace knotwork {

struct FigurePoint {
  double x = 0;
  double y = 0;
};
using FigurePoints = std::vector<FigurePoint>;

// The inputs that a neuron received. The bar of bin i goes from edges[i] to edges[i + 1]; its
// height is the bin's share of all counts, whatever its width.
struct InputHistogram {
  std::vector<double> edges;   // ascending, one more than counts
  std::vector<double> counts;  // at least 0
};

}  // namespace knotwork
