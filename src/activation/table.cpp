// SPDX-License-Identifier: MIT
// THE list of activations. A new one is a file of its own, a line here and a line in the build.
#include "activation/families.hpp"

namespace knotwork {

const ActivationTable& builtin_activations() {
  static const ActivationTable table(
      "activation",
      {{"spline", "a learned cubic spline for every neuron", make_spline},
       {"adaptive-tanh", "a tanh(b s + c), trained a, b, c", make_adaptive_tanh},
       {"adaptive-sigmoid", "a sigmoid(b s + c), trained a, b, c", make_adaptive_sigmoid},
       {"prelu", "s, or a s below 0, trained a", make_prelu},
       {"apl", "relu and trained hinges", make_apl},
       {"polynomial", "a trained polynomial, straight far outside", make_polynomial},
       {"rational", "a trained ratio of polynomials without poles", make_rational},
       {"kaf", "a trained sum of Gaussian bells", make_kaf},
       {"identity", "s", make_fixed(Formula::identity, "identity")},
       {"tanh", "hyperbolic tangent", make_fixed(Formula::tanh, "tanh")},
       {"sigmoid", "1 / (1 + exp(-s))", make_fixed(Formula::sigmoid, "sigmoid")},
       {"relu", "max(0, s)", make_fixed(Formula::relu, "relu", {0})},
       {"leaky-relu", "s, or 0.01 s below 0", make_fixed(Formula::leaky_relu, "leaky-relu", {0})},
       {"elu", "s, or exp(s) - 1 below 0", make_fixed(Formula::elu, "elu", {0})},
       {"softplus", "log(1 + exp(s))", make_fixed(Formula::softplus, "softplus")},
       {"silu", "s * sigmoid(s)", make_fixed(Formula::silu, "silu")},
       {"gelu", "s * Phi(s), the normal distribution's Phi", make_fixed(Formula::gelu, "gelu")}});
  return table;
}

}  // namespace knotwork
