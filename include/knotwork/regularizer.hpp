// SPDX-License-Identifier: MIT
// A Regularizer is a term of the objective that depends on parameters only, with a weight lambda.
//
//   weights    lambda_w ||w||^2, including biases unless free_bias is set
//   damping    lambda_q ||q - q_o||^2: control points stay near their start q_o (without noise)
//   slope      lambda_slope      * integral of phi'^2  over the drawn range, summed over neurons
//   curvature  lambda_curvature  * integral of phi''^2 over the drawn range, summed over neurons
//   bank-curvature  the curvature of the units of a bank, which are sharper than those of other
//              layers and need a separate weight; slope and curvature exclude banks
//   absolute-weights  lambda_w1 * sum of |w|, biases as for weights: many become exactly 0
//   kinks             lambda_kinks * sum of |q_{k-1} - 2 q_k + q_{k+1}| over all curves: most of
//                     their knots become exactly straight
// An activation that several neurons share counts once.
//
// absolute-weights and kinks have no derivative where they matter, at 0. Gradients exclude them;
// adam and adamw take a proximal step for them after every update.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>
#include <knotwork/network.hpp>

namespace knotwork {

class KNOTWORK_API Regularizer {
 public:
  virtual ~Regularizer() = default;
  virtual std::string_view name() const = 0;
  // Returns lambda * R(parameters) and, if it is smooth, adds lambda * dR to the gradient.
  virtual double add(const Network& network, std::span<const double> parameters, double lambda,
                     std::span<double> gradient) const = 0;

  // True if the penalty depends on anything in this network; if not, add() returns 0 for it.
  virtual bool concerns(const Network& /*network*/) const { return true; }

  virtual bool is_smooth() const { return true; }
  // For a penalty that is not smooth: moves the parameters z to
  //     argmin_x  lambda * R(x) + sum_i (x_i - z_i)^2 / (2 steps_i).
  virtual void shrink(const Network& /*network*/, std::span<double> /*parameters*/,
                      double /*lambda*/, std::span<const double> /*steps*/) const {}
};

struct RegularizerOptions {
  bool free_bias = false;  // exclude biases from `weights` and `absolute-weights`
};

struct RegularizerEntry {
  std::string name;
  std::string summary;
  std::function<std::shared_ptr<const Regularizer>(const RegularizerOptions&)> make;
};
using RegularizerTable = NamedTable<RegularizerEntry>;
KNOTWORK_API const RegularizerTable& builtin_regularizers();

// The spelling of version 0.1, kept for one more version.
using Regulariser [[deprecated("is Regularizer now")]] = Regularizer;
using RegulariserOptions [[deprecated("is RegularizerOptions now")]] = RegularizerOptions;
using RegulariserEntry [[deprecated("is RegularizerEntry now")]] = RegularizerEntry;
using RegulariserTable [[deprecated("is RegularizerTable now")]] = RegularizerTable;
[[deprecated("is builtin_regularizers() now")]] inline const RegularizerTable&
builtin_regularisers() {
  return builtin_regularizers();
}

}  // namespace knotwork
