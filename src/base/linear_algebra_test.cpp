// SPDX-License-Identifier: MIT
#include "base/linear_algebra.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace knotwork {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr double kClose = 1e-12;

// The line closest to (0, 1), (1, 2), (2, 4): 5/6 + 3/2 x.
TEST(LinearAlgebra, LeastSquaresAreThoseOfALine) {
  const std::vector<double> a = {1, 1, 1, 0, 1, 2}, b = {1, 2, 4};
  EXPECT_THAT(least_squares(a, b),
              ElementsAre(DoubleNear(5.0 / 6, kClose), DoubleNear(1.5, kClose)));
}

TEST(LinearAlgebra, PositiveDefiniteSystemsAreSolved) {
  const std::vector<double> a = {4, 2, 2, 3}, b = {10, 8};
  EXPECT_THAT(solve_positive_definite(a, b),
              ElementsAre(DoubleNear(1.75, kClose), DoubleNear(1.5, kClose)));
}

// The companion matrix of (x - 2) (x^2 + 1), column after column.
TEST(LinearAlgebra, EigenvaluesAreTheRootsOfACompanionMatrix) {
  const std::vector<double> a = {0, 1, 0, 0, 0, 1, 2, -1, 2};
  std::vector<std::complex<double>> roots = eigenvalues(a, 3);
  std::sort(roots.begin(), roots.end(),
            [](const auto& one, const auto& other) { return one.imag() < other.imag(); });
  ASSERT_EQ(roots.size(), 3u);
  EXPECT_LT(std::abs(roots[0] - std::complex<double>(0, -1)), kClose);
  EXPECT_LT(std::abs(roots[1] - std::complex<double>(2, 0)), kClose);
  EXPECT_LT(std::abs(roots[2] - std::complex<double>(0, 1)), kClose);
}

TEST(LinearAlgebra, SparseSystemsAreSolvedOrKnownToBeSingular) {
  const std::vector<double> b = {3, 8};
  std::vector<double> x(2);
  // Two entries at the same position are added: the matrix is (1 2; 0 4).
  EXPECT_TRUE(
      solve_sparse(std::vector<SparseEntry>{{0, 0, 1}, {0, 1, 2}, {1, 1, 1}, {1, 1, 3}}, b, x));
  EXPECT_THAT(x, ElementsAre(DoubleNear(-1, kClose), DoubleNear(2, kClose)));
  EXPECT_FALSE(solve_sparse(std::vector<SparseEntry>{{0, 0, 1}, {1, 0, 1}}, b, x));
}

}  // namespace
}  // namespace knotwork
