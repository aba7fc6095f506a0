// SPDX-License-Identifier: MIT
// The simplex search of J. Nelder and R. Mead (1965) for one or two variables. It uses no
// derivatives and few evaluations, and is accurate enough for fitting one curve to another.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace knotwork::analysis {

using Place2 = std::array<double, 2>;

struct SimplexResult {
  Place2 place = {};
  double value = 0;
};

// Minimizes value(place), beginning at `start`. Directions with step 0 are not searched. The search
// ends after `most_evaluations`, or when the values at all corners agree to `tolerance`.
template <class Value>
SimplexResult nelder_mead(const Value& value, Place2 start, Place2 steps,
                          std::size_t most_evaluations, double tolerance) {
  std::vector<SimplexResult> corners = {{start, value(start)}};
  for (std::size_t k = 0; k < 2; ++k) {
    if (steps[k] == 0) continue;
    Place2 corner = start;
    corner[k] += steps[k];
    corners.push_back({corner, value(corner)});
  }
  std::size_t evaluations = corners.size();
  const auto better = [](const SimplexResult& a, const SimplexResult& b) {
    return a.value < b.value;
  };
  const auto try_at = [&](const Place2& place) {
    ++evaluations;
    return SimplexResult{place, value(place)};
  };
  const auto between = [](const Place2& from, const Place2& to, double share) {
    return Place2{from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])};
  };
  std::stable_sort(corners.begin(), corners.end(), better);
  while (evaluations < most_evaluations &&
         corners.back().value - corners.front().value > tolerance) {
    SimplexResult& worst = corners.back();
    // The middle of all corners except the worst.
    Place2 middle = corners[0].place;
    if (corners.size() == 3) middle = between(middle, corners[1].place, 0.5);
    const SimplexResult mirrored = try_at(between(middle, worst.place, -1));
    if (mirrored.value < corners.front().value) {
      const SimplexResult farther = try_at(between(middle, worst.place, -2));
      worst = better(farther, mirrored) ? farther : mirrored;
    } else if (mirrored.value < corners[corners.size() - 2].value) {
      worst = mirrored;
    } else {
      const double side = mirrored.value < worst.value ? -0.5 : 0.5;
      const SimplexResult nearer = try_at(between(middle, worst.place, side));
      if (nearer.value < std::min(worst.value, mirrored.value)) {
        worst = nearer;
      } else {
        for (std::size_t k = 1; k < corners.size(); ++k) {
          corners[k] = try_at(between(corners[0].place, corners[k].place, 0.5));
        }
      }
    }
    std::stable_sort(corners.begin(), corners.end(), better);
  }
  return corners.front();
}

}  // namespace knotwork::analysis
