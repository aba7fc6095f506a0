// SPDX-License-Identifier: MIT
// THE list of regularisers.
#include "objective/regularisers/regularisers.hpp"

namespace knotwork {

const RegulariserTable& builtin_regularisers() {
  static const RegulariserTable table(
      "regulariser",
      {{"weights", "lambda-w", "squared weights", make_weights_squared},
       {"damping", "lambda-q", "squared distance of control points from their start", make_damping},
       {"slope", "lambda-slope", "integral of the squared slope of every curve", make_slope},
       {"curvature", "lambda-curvature", "integral of the squared second derivative of every curve",
        make_curvature},
       {"bank-curvature", "lambda-bank", "the same of the curves of an input layer of splines",
        make_bank_curvature},
       {"absolute-weights", "lambda-w1", "absolute weights", make_absolute_weights},
       {"kinks", "lambda-kinks", "absolute second differences of the control points", make_kinks}});
  return table;
}

}  // namespace knotwork
