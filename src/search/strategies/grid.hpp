// SPDX-License-Identifier: MIT
// The points of a grid: one index for each dimension, with the last one changing fastest.
#pragma once

#include <cstddef>
#include <vector>

#include <knotwork/search.hpp>

namespace knotwork::searching {

inline constexpr std::size_t kMaxSettings = 1000000;

using GridPoint = std::vector<std::size_t>;

// The position of a point in the order of the grid.
std::size_t grid_order(const std::vector<Dimension>& space, const GridPoint& point);
Setting setting_at(const std::vector<Dimension>& space, const GridPoint& point);
// All points whose index in dimension d is one of choices[d], in the order of the grid.
std::vector<GridPoint> combinations(const std::vector<std::vector<std::size_t>>& choices);
// All points.
std::vector<GridPoint> grid_points(const std::vector<Dimension>& space);

}  // namespace knotwork::searching
