// SPDX-License-Identifier: MIT
// Regularisers: terms of the objective that look at parameters only, each with a weight lambda.
//
//   weights    lambda_w ||w||^2, biases included unless they are freed
//   damping    lambda_q ||q - q_o||^2: control points stay near their start q_o (without noise)
//   slope      lambda_slope      * integral of phi'^2  over the drawn range, summed over neurons
//   curvature  lambda_curvature  * integral of phi''^2 over the drawn range, summed over neurons
//   bank-curvature  the same for the units of a bank, which are sharper than those of other layers
//              and want a weight of their own; slope and curvature leave banks out
// Activations that neurons share count once.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <knotwork/export.hpp>
#include <knotwork/named_table.hpp>
#include <knotwork/network.hpp>

namespace knotwork {

class KNOTWORK_API Regulariser {
 public:
  virtual ~Regulariser() = default;
  virtual std::string_view name() const = 0;
  // Returns lambda * R(parameters) and adds lambda * dR to the gradient.
  virtual double add(const Network& network, std::span<const double> parameters, double lambda,
                     std::span<double> gradient) const = 0;
};

struct RegulariserOptions {
  bool free_bias = false;  // leave biases out of `weights`
};

struct RegulariserEntry {
  std::string name;
  std::string option;  // what its weight is called: lambda-w, lambda-q, ...
  std::string summary;
  std::function<std::shared_ptr<const Regulariser>(const RegulariserOptions&)> make;
};
using RegulariserTable = NamedTable<RegulariserEntry>;
KNOTWORK_API const RegulariserTable& builtin_regularisers();

}  // namespace knotwork
