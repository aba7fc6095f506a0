// SPDX-License-Identifier: MIT
#include "base/fail.hpp"

#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

Matrix4 divided(Matrix4 matrix, double by) {
  for (auto& row : matrix) {
    for (double& entry : row) entry /= by;
  }
  return matrix;
}

// Hermite pieces with the tangent (1 - tension) / 2 * (q_{i+1} - q_{i-1}) at each point.
Matrix4 cardinal(double tension) {
  const double c = (1 - tension) / 2;
  return {{{-c, 2 - c, c - 2, c}, {2 * c, c - 3, 3 - 2 * c, -c}, {-c, 0, c, 0}, {0, 1, 0, 0}}};
}

}  // namespace

const NamedTable<SplineBasis>& spline_bases() {
  static const NamedTable<SplineBasis> table(
      "spline basis",
      {{"catmull-rom", "passes through its points, continuous slope", true,
        divided({{{-1, 3, -3, 1}, {2, -5, 4, -1}, {-1, 0, 1, 0}, {0, 2, 0, 0}}}, 2)},
       {"b-spline", "smoother: continuous curvature, does not pass through its points", false,
        divided({{{-1, 3, -3, 1}, {3, -6, 3, 0}, {-3, 0, 3, 0}, {1, 4, 1, 0}}}, 6)},
       {"cardinal", "catmull-rom with shorter tangents: flatter at its points by a tension", true,
        cardinal(0), cardinal},
       {"linear",
        "straight lines from point to point",
        true,
        {{{}, {}, {0, -1, 1, 0}, {0, 1, 0, 0}}}}});
  return table;
}

SplineBasis spline_basis(std::string_view name, double tension) {
  SplineBasis basis = spline_bases().at(name);
  if (!(tension >= 0 && tension < 1)) {
    fail(ErrorKind::bad_option, "tension must be at least 0 and below 1, not {}.", tension);
  }
  if (basis.with_tension) {
    basis.matrix = basis.with_tension(tension);
  } else if (tension != 0) {
    fail(ErrorKind::bad_option,
         "tension is {}, but the basis '{}' has no tension; the basis 'cardinal' has one.", tension,
         name);
  }
  return basis;
}

}  // namespace knotwork
