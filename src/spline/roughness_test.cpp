// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "spline/test_bases.hpp"

#include <knotwork/random.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

using testing_bases::bases;

struct Case {
  const SplineBasis& basis;
  Knots knots;
  std::vector<double> q;
};

Case random_case(std::uint64_t seed) {
  const Random random(seed, Purpose::weights);
  Case c{bases()[seed % bases().size()],
         {4 * random.uniform(0) - 4, 0.05 + random.uniform(1),
          seed < bases().size() ? 4 : 4 + static_cast<std::size_t>(random.below(57, 2))},
         {}};
  for (std::size_t k = 0; k < c.knots.count; ++k) c.q.push_back(random.normal(10 + k));
  return c;
}

double roughness(const Case& c, Roughness which, double factor = 1,
                 std::span<double> gradient = {}) {
  return add_roughness(roughness_form(c.basis, which), which, c.knots.step, c.q, factor, gradient);
}

// Simpson's rule for each span; u stays off the span's ends so that no neighbor is evaluated.
template <class Integrand>
double quadrature(const Knots& knots, const Integrand& f) {
  constexpr int kParts = 200;
  const double inset = 1e-9 * knots.step;
  double sum = 0;
  for (std::size_t i = 1; i + 2 < knots.count; ++i) {
    const double a = knots.at(i) + inset, h = (knots.step - 2 * inset) / kParts;
    for (int k = 0; k <= kParts; ++k) {
      const double weight = k == 0 || k == kParts ? 1 : (k % 2 ? 4 : 2);
      sum += weight * h / 3 * f(a + k * h);
    }
  }
  return sum;
}

TEST(Roughness, IntegralOfTheSquaredSlopeIsThatOfNumericalQuadrature) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Case c = random_case(seed);
    const Spline spline(c.basis, Tails::linear, c.knots, c.q);
    const double wanted =
        quadrature(c.knots, [&](double s) { return std::pow(spline.slope(s), 2); });
    // The insets leave out 2e-9 of the range; Simpson's own error is smaller.
    EXPECT_NEAR(roughness(c, Roughness::slope), wanted, 2e-8 * wanted) << seed;
  }
}

TEST(Roughness, IntegralOfTheSquaredCurvatureIsThatOfNumericalQuadrature) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Case c = random_case(seed);
    if (c.basis.name == "linear") continue;  // has bends instead
    // phi'' is linear within a span, so its values at two places determine it.
    const Spline spline(c.basis, Tails::linear, c.knots, c.q);
    double wanted = 0;
    for (std::size_t i = 1; i + 2 < c.knots.count; ++i) {
      const double a = c.knots.at(i), step = c.knots.step;
      // phi' is a parabola on the span, so three of its values give phi'' at the span's ends.
      const double e = 1e-3, left = spline.slope(a + e * step),
                   right = spline.slope(a + (1 - e) * step), middle = spline.slope(a + 0.5 * step),
                   h = (0.5 - e) * step;
      const double mean = (right - left) / (2 * h), third = (left - 2 * middle + right) / (h * h);
      const double begin = mean - third * step / 2, end = mean + third * step / 2;
      wanted += step * (begin * begin + begin * end + end * end) / 3;
    }
    EXPECT_NEAR(roughness(c, Roughness::curvature), wanted, 1e-10 * wanted) << seed;
  }
}

TEST(Roughness, OfAStraightLineIsSlopeSquaredTimesLengthAndZero) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Case c = random_case(seed);
    if (testing_bases::has_tension(c.basis)) continue;  // does not draw straight lines
    const double slope = -1.7, length = c.knots.drawn_end() - c.knots.drawn_begin();
    for (std::size_t k = 0; k < c.q.size(); ++k) c.q[k] = 0.4 + slope * c.knots.at(k);
    // The form's terms have the size of q^2 and cancel; the tolerance is their rounding error.
    double left = 0;
    for (double q : c.q) left += 64 * std::numeric_limits<double>::epsilon() * q * q;
    EXPECT_NEAR(roughness(c, Roughness::slope), slope * slope * length, left / c.knots.step);
    EXPECT_NEAR(roughness(c, Roughness::curvature), 0, left / std::pow(c.knots.step, 3));
  }
}

TEST(Roughness, OfAParabolaHasTheKnownCurvature) {
  Case c{spline_bases().at("catmull-rom"), {-2, 0.2, 21}, {}};
  for (std::size_t k = 0; k < 21; ++k) c.q.push_back(c.knots.at(k) * c.knots.at(k));
  // phi'' = 2 on a range of 3.6, phi' = 2s.
  EXPECT_NEAR(roughness(c, Roughness::curvature), 4 * 3.6, 1e-10);
  const Case straight{spline_bases().at("linear"), c.knots, c.q};
  EXPECT_NEAR(roughness(straight, Roughness::curvature), 4 * 3.6, 1e-10);
  EXPECT_NEAR(roughness(c, Roughness::slope), 4 * 2 * std::pow(1.8, 3) / 3, 1e-12);
}

// step * (jump of the slope / step)^2 at each knot where the slope jumps, and at both ends half of
// the bend that the outermost points define.
TEST(Roughness, OfStraightPiecesIsThatOfTheirBends) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Case c = random_case(seed);
    if (c.basis.name != "linear") continue;
    const Spline spline(c.basis, Tails::linear, c.knots, c.q);
    const double step = c.knots.step;
    double wanted = 0;
    for (std::size_t k = 2; k + 2 < c.knots.count; ++k) {
      const double at = c.knots.at(k);
      wanted += std::pow(spline.slope(at + step / 2) - spline.slope(at - step / 2), 2) / step;
    }
    for (std::size_t k : {std::size_t{1}, c.knots.count - 2}) {
      const double bend = (c.q[k - 1] - 2 * c.q[k] + c.q[k + 1]) / (step * step);
      wanted += step * bend * bend / 2;
    }
    EXPECT_NEAR(roughness(c, Roughness::curvature), wanted, 1e-12 * wanted) << seed;
  }
}

TEST(Roughness, TheCurvatureOfEveryBasisBecomesThatOfTheFunction) {
  for (const SplineBasis& basis : bases()) {
    if (testing_bases::has_tension(basis)) continue;  // waves between its points in any case
    const Knots knots = Knots::symmetric(2, 401);
    const Case c{basis, knots, fit_control_points(basis, knots, initial_functions().at("sin"))};
    const double end = knots.drawn_end();
    EXPECT_NEAR(roughness(c, Roughness::curvature), end - std::sin(2 * end) / 2, 1e-4)
        << basis.name;
  }
}

TEST(Roughness, GradientIsTheCentralDifferenceAndIsAdded) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Case c = random_case(seed);
    for (Roughness which : {Roughness::slope, Roughness::curvature}) {
      const double factor = 0.3;
      std::vector<double> gradient(c.q.size(), 5);
      const double value = roughness(c, which, factor, gradient);
      EXPECT_DOUBLE_EQ(value, factor * roughness(c, which));
      for (std::size_t k = 0; k < c.q.size(); ++k) {
        // Central differences of a quadratic form are exact for any step, so a large step is used.
        Case above = c, below = c;
        above.q[k] += 1;
        below.q[k] -= 1;
        const double difference =
            (roughness(above, which, factor) - roughness(below, which, factor)) / 2;
        EXPECT_NEAR(gradient[k] - 5, difference, 1e-12 * (value + std::fabs(difference) + 5));
      }
    }
  }
}

TEST(Roughness, FormsAreSymmetricAndBlindToConstants) {
  for (const SplineBasis& basis : bases()) {
    for (Roughness which : {Roughness::slope, Roughness::curvature}) {
      const Matrix4 form = roughness_form(basis, which);
      for (std::size_t k = 0; k < 4; ++k) {
        double row = 0;
        for (std::size_t l = 0; l < 4; ++l) {
          EXPECT_NEAR(form[k][l], form[l][k], 1e-14);
          row += form[k][l];
        }
        EXPECT_NEAR(row, 0, 1e-14) << basis.name;
      }
    }
  }
}

}  // namespace
}  // namespace knotwork
