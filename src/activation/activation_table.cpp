// SPDX-License-Identifier: MIT
// The only list of activations. A new activation with trained numbers has its own file, which
// defines its make function, a row here and a line in the build; fixed activations come from the
// table of formulas in kernels/fixed.hpp.
#include "activation/fixed_formulas.hpp"

#include <knotwork/activation.hpp>

// clang-format off
#define KNOTWORK_LEARNED_ACTIVATIONS(ROW)                                                          \
  ROW("spline",           "a learned cubic spline for every neuron",      make_spline)             \
  ROW("adaptive-tanh",    "a tanh(b s + c), trained a, b, c",             make_adaptive_tanh)      \
  ROW("adaptive-sigmoid", "a sigmoid(b s + c), trained a, b, c",          make_adaptive_sigmoid)   \
  ROW("prelu",            "s, or a s below 0, trained a",                 make_prelu)              \
  ROW("apl",              "relu and trained hinges",                      make_apl)                \
  ROW("polynomial",       "a trained polynomial, straight far outside",   make_polynomial)         \
  ROW("rational",         "a trained ratio of polynomials without poles", make_rational)           \
  ROW("kaf",              "a trained sum of Gaussian bells",              make_kaf)
// clang-format on

namespace knotwork {

#define KNOTWORK_DECLARATION(name, summary, make) \
  std::shared_ptr<const Activation> make(const Settings& settings);
KNOTWORK_LEARNED_ACTIVATIONS(KNOTWORK_DECLARATION)
#undef KNOTWORK_DECLARATION

const ActivationTable& builtin_activations() {
  static const ActivationTable table = [] {
#define KNOTWORK_ENTRY(name, summary, make) {name, summary, make},
    ActivationTable all("activation", {KNOTWORK_LEARNED_ACTIVATIONS(KNOTWORK_ENTRY)});
#undef KNOTWORK_ENTRY
    for (const ActivationEntry& entry : fixed_activations()) all.add(entry);
    return all;
  }();
  return table;
}

}  // namespace knotwork
