// SPDX-License-Identifier: MIT
// Tests control points whose curve follows a function.
#include <gtest/gtest.h>

#include <cmath>

#include "spline/test_bases.hpp"

#include <knotwork/spline.hpp>

namespace knotwork {
namespace {

using testing_bases::bases;
using testing_bases::has_tension;

const std::vector<Knots> kGrids = {{-2, 0.2, 21}, {-1, 2.0 / 3, 4}, {-3, 1.5, 5}, {0.5, 0.1, 60}};

TEST(SplineFit, ABasisThatInterpolatesTakesSamples) {
  for (const Knots& knots : kGrids) {
    for (const InitialFunction& function : initial_functions().entries()) {
      for (const SplineBasis& basis : bases()) {
        if (!basis.interpolates) continue;
        const auto q = fit_control_points(basis, knots, function);
        ASSERT_EQ(q.size(), knots.count);
        for (std::size_t k = 0; k < q.size(); ++k) EXPECT_EQ(q[k], function.value(knots.at(k)));
      }
    }
  }
}

TEST(SplineFit, TheCurveOfEveryBasisHasTheFunctionsValuesAtTheDrawnKnots) {
  for (const SplineBasis& basis : bases()) {
    for (const Knots& knots : kGrids) {
      for (const InitialFunction& function : initial_functions().entries()) {
        const Spline curve(basis, Tails::linear, knots, fit_control_points(basis, knots, function));
        for (std::size_t k = 1; k + 1 < knots.count; ++k) {
          const double wanted = function.value(knots.at(k));
          EXPECT_NEAR(curve.value(knots.at(k)), wanted, 1e-13 * (1 + std::fabs(wanted)))
              << basis.name << " " << function.name << " " << k;
        }
      }
    }
  }
}

TEST(SplineFit, TheBSplineHasTheFunctionsSlopesAtBothEndsAndSoDoItsTails) {
  const SplineBasis& basis = spline_bases().at("b-spline");
  for (const Knots& knots : kGrids) {
    for (const InitialFunction& function : initial_functions().entries()) {
      const Spline curve(basis, Tails::linear, knots, fit_control_points(basis, knots, function));
      for (double end : {knots.drawn_begin(), knots.drawn_end()}) {
        const double out = (end == knots.drawn_begin() ? -7 : 7) * knots.step;
        const double tolerance = 1e-13 * (1 + 1 / knots.step);
        EXPECT_NEAR(curve.slope(end), function.slope(end), tolerance) << function.name;
        EXPECT_NEAR(curve.slope(end + out), function.slope(end), tolerance) << function.name;
        EXPECT_NEAR(curve.value(end + out), function.value(end) + out * function.slope(end),
                    1e-12 * (1 + std::fabs(out)))
            << function.name;
      }
    }
  }
}

TEST(SplineFit, StraightLinesAreReproducedEverywhere) {
  for (const SplineBasis& basis : bases()) {
    if (has_tension(basis)) continue;  // is flatter at its points than a line through them
    for (const Knots& knots : kGrids) {
      const Spline curve(basis, Tails::linear, knots,
                         fit_control_points(basis, knots, initial_functions().at("identity")));
      for (double s = -10; s < 10; s += 0.21) EXPECT_NEAR(curve.value(s), s, 1e-12) << basis.name;
    }
  }
}

// For a smooth function the error of the whole curve decreases at least with the square of the
// step; a fit that matches only the knots by accident would not do so.
TEST(SplineFit, AFinerGridFollowsTheFunctionMoreClosely) {
  const InitialFunction& sine = initial_functions().at("sin");
  for (const SplineBasis& basis : bases()) {
    if (has_tension(basis)) continue;  // does not have the function's slopes, however fine
    // Straight pieces have an error of step^2 / 8 times the second derivative, and no less.
    const bool straight = basis.name == "linear";
    auto worst = [&](std::size_t count) {
      const Knots knots = Knots::symmetric(2, count);
      const Spline curve(basis, Tails::linear, knots, fit_control_points(basis, knots, sine));
      double most = 0;
      for (double s = -1.5; s <= 1.5; s += 0.003) {
        most = std::max(most, std::fabs(curve.value(s) - std::sin(s)));
      }
      return most;
    };
    EXPECT_LT(worst(41), worst(21) / (straight ? 3.95 : 4)) << basis.name;
    EXPECT_LT(worst(21), straight ? 0.04 / 8 : 1e-3) << basis.name;
  }
}

TEST(SplineFit, SlopesOfInitialFunctionsAreTheirDerivatives) {
  for (const InitialFunction& function : initial_functions().entries()) {
    for (double s : {-5.3, -1.1, -0.2, 0.3, 1.7, 6.1}) {
      const double h = 1e-5;
      EXPECT_NEAR(function.slope(s), (function.value(s + h) - function.value(s - h)) / (2 * h),
                  1e-9)
          << function.name << " at " << s;
    }
  }
}

TEST(SplineFit, ABasisThatCannotBeFittedIsRefused) {
  const SplineBasis nothing{"nothing", "draws zero", false, {}};
  EXPECT_THROW(fit_control_points(nothing, {0, 1, 6}, initial_functions().at("tanh")), Error);
  EXPECT_THROW(fit_control_points(nothing, {0, 1, 3}, initial_functions().at("tanh")), Error);
}

}  // namespace
}  // namespace knotwork
