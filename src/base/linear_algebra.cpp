// SPDX-License-Identifier: MIT
#include "base/linear_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SparseLU>

namespace knotwork {
namespace {

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

// Copies, because sums in Eigen may depend on how its operands are aligned.
Eigen::MatrixXd matrix_of(std::span<const double> a, std::size_t rows) {
  return Eigen::Map<const Eigen::MatrixXd>(a.data(), index(rows), index(a.size() / rows));
}
Eigen::VectorXd vector_of(std::span<const double> b) {
  return Eigen::Map<const Eigen::VectorXd>(b.data(), index(b.size()));
}

}  // namespace

std::vector<double> least_squares(std::span<const double> a, std::span<const double> b) {
  const Eigen::VectorXd x = matrix_of(a, b.size()).colPivHouseholderQr().solve(vector_of(b));
  return {x.begin(), x.end()};
}

std::vector<double> solve_positive_definite(std::span<const double> a, std::span<const double> b) {
  const Eigen::VectorXd x = matrix_of(a, b.size()).llt().solve(vector_of(b));
  return {x.begin(), x.end()};
}

std::vector<std::complex<double>> eigenvalues(std::span<const double> a, std::size_t n) {
  const Eigen::VectorXcd all = matrix_of(a, n).eigenvalues();
  return {all.begin(), all.end()};
}

bool solve_sparse(std::span<const SparseEntry> entries, std::span<const double> b,
                  std::span<double> x) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.size());
  for (const SparseEntry& entry : entries) {
    triplets.emplace_back(static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value);
  }
  Eigen::SparseMatrix<double> system(index(b.size()), index(b.size()));
  system.setFromTriplets(triplets.begin(), triplets.end());
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(system);
  if (solver.info() != Eigen::Success) return false;
  Eigen::Map<Eigen::VectorXd>(x.data(), index(x.size())) = solver.solve(vector_of(b));
  return true;
}

}  // namespace knotwork
