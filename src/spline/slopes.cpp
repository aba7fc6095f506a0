// SPDX-License-Identifier: MIT
// These functions bound slopes by the differences of control points.
//
// With d_j = q_{i+j+1} - q_{i+j} the slope of span i is  sum_j c_j(u) d_j / step  with quadratics
// c_0, c_1, c_2 that depend on the basis. Only the largest or smallest value on [0, 1] is needed,
// which is at an end, at a vertex or where one of the quadratics changes its sign.
#include <algorithm>
#include <cmath>

#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

struct Quadratic {
  double a = 0, b = 0, c = 0;  // a u^2 + b u + c

  double operator()(double u) const { return (a * u + b) * u + c; }
};

std::array<Quadratic, 3> slopes_of_differences(const Matrix4& matrix) {
  std::array<Quadratic, 3> all;
  const auto by_difference = [&](std::size_t row, std::size_t j) {
    const auto& b = matrix[row];
    return j == 0 ? -b[0] : j == 1 ? -(b[0] + b[1]) : b[3];
  };
  for (std::size_t j = 0; j < 3; ++j) {
    all[j] = {3 * by_difference(0, j), 2 * by_difference(1, j), by_difference(2, j)};
  }
  return all;
}

// Where a quadratic of the curve can have its extremes or zeros, including the ends of [0, 1].
std::vector<double> places_to_look(const std::array<Quadratic, 3>& parts) {
  std::vector<double> places = {0, 1};
  for (const Quadratic& q : parts) {
    if (q.a == 0) {
      if (q.b != 0) places.push_back(-q.c / q.b);
      continue;
    }
    const double vertex = -q.b / (2 * q.a);
    const double square = vertex * vertex - q.c / q.a;
    places.push_back(vertex);
    if (square < 0) continue;
    places.push_back(vertex - std::sqrt(square));
    places.push_back(vertex + std::sqrt(square));
  }
  std::erase_if(places, [](double u) { return !(u >= 0 && u <= 1); });
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

double slope_factor(const SplineBasis& basis) {
  const std::array<Quadratic, 3> parts = slopes_of_differences(basis.matrix);
  const std::vector<double> places = places_to_look(parts);
  const auto sum_at = [&](double u) {
    return std::abs(parts[0](u)) + std::abs(parts[1](u)) + std::abs(parts[2](u));
  };
  double largest = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    largest = std::max(largest, sum_at(places[k]));
    if (k + 1 == places.size()) break;
    // Between two places no part changes its sign, so the sum is one quadratic with one vertex.
    const double middle = (places[k] + places[k + 1]) / 2;
    Quadratic sum;
    for (const Quadratic& part : parts) {
      const double sign = part(middle) < 0 ? -1 : 1;
      sum = {sum.a + sign * part.a, sum.b + sign * part.b, sum.c + sign * part.c};
    }
    const double vertex = sum.a == 0 ? middle : -sum.b / (2 * sum.a);
    if (vertex > places[k] && vertex < places[k + 1]) largest = std::max(largest, sum_at(vertex));
  }
  return largest;
}

bool rises_with_its_points(const SplineBasis& basis) {
  const std::array<Quadratic, 3> parts = slopes_of_differences(basis.matrix);
  constexpr double kRounding = 1e-14;
  for (const double u : places_to_look(parts)) {
    for (const Quadratic& part : parts) {
      if (part(u) < -kRounding) return false;
    }
  }
  return true;
}

double greatest_slope(const SplineBasis& basis, double step,
                      std::span<const double> control_points) {
  const std::array<Quadratic, 3> parts = slopes_of_differences(basis.matrix);
  double greatest = 0;
  for (std::size_t span = 0; span + 3 < control_points.size(); ++span) {
    Quadratic slope;
    for (std::size_t j = 0; j < 3; ++j) {
      const double difference = control_points[span + j + 1] - control_points[span + j];
      slope = {slope.a + difference * parts[j].a, slope.b + difference * parts[j].b,
               slope.c + difference * parts[j].c};
    }
    greatest = std::max({greatest, std::abs(slope(0)), std::abs(slope(1))});
    const double vertex = slope.a == 0 ? 0 : -slope.b / (2 * slope.a);
    if (vertex > 0 && vertex < 1) greatest = std::max(greatest, std::abs(slope(vertex)));
  }
  return greatest / step;
}

}  // namespace knotwork
