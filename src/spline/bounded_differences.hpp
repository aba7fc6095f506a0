// SPDX-License-Identifier: MIT
// bound_differences() finds the nearest control points whose neighbors differ within bounds.
#pragma once

#include <span>

namespace knotwork {

// The Euclidean projection of `points` onto low <= x_{k+1} - x_k <= high, exact to rounding. Either
// bound may be infinite: [0, infinity] gives the least squares fit of a non-decreasing sequence; it
// turns (1, 3, 2) into (1, 2.5, 2.5).
void bound_differences(std::span<double> points, double low, double high);

}  // namespace knotwork
