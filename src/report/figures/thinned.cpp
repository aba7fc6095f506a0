// SPDX-License-Identifier: MIT
#include "report/figures/thinned.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace knotwork::report {
namespace {

struct Farthest {
  std::size_t index = 0;
  double distance = 0;
};

// The point that is farthest from the line between two points of the curve, among the points
// between them.
Farthest farthest_from_line(const FigurePoints& curve, std::size_t begin, std::size_t end) {
  const FigurePoint &a = curve[begin], &b = curve[end];
  Farthest farthest;
  for (std::size_t k = begin + 1; k < end; ++k) {
    const double share = b.x > a.x ? (curve[k].x - a.x) / (b.x - a.x) : 0;
    const double distance = std::abs(curve[k].y - std::lerp(a.y, b.y, share));
    if (distance > farthest.distance) farthest = {k, distance};
  }
  return farthest;
}

}  // namespace

FigurePoints thinned(const FigurePoints& curve, double tolerance) {
  if (curve.size() < 3) return curve;
  double low = curve.front().y, high = low;
  for (const FigurePoint& point : curve) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) return curve;
    low = std::min(low, point.y);
    high = std::max(high, point.y);
  }
  std::vector<bool> kept(curve.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, curve.size() - 1}};
  while (!open.empty()) {
    const auto [begin, end] = open.back();
    open.pop_back();
    const Farthest farthest = farthest_from_line(curve, begin, end);
    if (farthest.distance <= tolerance * (high - low)) continue;
    kept[farthest.index] = true;
    open.emplace_back(begin, farthest.index);
    open.emplace_back(farthest.index, end);
  }
  FigurePoints fewer;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    if (kept[k]) fewer.push_back(curve[k]);
  }
  return fewer;
}

}  // namespace knotwork::report
