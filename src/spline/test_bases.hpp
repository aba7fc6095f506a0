// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <knotwork/spline.hpp>

namespace knotwork::testing_bases {

// Every basis of the table, and `cardinal` with a tension other than 0.
inline const std::vector<SplineBasis>& bases() {
  static const std::vector<SplineBasis> all = [] {
    std::vector<SplineBasis> table = spline_bases().entries();
    table.push_back(spline_basis("cardinal", 0.375));
    return table;
  }();
  return all;
}

inline bool has_tension(const SplineBasis& basis) {
  return basis.name == "cardinal" && basis.matrix != spline_bases().at("cardinal").matrix;
}

}  // namespace knotwork::testing_bases
