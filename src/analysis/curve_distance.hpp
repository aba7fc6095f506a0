// SPDX-License-Identifier: MIT
// The distance between a learned curve and its initial curve.
#pragma once

#include <cmath>
#include <cstddef>

#include <knotwork/points.hpp>
#include <knotwork/spline.hpp>

namespace knotwork::analysis {

// The mean distance of two curves over the same, evenly spaced places, divided by the spread of the
// initial curve, or by 1 if the initial curve is flat.
double curve_distance(const FigurePoints& learned, const FigurePoints& initial);

inline FigurePoints drawn_curve(const Spline& curve) {
  constexpr std::size_t kSamplesPerSpan = 8;
  const Knots& knots = curve.knots();
  const std::size_t steps = kSamplesPerSpan * (knots.count - 3);
  FigurePoints points;
  points.reserve(steps + 1);
  for (std::size_t k = 0; k <= steps; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(steps);
    const double x = std::lerp(knots.drawn_begin(), knots.drawn_end(), share);
    points.push_back({x, curve.value(x)});
  }
  return points;
}

}  // namespace knotwork::analysis
