// SPDX-License-Identifier: MIT
#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

bool has_straight_pieces(const SplineBasis& basis) {
  const std::array<double, 4> none{};
  return basis.matrix[0] == none && basis.matrix[1] == none;
}

// Half of the squared second difference at either end of a span, because inner knots have two
// spans.
constexpr Matrix4 kBends = {
    {{0.5, -1, 0.5, 0}, {-1, 2.5, -2, 0.5}, {0.5, -2, 2.5, -1}, {0, 0.5, -1, 0.5}}};

}  // namespace

Matrix4 roughness_form(const SplineBasis& basis, Roughness which) {
  // Integrals over u in [0, 1] of (3 c3 u^2 + 2 c2 u + c1)^2 and of (6 c3 u + 2 c2)^2, as
  // symmetric forms in (c3, c2, c1, c0).
  const Matrix4 in_coefficients =
      which == Roughness::slope
          ? Matrix4{{{9.0 / 5, 3.0 / 2, 1, 0}, {3.0 / 2, 4.0 / 3, 1, 0}, {1, 1, 1, 0}, {}}}
          : Matrix4{{{12, 6, 0, 0}, {6, 4, 0, 0}, {}, {}}};
  if (which == Roughness::curvature && has_straight_pieces(basis)) return kBends;
  const Matrix4& b = basis.matrix;
  Matrix4 form{};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t l = 0; l < 4; ++l) {
      for (std::size_t p = 0; p < 4; ++p) {
        for (std::size_t r = 0; r < 4; ++r) form[k][l] += b[p][k] * in_coefficients[p][r] * b[r][l];
      }
    }
  }
  return form;
}

double add_roughness(const Matrix4& form, Roughness which, double step, std::span<const double> q,
                     double factor, std::span<double> gradient) {
  // Each derivative contributes 1/step, squared; the integral itself contributes step.
  factor /= which == Roughness::slope ? step : step * step * step;
  double integral = 0;
  for (std::size_t i = 0; i + 3 < q.size(); ++i) {
    double span = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      double row = 0;
      for (std::size_t l = 0; l < 4; ++l) row += form[k][l] * q[i + l];
      span += q[i + k] * row;
      if (!gradient.empty()) gradient[i + k] += 2 * factor * row;
    }
    integral += span;
  }
  return factor * integral;
}

}  // namespace knotwork
