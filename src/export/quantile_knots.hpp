// SPDX-License-Identifier: MIT
// QuantileKnots is the curve of a `quantile` or `uniform` scaling as a list of distinct knots.
// (Exported for Knotwork::tools.)
#pragma once

#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/scaling.hpp>

namespace knotwork::exporting {

struct QuantileKnots {
  std::vector<double> values;  // ascending, all different
  std::vector<double> ranks;   // middle rank of tied values, counted from 0
  double last_rank;            // probability = rank / last_rank; at least 1
};

// probability_of() of scaling.cpp is linear between the knots and constant beyond them. A column
// that never varies has a single knot, and all its numbers count as the middle.
//
// If cells arrive in float, a training value often no longer equals its knot: 37.88 arrives as
// 37.880001068. Between close knots the curve is steep, at the ends of a normal distribution very
// steep. An exported model therefore treats a cell that equals a knot rounded to float as that
// knot.
// Every other cell uses the curve unchanged; rounding the knots themselves would shift it.
KNOTWORK_API QuantileKnots quantile_knots(const Scaling& scaling);

// The value of a float cell for this number.
KNOTWORK_API double rounded_to_float(double value);

}  // namespace knotwork::exporting
