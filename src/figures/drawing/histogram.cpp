// SPDX-License-Identifier: MIT
#include "figures/drawing/histogram.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"

namespace knotwork::figures {

bool is_empty(const InputHistogram& bars) {
  return bars.counts.empty() && bars.edges.empty();
}

void check_histogram(const InputHistogram& bars, const std::string& what) {
  if (bars.edges.size() != bars.counts.size() + 1) {
    fail(ErrorKind::bad_data, "{} has {} counts and {} edges; it needs one more edge than counts.",
         what, bars.counts.size(), bars.edges.size());
  }
  for (std::size_t i = 0; i < bars.counts.size(); ++i) {
    if (!(bars.edges[i] < bars.edges[i + 1]) || !std::isfinite(bars.edges[i + 1] - bars.edges[i])) {
      fail(ErrorKind::bad_data, "{} has the edge {} before {}; edges must be finite and ascending.",
           what, bars.edges[i], bars.edges[i + 1]);
    }
    if (!(bars.counts[i] >= 0) || !std::isfinite(bars.counts[i])) {
      fail(ErrorKind::bad_data, "{} counts {} in bin {}; counts must be finite and at least 0.",
           what, bars.counts[i], i + 1);
    }
  }
}

double highest(const InputHistogram& bars) {
  return bars.counts.empty() ? 0 : *std::max_element(bars.counts.begin(), bars.counts.end());
}

double share_of_highest(const InputHistogram& bars) {
  const double top = highest(bars);
  if (top == 0) return 0;
  double sum = 0;  // in shares, which cannot overflow
  for (const double count : bars.counts) sum += count / top;
  return 1 / sum;
}

}  // namespace knotwork::figures
