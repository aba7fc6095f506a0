// SPDX-License-Identifier: MIT
// How far a learned curve is from the one it started as.
#pragma once

#include <knotwork/figures.hpp>

namespace knotwork {

// The mean distance of two curves over the same, evenly spaced places, in parts of the spread of the
// initial one, or of 1 where that is flat.
double curve_distance(const FigurePoints& learned, const FigurePoints& initial);

}  // namespace knotwork
