// SPDX-License-Identifier: MIT
// straighten() finds nearby control points with fewer bends.
#pragma once

#include <span>

namespace knotwork {

// The points x that minimize
//     1/2 ||x - points||^2 + weight * sum_k |x_{k-1} - 2 x_k + x_{k+1}|,
// l1 trend filtering (Kim, Koh, Boyd and Gorinevsky, 2009): straight pieces that meet at few
// points. Exact to rounding: inside a piece second differences are 0 up to the rounding of x
// itself. A weight above some finite number gives the least squares line.
void straighten(std::span<double> points, double weight);

}  // namespace knotwork
