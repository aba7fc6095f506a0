// SPDX-License-Identifier: MIT
// The only list of regularizers.
#include "objective/regularizers/builtin_regularizers.hpp"

namespace knotwork {

const RegularizerTable& builtin_regularizers() {
  static const RegularizerTable table(
      "regularizer",
      {{"weights", "squared weights", make_weights_squared},
       {"damping", "squared distance of control points from their start", make_damping},
       {"slope", "integral of the squared slope of every curve", make_slope},
       {"curvature", "integral of the squared second derivative of every neuron's curve",
        make_curvature},
       {"bank-curvature", "integral of the squared second derivative of every input spline",
        make_bank_curvature},
       {"absolute-weights", "absolute weights", make_absolute_weights},
       {"kinks", "absolute second differences of the control points", make_kinks}});
  return table;
}

}  // namespace knotwork
