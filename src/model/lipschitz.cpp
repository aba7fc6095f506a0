// SPDX-License-Identifier: MIT
#include <knotwork/guarantees.hpp>

#include <fmt/format.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"

namespace knotwork {
namespace {

using Matrix = Eigen::MatrixXd;

// For a Gram matrix G and m = 2^k, the Frobenius norm of G^m is at least the m-th power of the
// largest eigenvalue, and at most sqrt(n) times that power. Its m-th root is therefore an upper
// bound, which converges from above.
double largest_eigenvalue_bound(Matrix gram) {
  constexpr int kSquarings = 12;
  double logarithm = 0;  // of the factors divided out of G^m, as the m-th root
  double m = 1;
  for (int k = 0; k < kSquarings; ++k) {
    const double norm = gram.norm();
    gram /= norm;
    logarithm += std::log(norm) / m;
    gram = (gram * gram).eval();
    m *= 2;
  }
  const double rounding = 1 + 1e-12 * static_cast<double>(gram.rows());
  return std::exp(logarithm + std::log(gram.norm()) / m) * rounding;
}

double greatest_slope(const Network& network, std::size_t layer) {
  const Layer& its = network.layers()[layer];
  double greatest = 0;
  for (std::size_t neuron = 0; neuron < its.outputs; ++neuron) {
    greatest = std::max(greatest, its.activation->max_slope(network.activation_tensors(
                                      layer, neuron, network.parameters())));
  }
  return greatest;
}

}  // namespace

double spectral_norm_bound(std::span<const double> matrix, std::size_t rows) {
  if (rows == 0 || matrix.size() % rows != 0) {
    fail(ErrorKind::bad_option, "A matrix of {} numbers cannot have {} rows.", matrix.size(), rows);
  }
  const auto r = static_cast<Eigen::Index>(rows);
  const auto c = static_cast<Eigen::Index>(matrix.size() / rows);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> w(matrix.data(), r, c);
  const double largest = w.size() == 0 ? 0 : w.cwiseAbs().maxCoeff();
  if (largest == 0) return 0;
  if (!std::isfinite(largest)) return largest;
  const Matrix scaled = w / largest;  // no square of an element overflows or vanishes
  constexpr Eigen::Index kSmall = 256;
  if (std::min(r, c) <= kSmall) {
    const Matrix gram =
        r <= c ? Matrix(scaled * scaled.transpose()) : Matrix(scaled.transpose() * scaled);
    return largest * std::sqrt(largest_eigenvalue_bound(gram));
  }
  const double row_sums = scaled.cwiseAbs().rowwise().sum().maxCoeff();
  const double column_sums = scaled.cwiseAbs().colwise().sum().maxCoeff();
  return largest * (1 + 1e-12) * std::min(scaled.norm(), std::sqrt(row_sums * column_sums));
}

double lipschitz_bound(const Network& network) {
  double bound = 1;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    double own;
    if (layer.kind == LayerKind::bank) {
      // An input changes only its own units, each by at most the unit's slope.
      own =
          std::sqrt(static_cast<double>(layer.outputs / layer.inputs)) * greatest_slope(network, l);
    } else {
      const TensorInfo& weight = network.tensor(fmt::format("layers.{}.weight", l));
      own = spectral_norm_bound(network.values(weight), layer.outputs);
      if (own > 0) own *= greatest_slope(network, l);  // otherwise 0 for any slopes
    }
    if (layer.residual) own += 1;
    if (own == 0) return 0;  // also if another layer has no bound
    bound *= own;
  }
  return bound;
}

double lipschitz_bound(std::span<const Network> members) {
  double sum = 0;
  for (const Network& network : members) sum += lipschitz_bound(network);
  return members.empty() ? 0 : sum / static_cast<double>(members.size());
}

}  // namespace knotwork
