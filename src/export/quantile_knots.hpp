// SPDX-License-Identifier: MIT
// The curve of a `quantile` or `uniform` scaling as a list of different knots. (Exported for
// Knotwork::tools.)
#pragma once

#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/scaling.hpp>

namespace knotwork::exporting {

struct QuantileKnots {
  std::vector<double> values;  // ascending, all different
  std::vector<double> ranks;   // the middle of those that are tied, counted from 0
  double last_rank;            // probability = rank / last_rank; at least 1
};

// probability_of() of scaling.cpp is linear between these and constant beyond. A column that never
// varies has a single knot, and every number of it is as good as the middle.
//
// Where cells come in float, a cell of training is often its knot no more: 37.88 comes as
// 37.880001068. Between close knots the curve is steep, at the ends of a normal distribution very
// steep, so that what is exported takes a cell that is a knot rounded to float for that knot. Any
// other cell meets the curve as it is; knots that were rounded themselves would shift it.
KNOTWORK_API QuantileKnots quantile_knots(const Scaling& scaling);

// As a cell of float would have it.
KNOTWORK_API double rounded_to_float(double value);

}  // namespace knotwork::exporting
