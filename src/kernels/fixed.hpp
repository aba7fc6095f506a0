// SPDX-License-Identifier: MIT
// These kernels evaluate the fixed activations over a row of samples.
#pragma once

#include <cstddef>

namespace knotwork {

// The only table of fixed formulas. A row defines the enumerator, both kernels (from the structs of
// that name in formulas.hpp and fixed_vector.cpp) and the activation
// (activation/fixed_formulas.cpp).
//   name      of the activation
//   summary   of the activation; empty: no activation, the formula is a part of others
//   kinks     where the function is less than twice continuously differentiable
//   steepest  the least bound on |slope|, rounded up if it has infinitely many digits: attained at
//             s = 2.39936 for silu, at sqrt(2) for gelu and at sqrt(1/2) for gaussian
//   course    whether the function never falls, or falls somewhere
// clang-format off
#define KNOTWORK_FORMULAS(ROW)                                                                     \
  /*  Formula     struct     name          summary                    kinks steepest    course */  \
  ROW(identity,   Identity,  "identity",   "s",                       {},   1,          rises)     \
  ROW(tanh,       Tanh,      "tanh",       "hyperbolic tangent",      {},   1,          rises)     \
  ROW(sigmoid,    Sigmoid,   "sigmoid",    "1 / (1 + exp(-s))",       {},   0.25,       rises)     \
  ROW(relu,       Relu,      "relu",       "max(0, s)",               {0},  1,          rises)     \
  ROW(leaky_relu, LeakyRelu, "leaky-relu", "s, or 0.01 s below 0",    {0},  1,          rises)     \
  ROW(elu,        Elu,       "elu",        "s, or exp(s) - 1 below 0", {0}, 1,          rises)     \
  ROW(softplus,   Softplus,  "softplus",   "log(1 + exp(s))",         {},   1,          rises)     \
  ROW(silu,       Silu,      "silu",       "s * sigmoid(s)",          {},   1.09983933, falls)     \
  ROW(gaussian,   Gaussian,  "gaussian",   "",                        {},   0.85776389, falls)     \
  ROW(gelu,       Gelu,      "gelu",       "s * Phi(s), the normal distribution's Phi",            \
                                                                      {},   1.12890415, falls)
// clang-format on

enum class Formula {
#define KNOTWORK_ENUMERATOR(formula, ...) formula,
  KNOTWORK_FORMULAS(KNOTWORK_ENUMERATOR)
#undef KNOTWORK_ENUMERATOR
};

template <class T>
struct FixedKernels {
  // Values and, unless slope is null, derivatives. n may be any number and rows may lie at any
  // address; a sample's result depends on that sample alone.
  void (*forward)(Formula formula, const T* s, T* value, T* slope, std::size_t n);
};

// The kernels of the instruction set in use, and the plain C++ kernels that tests compare them
// with.
template <class T>
const FixedKernels<T>& fixed_kernels();
template <class T>
const FixedKernels<T>& scalar_fixed_kernels();

}  // namespace knotwork
