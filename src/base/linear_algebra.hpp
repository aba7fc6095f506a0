// SPDX-License-Identifier: MIT
// These functions solve small dense and sparse systems during setup. Eigen takes seconds to compile
// wherever it is included, so the few solvers are compiled once, here.
// Matrices are stored column after column.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace knotwork {

// The x that minimizes |A x - b|, by QR with column pivoting; A has b.size() rows.
std::vector<double> least_squares(std::span<const double> a, std::span<const double> b);

// A x = b for a symmetric positive definite A, by Cholesky's decomposition.
std::vector<double> solve_positive_definite(std::span<const double> a, std::span<const double> b);

// The eigenvalues of a square matrix with n rows.
std::vector<std::complex<double>> eigenvalues(std::span<const double> a, std::size_t n);

struct SparseEntry {
  std::size_t row = 0, column = 0;
  double value = 0;
};
// Solves A x = b by sparse LU; returns false, with x undefined, if A is singular. Entries at the
// same position add up.
bool solve_sparse(std::span<const SparseEntry> entries, std::span<const double> b,
                  std::span<double> x);

}  // namespace knotwork
