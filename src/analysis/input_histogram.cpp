// SPDX-License-Identifier: MIT
#include "analysis/input_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fail.hpp"

namespace knotwork::analysis {
namespace {

// Widens the limits so that all edges are different.
Limits with_room(const Limits& limits) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kLeast = 1e-9;  // relative to the value
  const double middle = std::midpoint(limits.low, limits.high);
  const double least = std::max(std::abs(middle) * kLeast, 1e-300);
  if (limits.high - limits.low > least) return limits;
  const double half = std::max(0.5, least);
  return {std::max(middle - half, -kLargest), std::min(middle + half, kLargest)};
}

}  // namespace

void check_bins(std::size_t bins) {
  if (bins == 0) fail(ErrorKind::bad_option, "A histogram needs at least 1 bin, not 0.");
}

void Limits::take(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

InputHistogram empty_histogram(Limits limits, std::size_t bins) {
  if (!(limits.low <= limits.high)) limits = {0, 0};
  limits = with_room(limits);
  InputHistogram histogram;
  for (std::size_t k = 0; k <= bins; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(bins);
    histogram.edges.push_back(std::lerp(limits.low, limits.high, share));
  }
  histogram.counts.assign(bins, 0.0);
  return histogram;
}

// The bin is found among the edges, not computed, because high - low may exceed the largest double.
void count(InputHistogram& histogram, double value) {
  if (!std::isfinite(value)) return;
  const auto first = histogram.edges.begin() + 1, last = histogram.edges.end() - 1;
  histogram.counts[static_cast<std::size_t>(std::upper_bound(first, last, value) - first)] += 1;
}

}  // namespace knotwork::analysis
