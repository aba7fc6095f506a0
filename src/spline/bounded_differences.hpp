// SPDX-License-Identifier: MIT
// The nearest control points whose neighbors differ within bounds.
#pragma once

#include <span>

namespace knotwork {

// The Euclidean projection of `points` onto low <= x_{k+1} - x_k <= high, exact to rounding.
// Either bound may be infinite: [0, infinity] is the least squares fit of a rising sequence.
// With those bounds (1, 3, 2) becomes (1, 2.5, 2.5).
void bound_differences(std::span<double> points, double low, double high);

}  // namespace knotwork
