// SPDX-License-Identifier: MIT
#include "analysis/curve_distance.hpp"

#include <algorithm>
#include <cmath>

namespace knotwork::analysis {

// Places are evenly spaced, so the trapezoidal mean needs no widths.
double curve_distance(const FigurePoints& learned, const FigurePoints& initial) {
  const auto [low, high] =
      std::minmax_element(initial.begin(), initial.end(),
                          [](const FigurePoint& a, const FigurePoint& b) { return a.y < b.y; });
  double sum = 0;
  for (std::size_t k = 0; k < learned.size(); ++k) {
    const double share = k == 0 || k + 1 == learned.size() ? 0.5 : 1;
    sum += share * std::abs(learned[k].y - initial[k].y);
  }
  const double spread = high->y - low->y;
  return sum / static_cast<double>(learned.size() - 1) / (spread > 0 ? spread : 1);
}

}  // namespace knotwork::analysis
