// SPDX-License-Identifier: MIT
#include "export/quantile_knots.hpp"

#include <algorithm>
#include <limits>

namespace knotwork::exporting {

QuantileKnots quantile_knots(const Scaling& scaling) {
  const std::vector<double>& q = scaling.quantiles;
  QuantileKnots knots{{}, {}, static_cast<double>(q.size() - 1)};
  for (std::size_t first = 0; first < q.size();) {
    std::size_t past = first;
    while (past < q.size() && q[past] == q[first]) ++past;
    knots.values.push_back(q[first]);
    knots.ranks.push_back(0.5 * static_cast<double>(first + past - 1));
    first = past;
  }
  if (knots.values.size() == 1) return {{knots.values.front()}, {0.5}, 1};
  return knots;
}

double rounded_to_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<double>(static_cast<float>(std::clamp(value, -kMost, kMost)));
}

}  // namespace knotwork::exporting
