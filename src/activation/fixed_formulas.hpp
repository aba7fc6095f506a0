// SPDX-License-Identifier: MIT
// The fixed activations are made from the table of formulas in kernels/fixed.hpp.
#pragma once

#include <string>
#include <vector>

#include "kernels/fixed.hpp"

#include <knotwork/activation.hpp>

namespace knotwork {

// A row of the table of formulas.
struct FixedFormula {
  Formula formula;
  std::string name;
  std::string summary;  // empty: not an activation, but a part of others
  std::vector<double> kinks;
  double steepest = 0;  // |slope| is never larger
  bool never_falls = false;
};
const std::vector<FixedFormula>& fixed_formulas();
const FixedFormula& fixed_formula(Formula formula);

// The formulas that are activations, in the order of the table.
std::vector<ActivationEntry> fixed_activations();

}  // namespace knotwork
