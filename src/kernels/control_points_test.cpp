// SPDX-License-Identifier: MIT
#include "kernels/control_points.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_instruction_sets.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

template <class T>
class ControlPointKernel : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ControlPointKernel, Precisions);

TYPED_TEST(ControlPointKernel, CoefficientsAreTheBasisTimesFourControlPoints) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const Random random(13, Purpose::weights);
    std::array<std::array<double, 4>, 4> basis;
    for (std::size_t k = 0; k < 16; ++k) basis[k / 4][k % 4] = random.normal(k);
    for (const std::size_t spans : {1u, 2u, 7u, 18u, 300u}) {
      std::vector<T> q;
      for (std::size_t k = 0; k < spans + 3; ++k) q.push_back(static_cast<T>(random.normal(k)));
      std::vector<T> coefficients(4 * spans + 1, T{7});
      control_point_kernels<T>().coefficients(basis, q.data(), spans, coefficients.data());
      for (std::size_t m = 0; m < 4 * spans; ++m) {
        double wanted = 0, sizes = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          const double term = basis[m % 4][k] * double{q[m / 4 + k]};
          wanted += term;
          sizes += std::fabs(term);
        }
        // Computed in double, rounded once.
        const double rounding = std::numeric_limits<T>::epsilon() * std::fabs(wanted);
        ASSERT_NEAR(double{coefficients[m]}, wanted, rounding + 1e-15 * sizes) << spans << " " << m;
      }
      EXPECT_EQ(coefficients.back(), T{7}) << "wrote beyond the last span";
    }
  });
}

TYPED_TEST(ControlPointKernel, CollectingIsTheProductWithTheBasis) {
  using T = TypeParam;
  for_each_instruction_set([] {
    const double epsilon = std::numeric_limits<T>::epsilon();
    for (const std::size_t spans : {1u, 2u, 3u, 18u, 64u, 65u, 200u}) {
      const Random random(9, Purpose::weights);
      std::array<std::array<T, 4>, 4> basis;
      for (std::size_t k = 0; k < 16; ++k) basis[k / 4][k % 4] = static_cast<T>(random.normal(k));
      std::vector<T> moments(moments_size(spans));
      for (std::size_t k = 0; k < moments.size(); ++k) {
        moments[k] = static_cast<T>(random.normal(100 + k));
      }
      std::vector<T> gradient(spans + 4, T{2});
      control_point_kernels<T>().collect(basis, moments.data(), spans, gradient.data());
      std::vector<double> wanted(spans + 3, 2), sizes(spans + 3, 2);
      for (std::size_t m = 0; m < moments.size(); ++m) {
        for (std::size_t k = 0; k < 4; ++k) {
          const double term = double{basis[m % 4][k]} * double{moments[m]};
          wanted[m / 4 % spans + k] += term;
          sizes[m / 4 % spans + k] += std::fabs(term);
        }
      }
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        ASSERT_NEAR(double{gradient[k]}, wanted[k], 24 * epsilon * sizes[k]) << spans << " " << k;
      }
      EXPECT_EQ(gradient.back(), T{2}) << "wrote beyond the control points";
    }
  });
}

}  // namespace
}  // namespace knotwork
