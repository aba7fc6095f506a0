// SPDX-License-Identifier: MIT
#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

Matrix4 divided(Matrix4 matrix, double by) {
  for (auto& row : matrix) {
    for (double& entry : row) entry /= by;
  }
  return matrix;
}

}  // namespace

const NamedTable<SplineBasis>& spline_bases() {
  static const NamedTable<SplineBasis> table(
      "spline basis",
      {{"catmull-rom", "passes through its points, continuous slope", true,
        divided({{{-1, 3, -3, 1}, {2, -5, 4, -1}, {-1, 0, 1, 0}, {0, 2, 0, 0}}}, 2)},
       {"b-spline", "smoother: continuous curvature, does not pass through its points", false,
        divided({{{-1, 3, -3, 1}, {3, -6, 3, 0}, {-3, 0, 3, 0}, {1, 4, 1, 0}}}, 6)}});
  return table;
}

std::string_view to_string(Tails tails) {
  return tails == Tails::linear ? "linear" : "constant";
}

Tails tails_from_name(std::string_view name) {
  for (Tails tails : {Tails::linear, Tails::constant}) {
    if (name == to_string(tails)) return tails;
  }
  throw Error(ErrorKind::bad_option,
              unknown_name_message("kind of tails", name, {"linear", "constant"}));
}

}  // namespace knotwork
